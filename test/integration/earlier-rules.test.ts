import { baselineItem, createBaselineOf } from '../../shared/domain/baselines/baseline.ts';
import { rulesNumber } from '../../shared/domain/decision/reasons.ts';
import type { License } from '../../shared/domain/registry/resources.ts';
import { subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { complianceTable } from '../../shared/domain/table-designs.ts';
import { tableOf, writesOf } from '../../shared/platform/data/table.ts';
import { licenseOf } from '../support/agency-records.ts';
import {
  addAgent,
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

const licenseOfClass = (licenseClassName: string): License =>
  licenseOf({
    registryDataSubscriptionId: subscriptionIdOf(carrier, npn),
    npn,
    licenseClassName,
    licenseClassCode: null,
    nextRenewalDate: null,
    expirationDate: null,
    linesOfAuthority: [],
  });

const npn = '2000000';

/** A producer with an adjuster’s license, whom earlier rules reported as compliant. */
beforeEach(async () => {
  await addAgent(newId(), npn);
  await record(licenseOfClass('Adjuster'), recordedAt);
  const states = { TX: 'COMPLIANT/Licensed/Not Required' };
  const baseline = baselineItem(carrier, npn, {
    knownAt: reportedAt,
    at: reportedAt,
    rules: rulesNumber - 1,
    agent: { [productId]: { productName: 'Cargo', states } },
  });
  await writesOf(dynamo, names.compliance).putAll([baseline]);
});

const record = (license: License, at: string) =>
  writesOf(dynamo, names.registryRecords).putAll(
    recordedItems(carrier, { licenses: [license] }, at).map((item) => ({ ...item, isSilent: false })),
  );

it('makes a baseline of earlier rules again silently', async () => {
  await deliverChange(npn);
  await advance(61);
  expect(await events()).toEqual([]);
  const baselineOf = createBaselineOf(tableOf(complianceTable, dynamo, names.compliance));
  expect(await baselineOf(carrier, npn)).toMatchObject({
    rules: rulesNumber,
    agent: { [productId]: { states: { TX: 'NOT_COMPLIANT/Wrong License Class/Not Required' } } },
  });
});

it('sends what changed since, by the present rules alone', async () => {
  const producer = { ...licenseOfClass('Insurance Producer'), licenseNumber: '77' };
  await record(producer, new Date(start).toISOString());
  await deliverChange(npn);
  await advance(61);
  expect((await events()).map(({ payload }) => JSON.stringify(payload))).toEqual([
    expect.stringContaining('"complianceStatus":"COMPLIANT"'),
  ]);
});
