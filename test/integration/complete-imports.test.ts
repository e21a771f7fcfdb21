// Files that say all there is of whom they name: what they leave out ends.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { importFile } from '../../infra/admin/import-file.ts';
import { clock, tables } from '../support/carrier-records.ts';
import { agent } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import {
  agencyNpn,
  answerOf,
  answersOf,
  appointed,
  associationId,
  licensed,
  newCarrier,
  question,
} from '../support/sale-checks-tests.ts';

const invoke: Invoke = async (_, payload) =>
  resultOf(await importFunctionOf(tables, () => clock.time)(payload));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'complete-'));
});
afterAll(() => rm(folder, { recursive: true }));

const later = (minutes = 1) => {
  clock.time = new Date(clock.time.getTime() + minutes * 60_000);
};

async function importComplete(organizationId: string, ...records: readonly object[]) {
  const file = join(folder, 'complete.ndjson');
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  later();
  return importFile(invoke, { organizationId, file, complete: true });
}

const npns = ['8400000', '8400001'] as const;
const [npn, other] = npns;

/** A carrier that has producers with licenses and appointments in Texas. */
const newRoster = () =>
  newCarrier(
    ...npns.map((one) => agent({ npn: one, downstreamEntityAssociationIds: [associationId] })),
    ...npns.flatMap((one) => [licensed(one), appointed(one)]),
  );

const otherLicense = (more: object = {}) =>
  licensed(npn, { licenseNumber: '77', linesOfAuthority: [], ...more });

/** What is answered of a seller in Texas, without warnings. */
async function asked(owner: string, seller: string, fields: object = {}) {
  later();
  const answer = await answerOf(owner, question({ seller: { npn: seller }, ...fields }));
  return answer.filter((one) => one?.startsWith('(') !== true);
}

async function verifiedAt(owner: string): Promise<string | null | undefined> {
  const { checks } = await answersOf(owner, [question({ seller: { npn } })]);
  return checks[0]?.verifiedAt;
}

it('what a complete file leaves out of whom it names has ended, of that type alone, and days before stay', async () => {
  const owner = await newRoster();
  const line = licensed(npn, { licenseClassName: 'Adjuster', licenseNumber: '77', linesOfAuthority: [] });
  expect(await importComplete(owner, line)).toMatchObject({ imported: 1, rejected: [] });
  expect(await asked(owner, npn)).toEqual(['no', 'seller license_class_wrong']);
  expect(await asked(owner, npn, { date: '2026-06-01' })).toEqual(['yes']);
  expect(await asked(owner, other)).toEqual(['yes']);
});

it('a complete file of licenses and appointments is when they were verified', async () => {
  const owner = await newRoster();
  expect(await verifiedAt(owner)).toBeNull();
  await importComplete(owner, licensed(npn));
  expect(await verifiedAt(owner)).toBeNull();
  await importComplete(owner, ...[npn, agencyNpn].flatMap((one) => [licensed(one), appointed(one)]));
  expect(await verifiedAt(owner)).toBe(clock.time.toISOString());
});

it('a rejected line leaves what the file says of its holder partial, so that nothing ends there', async () => {
  const owner = await newRoster();
  const whole = await importComplete(
    owner,
    otherLicense(),
    licensed(npn, { expirationDate: 'soon' }),
    licensed(other, { licenseClassName: 'Adjuster', licenseNumber: '77', linesOfAuthority: [] }),
  );
  expect(whole).toMatchObject({
    imported: 2,
    rejected: [{ line: 2 }],
    notes: [{ line: null, code: 'counted_as_partial', count: 1 }],
  });
  expect(await asked(owner, npn)).toEqual(['yes']);
  expect(await asked(owner, other)).toEqual(['no', 'seller license_class_wrong']);
});

it('who is in the next complete file again was never gone', async () => {
  const owner = await newRoster();
  await importComplete(owner, otherLicense({ licenseClassName: 'Adjuster' }));
  const left = clock.time.toISOString().slice(0, 10);
  expect((await asked(owner, npn))[0]).toBe('no');
  later(2 * 24 * 60);
  await importComplete(owner, licensed(npn));
  expect(await asked(owner, npn)).toEqual(['yes']);
  expect(await asked(owner, npn, { date: left })).toEqual(['yes']);
});
