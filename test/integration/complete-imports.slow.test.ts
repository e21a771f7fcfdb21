// Files that are complete lists of a state: what they leave out ends.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Invoke, RefusedCommand, resultOf } from '../../infra/admin/functions.ts';
import { importFile } from '../../infra/admin/import-file.ts';
import { createWritesOf, noChange, readHolder } from '../../shared/domain/registry-records/holder-facts.ts';
import { noVisits } from '../../shared/domain/registry-records/stored-facts.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { VersionConflict } from '../../shared/platform/data/transact.ts';
import { clock, tables } from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { agent } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import {
  answerOf,
  answersOf,
  appointed,
  associationId,
  licensed,
  newCarrier,
  question,
} from '../support/sale-checks-tests.ts';
import { dynamo } from '../support/tables.ts';

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

async function importComplete(
  organizationId: string,
  records: readonly (object | string)[],
  more: object = {},
) {
  const file = join(folder, 'list.ndjson');
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
  await writeFile(file, lines.join('\n'));
  later();
  return importFile(invoke, { organizationId, file, ...more });
}

const npnsOf = (length: number) => Array.from({ length }, (_, index) => String(8_400_000 + index));

const npns = npnsOf(4);
/** So many that a list with the first three holders alone would end more than ten, also where one cannot be read. */
const many = npnsOf(13);

const whole = (kind: 'license' | 'appointment' = 'license', holders = 'known') => ({
  complete: [{ kind, stateCode: 'TX', holders }],
});

const holdersOf = (producers: readonly string[]) => ['17654321', '8123456', ...producers];

const allHolders = holdersOf(npns);

/** A carrier that has producers with licenses and appointments in Texas. */
const newRoster = (producers = npns) =>
  newCarrier(
    ...producers.map((npn) => agent({ npn, downstreamEntityAssociationIds: [associationId] })),
    ...producers.flatMap((npn) => [licensed(npn), appointed(npn)]),
  );

/** Who may sell in Texas. */
async function sellers(owner: string, producers = npns): Promise<string[]> {
  later();
  const { checks } = await answersOf(
    owner,
    producers.map((npn) => question({ seller: { npn } })),
  );
  return producers.filter((_, index) => checks[index]?.answer === 'yes');
}

it('who is not on a complete list has no license from then on, and keeps the days before', async () => {
  const owner = await newRoster();
  const [gone = '', ...others] = npns;
  const listed = allHolders.filter((npn) => npn !== gone).map((npn) => licensed(npn));
  expect(await importComplete(owner, listed, whole())).toMatchObject({
    imported: 5,
    rejected: [],
    complete: { lists: [{ kind: 'license', stateCode: 'TX', live: 6, ended: 1 }] },
  });
  expect(await sellers(owner)).toEqual(others);
  const check = question({ seller: { npn: gone } });
  expect(await answerOf(owner, check)).toEqual(['no', 'seller license_missing']);
  expect(await answerOf(owner, { ...check, date: '2026-06-01' })).toEqual(['yes']);
  // The appointments were never confirmed as a whole.
  expect(await verifiedAt(owner)).toBeNull();
});

/** When everything about the last of the producers was last confirmed. */
async function verifiedAt(owner: string): Promise<string | null | undefined> {
  const { checks } = await answersOf(owner, [question({ seller: { npn: npns.at(-1) } })]);
  return checks[0]?.verifiedAt;
}

/** What is stored of registry records, without when visits and complete imports confirmed it. */
const stored = async () =>
  (await everyItem(dynamo, tables.registryRecords)).filter(({ sk }) => sk !== 'FACT#VISITS');

const refusalOf = (done: Promise<object>) =>
  done.then(
    (result) => result,
    (error: unknown) => (error instanceof RefusedCommand ? error.refusal : String(error)),
  );

