// Imports that write nothing, and say what they would change.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { importFile } from '../../infra/admin/import-file.ts';
import { policiesTable } from '../../shared/domain/table-designs.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { clock, id, newOwner, tables } from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { agent, transaction } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import {
  appointed,
  association,
  associationId,
  config,
  licensed,
  newCarrier,
  producerNpn,
  productId,
  unlicensedNpn,
} from '../support/sale-checks-tests.ts';
import { dynamo } from '../support/tables.ts';

const invoke: Invoke = async (_, payload) =>
  resultOf(await importFunctionOf(tables, () => clock.time)(payload));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dry-runs-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function importRecords(organizationId: string, records: readonly object[], more: object = {}) {
  const file = join(folder, 'records.ndjson');
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  clock.time = new Date(clock.time.getTime() + 60_000);
  return importFile(invoke, { organizationId, file, ...more });
}

/** Everything in every table. */
async function everything(): Promise<string[]> {
  const items = await Promise.all(Object.values(tables).map((table) => everyItem(dynamo, table)));
  return items.flatMap((some, index) => some.map((item) => JSON.stringify([index, item])).sort());
}

it('a dry run says what an import would change and which answers flip, and writes nothing', async () => {
  const owner = await newCarrier();
  const before = await everything();
  const records = [
    licensed(producerNpn, { status: 'Revoked', statusDate: '2026-06-01' }),
    licensed(unlicensedNpn),
    appointed(unlicensedNpn),
    appointed(producerNpn),
    agent({ npn: '8123499', downstreamEntityAssociationIds: [associationId] }),
    transaction('P-1', { producerCode: 'P-7731', agentNpn: '8123499', productCode: 'CGL' }),
    agent({ npn: '8123498', downstreamEntityAssociationIds: ['0'.repeat(24)] }),
  ];
  const given = { dryRun: true, emitEvents: true };
  const answer = await importRecords(owner, records, given);
  expect(answer).toMatchObject({
    imported: 6,
    rejected: [{ line: 7, issues: [{ path: 'downstreamEntityAssociationIds[0]' }] }],
    matched: 1,
    dryRun: {
      records: {
        license: { created: 1, changed: 0, ended: 1 },
        appointment: { created: 1, changed: 0, ended: 0 },
        agent: { created: 1, changed: 0, ended: 0 },
        policy: { created: 1, changed: 0, ended: 0 },
        'policy-transaction': { created: 1, changed: 0, ended: 0 },
      },
      answers: {
        count: 2,
        shown: [
          {
            npn: producerNpn,
            party: 'agent',
            productId,
            stateCode: 'TX',
            before: ['COMPLIANT', 'Licensed', 'Appointed'],
            after: ['NOT_COMPLIANT', 'Missing License', 'Appointed'],
          },
          {
            npn: unlicensedNpn,
            before: ['NOT_COMPLIANT', 'Missing License', 'Not Appointed'],
            after: ['COMPLIANT', 'Licensed', 'Appointed'],
          },
        ],
      },
    },
  });
  expect(await everything()).toEqual(before);
  // It would be so, and then nothing would change.
  expect(await importRecords(owner, records)).toMatchObject({ imported: 6 });
  expect(await importRecords(owner, records, given)).toMatchObject({
    dryRun: { records: {}, answers: { count: 0 } },
  });
});

const policyStatuses = (now: string, atEffectiveDate = now, atSale = now) => [now, atEffectiveDate, atSale];

