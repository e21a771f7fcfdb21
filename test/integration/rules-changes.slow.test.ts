import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createRulesChanges } from '../../functions/admin/rules-changes.ts';
import { baselineItem, createBaselineOf } from '../../shared/domain/baselines/baseline.ts';
import { rulesNumber } from '../../shared/domain/decision/reasons.ts';
import { subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { complianceTable } from '../../shared/domain/table-designs.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { tableOf, writesOf } from '../../shared/platform/data/table.ts';
import { licenseOf } from '../support/agency-records.ts';
import {
  addAgent,
  addProducers,
  advance,
  carrier,
  deliverChange,
  events,
  names,
  productId,
  start,
} from '../support/compliance-changes-tests.ts';
import { newId } from '../support/filings.ts';
import { recordedItems } from '../support/holders.ts';
import { dynamo } from '../support/tables.ts';

/** When a baseline was made, of what had been recorded before. */
const reportedAt = new Date(start - 60 * 86_400_000).toISOString();
const recordedAt = new Date(start - 90 * 86_400_000).toISOString();

const licenseOfClass = (npn: string, licenseClassName: string) =>
  licenseOf({
    registryDataSubscriptionId: subscriptionIdOf(carrier, npn),
    npn,
    licenseClassName,
    licenseClassCode: null,
    nextRenewalDate: null,
    expirationDate: null,
    linesOfAuthority: [],
  });

/** Stores producers with an adjuster’s license, whom earlier rules reported as compliant. */
async function reportedByEarlierRules(npns: readonly string[]): Promise<void> {
  const states = { TX: 'COMPLIANT/Licensed/Not Required' };
  const baseline = {
    knownAt: reportedAt,
    at: reportedAt,
    rules: rulesNumber - 1,
    agent: { [productId]: { productName: 'Cargo', states } },
  };
  await writesOf(dynamo, names.registryRecords).putAll(
    npns.flatMap((npn) =>
      recordedItems(carrier, { licenses: [licenseOfClass(npn, 'Adjuster')] }, recordedAt).map((item) => ({
        ...item,
        isSilent: false,
      })),
    ),
  );
  await writesOf(dynamo, names.compliance).putAll(npns.map((npn) => baselineItem(carrier, npn, baseline)));
}

async function rulesChanges() {
  await dynamo.send(
    new PutItemCommand({
      TableName: names.organizations,
      Item: toItem({
        pk: `ORGANIZATION#${carrier}`,
        organizationId: carrier,
        name: 'Beacon',
        category: 'upstreamEntity',
        features: [],
        subscription: 'active',
        planCeiling: 1,
        createdAt: reportedAt,
        updatedAt: reportedAt,
      }),
    }),
  );
  const listed = createRulesChanges(tablesOf(dynamo, names));
  const first = await listed({ organizationId: carrier });
  const second = first.next && (await listed({ organizationId: carrier, after: first.next }));
  return [...first.changes, ...(second?.changes ?? [])];
}

it('lists whose answers other rules change, with both, and sends nothing', async () => {
  // A call looks at 500, and the answers of a few, in either call, are others.
  const producers = Array.from({ length: 520 }, (_, index) => String(2_000_000 + index));
  const npns = producers.filter((_, index) => index % 104 === 103);
  await addProducers(producers);
  await concurrently(npns, 16, (npn) => addAgent(newId(), npn));
  await reportedByEarlierRules(npns);
  const changes = await rulesChanges();
  expect(changes).toHaveLength(npns.length);
  expect(new Set(changes.map(({ npn }) => npn))).toEqual(new Set(npns));
  expect(changes[0]).toEqual({
    npn: expect.any(String),
    party: 'agent',
    productId,
    productName: 'Cargo',
    stateCode: 'TX',
    rulesBefore: rulesNumber - 1,
    before: ['COMPLIANT', 'Licensed', 'Not Required'],
    after: ['NOT_COMPLIANT', 'Wrong License Class', 'Not Required'],
  });

  await concurrently(npns, 16, async (npn) => void (await deliverChange(npn)));
  await advance(61);
  expect(await events()).toEqual([]);
  const [npn = ''] = npns;
  const baseline = await createBaselineOf(tableOf(complianceTable, dynamo, names.compliance))(carrier, npn);
  expect(baseline).toMatchObject({
    rules: rulesNumber,
    agent: { [productId]: { states: { TX: 'NOT_COMPLIANT/Wrong License Class/Not Required' } } },
  });
  // The present rules have reported since, and again: who changed is still listed.
  await deliverChange(npn);
  await advance(61);
  const byNpn = (listed: typeof changes) => listed.toSorted((one, other) => (one.npn < other.npn ? -1 : 1));
  expect(byNpn(await rulesChanges())).toEqual(byNpn(changes));
});

it('sends what changed since, by the present rules alone', async () => {
  const npn = '2000000';
  await addProducers([npn]);
  await addAgent(newId(), npn);
  await reportedByEarlierRules([npn]);
  const producer = { ...licenseOfClass(npn, 'Insurance Producer'), licenseNumber: '77' };
  await writesOf(dynamo, names.registryRecords).putAll(
    recordedItems(carrier, { licenses: [producer] }, new Date(start).toISOString()).map((item) => ({
      ...item,
      isSilent: false,
    })),
  );
  await deliverChange(npn);
  await advance(61);
  expect((await events()).map(({ payload }) => JSON.stringify(payload))).toEqual([
    expect.stringContaining('"complianceStatus":"COMPLIANT"'),
  ]);
});