it('a complete list that is cut off is refused before anything is imported, unless it is forced (case 43)', async () => {
  const owner = await newRoster(many);
  const cutOff = holdersOf(many)
    .slice(0, 3)
    .map((npn) => licensed(npn, { nextRenewalDate: '2028-03-31' }));
  const before = await stored();
  expect(await refusalOf(importComplete(owner, cutOff, whole()))).toMatchObject({
    errorType: 'conflict',
    errorMessage: [expect.stringContaining('would end 12 of 15')],
    details: { lists: [{ kind: 'license', stateCode: 'TX', live: 15, ended: 12 }] },
  });
  expect(await stored()).toEqual(before);
  expect(await sellers(owner, many)).toEqual(many);
  // Of those in the file, none is left out.
  expect(await importComplete(owner, cutOff, whole('license', 'listed'))).toMatchObject({
    complete: { lists: [{ live: 3, ended: 0 }] },
  });
  expect(await sellers(owner, many)).toEqual(many);
  expect(await importComplete(owner, cutOff, { ...whole(), force: true })).toMatchObject({
    complete: { lists: [{ live: 15, ended: 12 }] },
  });
  expect(await sellers(owner, many)).toEqual(many.slice(0, 1));
});

it('a list with a line that is rejected ends nothing', async () => {
  const owner = await newRoster();
  const listed: (object | string)[] = allHolders.slice(2, 5).map((npn) => licensed(npn));
  for (const odd of [licensed(npns[0] ?? '', { npn: 'unknown' }), '{"type":"license"', 'no JSON']) {
    expect(await importComplete(owner, [...listed, odd], whole())).toMatchObject({
      imported: 3,
      complete: { lists: [], because: 'A line was rejected, so the file ends nothing.' },
    });
  }
  expect(await sellers(owner)).toEqual(npns);
});

it('a list with a row that cannot be read ends nothing in that state, and confirms nothing', async () => {
  const owner = await newRoster();
  const [odd = '', ...listed] = allHolders.slice(3);
  const lists = { complete: [...whole().complete, ...whole('appointment').complete] };
  expect(
    await importComplete(
      owner,
      [
        ...listed.map((npn) => licensed(npn)),
        licensed(odd, { expirationDate: '12/31/20277' }),
        ...allHolders.slice(0, 5).map((npn) => appointed(npn)),
      ],
      lists,
    ),
  ).toMatchObject({
    imported: 7,
    setAside: 1,
    complete: {
      lists: [{ kind: 'appointment', live: 6, ended: 1 }],
      unread: [{ kind: 'license', stateCode: 'TX' }],
    },
  });
  expect(await sellers(owner)).toEqual(npns.slice(0, -1));
  expect(await verifiedAt(owner)).toBeNull();
});

it('the same list twice changes nothing, and one that was not ended goes on when it is imported again', async () => {
  const owner = await newRoster();
  const lists = {
    complete: [
      { kind: 'license', stateCode: 'TX', holders: 'known' },
      { kind: 'appointment', stateCode: 'TX', holders: 'listed' },
    ],
  };
  const gone = npns.slice(0, 3);
  const staying = allHolders.filter((npn) => !gone.includes(npn));
  const listed = [
    ...staying.map((npn) => licensed(npn)),
    ...allHolders.filter((npn) => npn !== '8123456').map((npn) => appointed(npn)),
  ];
  const file = join(folder, 'stopped.ndjson');
  await writeFile(file, listed.map((record) => JSON.stringify(record)).join('\n'));
  let calls = 0;
  const stopping: Invoke = (name, payload) => {
    if (JSON.stringify(payload).includes('"step":"end"') && ++calls > 1)
      throw new Error('The connection is lost.');
    return invoke(name, payload);
  };
  later();
  await expect(importFile(stopping, { organizationId: owner, file, ...lists })).rejects.toThrow('lost');
  later();
  const ended = await importFile(invoke, { organizationId: owner, file, ...lists });
  expect(ended).toMatchObject({ rejected: [] });
  expect(await sellers(owner)).toEqual(npns.slice(3));
  const confirmed = await verifiedAt(owner);
  expect(confirmed).not.toBeNull();
  const before = await stored();
  later();
  expect(await importFile(invoke, { organizationId: owner, file, ...lists })).toMatchObject({
    complete: {
      lists: [
        { kind: 'license', live: 3, ended: 0 },
        { kind: 'appointment', live: 5, ended: 0 },
      ],
    },
  });
  expect(await stored()).toEqual(before);
  expect(Date.parse((await verifiedAt(owner)) ?? '')).toBeGreaterThan(Date.parse(confirmed ?? ''));
});

