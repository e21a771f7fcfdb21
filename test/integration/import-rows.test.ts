// Lines of licenses and appointments that cannot be read, and what is answered of those whom they are about.

import { importFunction } from '../../functions/import/function.ts';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { setAsidePartition, setAsideRow } from '../../shared/domain/registry-records/set-aside.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { commandsOn } from '../support/admin.ts';
import { clock, tables } from '../support/carrier-records.ts';
import { testContext } from '../support/context.ts';
import { importedBy, recordsInto } from '../support/imports.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import {
  answerOf,
  appointed,
  licensed,
  newCarrier,
  producerNpn,
  question,
  unlicensedNpn,
} from '../support/sale-checks-tests.ts';
import { dynamo } from '../support/tables.ts';

const now = () => clock.time;

/** Imports lines a minute after everything before: each import is a command of its own. */
function imported(owner: string, ...lines: readonly object[]): Promise<ImportOutcome> {
  clock.time = new Date(clock.time.getTime() + 60_000);
  return recordsInto(tables, now)(owner, lines);
}

/** What is answered of a seller, without warnings. */
const asked = async (owner: string, npn: string = producerNpn, fields: object = {}) =>
  (await answerOf(owner, question({ seller: { npn }, ...fields }))).filter(
    (one) => one?.startsWith('(') !== true,
  );

const kept = async (owner: string) =>
  (
    await collect(
      tableOf(registryRecordsTable, dynamo, tables.registryRecords).query(
        setAsideRow,
        setAsidePartition(owner),
      ),
    )
  ).flat();

const unknown = ['unknown', 'seller row_not_understood'];

test('a license whose end cannot be read is not one without an end (case 1)', async () => {
  const owner = await newCarrier(appointed(unlicensedNpn));
  const { notes, ...outcome } = await imported(
    owner,
    licensed(unlicensedNpn, { nextRenewalDate: null, expirationDate: '13/45/2024' }),
  );
  expect(outcome).toMatchObject({ imported: 0, setAside: 1, rejected: [] });
  expect(notes).toMatchObject([
    {
      line: 1,
      code: 'row_set_aside',
      message: expect.stringContaining('set aside: expirationDate: must be a date') as unknown,
    },
  ]);
  expect(await asked(owner, unlicensedNpn)).toEqual(unknown);
  const [row] = await kept(owner);
  expect(row).toMatchObject({
    npn: unlicensedNpn,
    kind: 'license',
    stateCode: 'TX',
    by: 'import',
    faults: 'expirationDate',
  });
  expect(row?.written).toContain('"expirationDate":"13/45/2024"');
  expect(await commandsOn(tables, { now })('list-unread', { organizationId: owner })).toMatchObject({
    setAside: [{ npn: unlicensedNpn, faults: ['expirationDate'] }],
  });
});

test('a license that began on a day that cannot be read is not known on any day (case 2)', async () => {
  const owner = await newCarrier(appointed(unlicensedNpn));
  await imported(owner, licensed(unlicensedNpn, { issueDate: '2010-13-01' }));
  for (const date of ['2026-07-01', '2022-03-01']) {
    expect(await asked(owner, unlicensedNpn, { date })).toEqual(unknown);
  }
});

test('a revoked row that is set aside makes the license that is held doubtful, until a line of its number can be read (case 3)', async () => {
  const owner = await newCarrier();
  expect(await asked(owner)).toEqual(['yes']);
  const revoked = licensed(producerNpn, { status: 'Revoked', statusDate: 'yesterday' });
  await imported(owner, revoked);
  expect(await asked(owner)).toEqual(unknown);
  // The same file again is no news.
  const before = await kept(owner);
  await imported(owner, revoked);
  expect(await kept(owner)).toEqual(before);
  // Nor does a license of another number beside it make it good.
  await imported(owner, revoked, licensed(producerNpn, { licenseNumber: '9', linesOfAuthority: [] }));
  expect(await kept(owner)).toMatchObject([{ faults: 'statusDate' }]);
  expect(await asked(owner)).toEqual(unknown);
  await imported(owner, licensed(producerNpn));
  expect(await asked(owner)).toEqual(['yes']);
  expect(await commandsOn(tables, { now })('list-unread', { organizationId: owner })).toMatchObject({
    setAside: [],
  });
});

test('what else stands in the file counts, also a revocation beside an odd row', async () => {
  const owner = await newCarrier();
  const outcome = await imported(
    owner,
    licensed(producerNpn, { status: 'Revoked' }),
    licensed(producerNpn, { licenseNumber: '8', stateCode: 'XX' }),
    appointed(unlicensedNpn, { status: null }),
    appointed(unlicensedNpn, { carrierName: null }),
    { ...appointed(unlicensedNpn), npn: 'unknown' },
    licensed(producerNpn, { licensNumber: '8' }),
  );
  expect(outcome).toMatchObject({
    imported: 1,
    setAside: 3,
    rejected: [
      { line: 5, issues: [{ path: 'npn' }] },
      { line: 6, issues: [{ path: 'licensNumber' }] },
    ],
  });
  expect((await asked(owner))[0]).toBe('no');
});

test('a field without which a row can be read is left out, and words that registries write are read', async () => {
  const owner = await newCarrier(appointed(unlicensedNpn));
  const { imported: count, notes } = await imported(
    owner,
    licensed(unlicensedNpn, {
      stateCode: 'tx',
      residencyStatus: 'R',
      licenseNumber: 100_200,
      statusReason: 7,
      licenseClassCode: 'x'.repeat(400),
    }),
  );
  expect(count).toBe(1);
  expect(notes).toMatchObject([
    {
      line: null,
      code: 'field_left_out',
      message: 'licenseClassCode cannot be read, and is left out.',
      count: 1,
    },
  ]);
  expect(await asked(owner, unlicensedNpn)).toEqual(['yes']);
});

test('how many rows are set aside is logged once, and nothing that stood in them', async () => {
  const owner = await newCarrier();
  const logger = recordingLogger();
  const line = JSON.stringify(
    licensed(producerNpn, { licenseNumber: 'SECRET-1', expirationDate: 'SECRET-2' }),
  );
  const none = { fileDocuments: 'none', filings: 'none', licensing: 'none', webhooks: 'none' };
  const answer = importFunction.compose({
    dynamo,
    tables: tablesOf(dynamo, { ...none, ...tables }),
    context: testContext({ logger, now }),
  });
  importedBy(await answer({ organizationId: owner, firstLine: 1, lines: [line, line] }));
  expect(logger.lines).toMatchObject([
    { event: 'rows_set_aside', rows: 2, faults: ['expirationDate'] },
    { event: 'operator_command', setAside: 2 },
  ]);
  expect(JSON.stringify(logger.lines)).not.toContain('SECRET');
});