it('a dry run says how many policies would be answered otherwise, and what, without new ones', async () => {
  const sold = (number: string, agentNpn: string, fields: object = {}) =>
    transaction(number, {
      producerCode: 'P-7731',
      agentNpn,
      productCode: 'CGL',
      policyTransactionDate: '2026-05-01',
      effectiveDate: '2026-05-01',
      ...fields,
    });
  const owner = await newCarrier(
    sold('P-1', producerNpn),
    sold('P-2', producerNpn, { policyTransactionDate: '2026-06-10', effectiveDate: '2026-06-20' }),
    sold('P-3', unlicensedNpn),
    sold('P-4', unlicensedNpn),
  );
  const before = await everything();
  const records = [
    licensed(producerNpn, { status: 'Revoked', statusDate: '2026-06-15' }),
    licensed(unlicensedNpn),
    appointed(unlicensedNpn),
    sold('P-4', producerNpn, { policyTransactionType: 'Endorsement', policyTransactionDate: '2026-06-01' }),
    sold('P-5', unlicensedNpn),
  ];
  const [yes, no] = ['COMPLIANT', 'NOT_COMPLIANT'];
  expect(await importRecords(owner, records, { dryRun: true })).toMatchObject({
    rejected: [],
    dryRun: {
      policies: {
        count: 4,
        byChange: [
          { before: policyStatuses(yes), after: [no, yes, yes], count: 1 },
          { before: policyStatuses(yes), after: [no, no, yes], count: 1 },
          { before: policyStatuses(no), after: policyStatuses(yes), count: 1 },
          { before: policyStatuses(no), after: [no, yes, yes], count: 1 },
        ],
        shown: ['P-1', 'P-2', 'P-3', 'P-4'].map((policyNumber) => ({ policyNumber })),
      },
    },
  });
  expect(await everything()).toEqual(before);
  // Without whoever holds a license, the policy alone is looked at.
  expect(await importRecords(owner, records.slice(3, 4), { dryRun: true })).toMatchObject({
    dryRun: {
      answers: { count: 0 },
      policies: { byChange: [{ before: policyStatuses(no), after: [yes, no, no], count: 1 }] },
    },
  });
  expect(
    await importRecords(
      owner,
      [
        agent({
          _id: id(1),
          npn: producerNpn,
          isArchived: true,
          downstreamEntityAssociationIds: [associationId],
        }),
      ],
      { dryRun: true },
    ),
  ).toMatchObject({ dryRun: { policies: { byChange: [{ after: [no, yes, yes], count: 2 }] } } });
  expect(
    await importRecords(owner, [config({ states: [{ stateCode: 'GA', linesOfAuthority: [] }] })], {
      dryRun: true,
    }),
  ).toMatchObject({ dryRun: { policies: { count: 2 } } });
});

it('a dry run names a stored policy that cannot be read, and counts the others', async () => {
  const sold = (number: string) =>
    transaction(number, { producerCode: 'P-7731', agentNpn: unlicensedNpn, productCode: 'CGL' });
  const owner = await newCarrier(sold('P-1'), sold('P-2'));
  const items = await everyItem(dynamo, tables.policies);
  const { pk, sk } = items.find((one) => one['policyNumber'] === 'P-1' && one['listKey'] === owner) ?? {};
  await tableOf(policiesTable, dynamo, tables.policies).update(
    { pk: String(pk), sk: String(sk) },
    { riskStateCode: 'Texas' },
  );
  const records = [licensed(unlicensedNpn), appointed(unlicensedNpn)];
  expect(await importRecords(owner, records, { dryRun: true })).toMatchObject({
    dryRun: {
      policies: {
        count: 1,
        shown: [{ policyNumber: 'P-2' }],
        unreadable: [expect.stringContaining(`${pk} ${sk}`)],
      },
    },
  });
});

it('a dry run of a config tells everybody whose answer flips', async () => {
  const owner = await newCarrier();
  const before = await everything();
  const states = [{ stateCode: 'TX', linesOfAuthority: ['99'], appointment: 'required' }];
  expect(await importRecords(owner, [config({ states })], { dryRun: true })).toMatchObject({
    dryRun: {
      records: { 'compliance-config': { created: 0, changed: 1, ended: 0 } },
      answers: { count: 2, byChange: [{ before: ['COMPLIANT', 'Licensed', 'Appointed'], count: 2 }] },
    },
  });
  expect(await everything()).toEqual(before);
});

it('a dry run of a complete list says what it would end', async () => {
  const owner = await newCarrier();
  const before = await everything();
  const complete = [{ kind: 'license', stateCode: 'TX', holders: 'known' }];
  expect(await importRecords(owner, [licensed(unlicensedNpn)], { dryRun: true, complete })).toMatchObject({
    complete: { lists: [{ kind: 'license', stateCode: 'TX', live: 3, ended: 2 }] },
    dryRun: { answers: { count: 3 } },
  });
  expect(await everything()).toEqual(before);
});

it('a dry run of records that refer to each other finds those of its own lines', async () => {
  const owner = await newOwner();
  const before = await everything();
  expect(
    await importRecords(owner, [association(), agent({ downstreamEntityAssociationIds: [associationId] })], {
      dryRun: true,
    }),
  ).toMatchObject({
    imported: 2,
    rejected: [],
    dryRun: {
      records: {
        association: { created: 1 },
        agent: { created: 1 },
      },
    },
  });
  expect(await everything()).toEqual(before);
});