it('who is on the next list again was never gone', async () => {
  const owner = await newRoster();
  const listed = allHolders.map((npn) => licensed(npn));
  await importComplete(owner, listed.slice(0, 5), whole());
  expect(await sellers(owner)).toEqual(npns.slice(0, 3));
  clock.time = new Date('2026-07-09T12:00:00.000Z');
  await importComplete(owner, listed, whole());
  expect(await sellers(owner)).toEqual(npns);
  const check = question({ seller: { npn: npns.at(-1) }, date: '2026-07-05' });
  expect(await answerOf(owner, check)).toEqual(['yes']);
});

it('who loses a license by a list is told of, where the import sends events', async () => {
  const owner = await newRoster();
  const listed = allHolders.slice(0, 5).map((npn) => licensed(npn));
  const told = async () =>
    (await everyItem(dynamo, tables.outbox)).filter((item) =>
      JSON.stringify(item).includes(npns.at(-1) ?? ''),
    );
  await importComplete(
    owner,
    allHolders.map((npn) => licensed(npn)),
    whole(),
  );
  expect(await told()).toEqual([]);
  await importComplete(owner, listed, { ...whole(), emitEvents: true });
  expect(await told()).not.toEqual([]);
});

/** What a writer that read the records of the first producer writes of when they were confirmed. */
async function confirming(owner: string) {
  const holder = { owner, npn: npns[0] ?? '' };
  const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
  const stored = await readHolder(table, holder);
  return (time: string) => {
    const change = {
      ...noChange,
      visits: () => ({ ...noVisits, verified: { license: { TX: time }, appointment: {} } }),
    };
    const origin = { by: 'import', isSilent: true } as const;
    const { visits } = createWritesOf(table.items)(holder, origin, stored, change, clock.time);
    return table.transact(visits.map((write) => write(time)));
  };
}

it('of a visit and a list that read the same of what is confirmed, the second one reads it again', async () => {
  const confirm = await confirming(await newRoster());
  await confirm('2026-07-01T12:00:00.000Z');
  await expect(confirm('2026-06-01T12:00:00.000Z')).rejects.toThrow(VersionConflict);
});

it('what a visit confirms after the import began, its list does not end', async () => {
  const owner = await newRoster();
  const listed = allHolders.filter((npn) => npn !== npns[0]).map((npn) => licensed(npn));
  const file = join(folder, 'overtaken.ndjson');
  await writeFile(file, listed.map((record) => JSON.stringify(record)).join('\n'));
  let isOvertaken = false;
  const overtaken: Invoke = async (name, payload) => {
    if (!isOvertaken && JSON.stringify(payload).includes('"step":"end"')) {
      isOvertaken = true;
      later();
      const confirm = await confirming(owner);
      await confirm(clock.time.toISOString());
    }
    return invoke(name, payload);
  };
  expect(await importFile(overtaken, { organizationId: owner, file, ...whole() })).toMatchObject({
    complete: { lists: [{ live: 6, ended: 0 }] },
  });
  expect(await sellers(owner)).toEqual(npns);
});

it.each([
  [{ force: true }, 'force'],
  [{ ...whole(), organizationId: undefined }, 'organizationId'],
  [{ complete: [...whole().complete, ...whole().complete] }, 'complete[1]'],
  [{ ...whole(), file: 'reports.xml', askedAt: '2026-07-01T12:00:00Z' }, 'complete'],
  [{ askedAt: '2026-07-01T12:00:00Z' }, 'askedAt'],
  [{ complete: [{ kind: 'agent', stateCode: 'TX', holders: 'known' }] }, 'complete[0].kind'],
])('%j is refused, naming %s', async (given, path) => {
  const refused = refusalOf(importComplete('65f0c1d2e3a4b5c6d7e8f901', [], given));
  expect(JSON.stringify(await refused)).toContain(path);
});
