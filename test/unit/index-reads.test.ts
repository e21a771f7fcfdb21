import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableDesigns } from '../../shared/domain/tables.ts';

// Indexes lag behind their tables. What is only answered may be a second old; what a write rests on must be read from a table, or
// stand here with the reason why a late answer is harmless.

/** Files whose reads of indexes are answered and nothing else: lists, and what fills their items. */
const answered = [
  'functions/agency/filings.ts',
  'functions/agency/registry-lists.ts',
  'functions/agency/store.ts',
  'functions/contacts/agency-lists.ts',
  'functions/downstream-entity-associations/agency-policies.ts',
  'functions/file-documents/store.ts',
  'functions/policies/selections.ts',
  'functions/policies/store.ts',
  'functions/surplus-lines-filings/lists.ts',
  'functions/webhooks/store.ts',
  // Contacts by address or domain, in lists of associations.
  'shared/domain/contacts/store.ts',
  'shared/domain/licensing/requests.ts',
  // NPNs of a license, in lists of agents and associations.
  'shared/domain/registry-records/store.ts',
  // Lists by `updatedSince`, whose `x-updated-until` lies two minutes before them.
  'shared/platform/changes/change-index.ts',
];

/** Reads of indexes on a write's way, by file and index, each with the reason why a late answer is harmless. */
const onWritesWay: Readonly<Record<string, string>> = {
  'functions/event-publisher/oldest-keys.ts unpublished':
    'Schedules: what is not shown yet is found by the next call, a minute later. Before an event is numbered: the stream has given up on an earlier one of its entity only after six attempts, longer ago than an index lags; one that is still under way comes before it in the stream.',
  'functions/import/matching/licenses.ts by-license-number':
    'A license that is not shown yet leaves a policy without that clue, as if it had been imported after it: `rematch` matches it again.',
  'functions/import/policy/confirm-match.ts by-id':
    'An operator confirms a match of a transaction that he has seen in a list; one that is not shown yet is not found, and asked for again. It is written by its key, under its version.',
  'functions/import/policy/rematch.ts by-match':
    'Each policy is decided again from the table. One that is not shown yet was matched by its own import, moments ago.',
  'functions/index-lag/measure-lag.ts by-change': 'It measures how late the answer is.',
  'functions/webhook-delivery/wake-overdue.ts by-look':
    'What is not shown yet is found by the next call, a minute later; the worker reads what is due from the table.',
  'functions/webhooks/delivery-requests.ts by-webhook':
    'A replay is of what was made before it. A delivery of its last second is on its way to the receiver itself, or waits for the next replay; each is written under its attempt.',
  'shared/domain/agents/agents-of-npn.ts by-npn':
    'A compliance change is reported a minute after the last one at the earliest, and an agent that comes in is one.',
  'shared/domain/associations/store.ts by-npn':
    'A compliance change is reported a minute after the last one at the earliest, and an agency that comes in, or gets another NPN, is one.',
  'shared/domain/filings/store.ts by-downstream':
    'A change of a filing is written under the version that was read; where that is late, it is decided again from the table. A filing that is not shown yet is not found, as before it was there.',
  'shared/domain/license-sweep/changes.ts by-start':
    'A config that begins on a day was imported before its sweep; one that is imported in that second has its own event.',
  'shared/domain/registry-reconciliation/store.ts by-npn':
    'Who comes in is named in the job of the first visit, and read by key; anybody else is a subscriber since long.',
  'shared/domain/registry-reconciliation/visit-queue.ts by-visit':
    'A first visit that is not shown yet is found by the next call, a minute later.',
  'shared/domain/registry-records/npns.ts by-visit':
    'An NPN that is not shown yet has a first visit, or was imported with its records, and comes with the next night’s visits.',
  'shared/domain/registry-records/stored.ts by-renewal':
    'A license or a day that is written while its sweep runs is not due before it was known; its date is set to a later sweep.',
};

const indexes = [
  ...new Set(tableDesigns.flatMap((design) => Object.keys('indexes' in design ? design.indexes : {}))),
];

const sources = ['functions', 'shared'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    // They say which indexes there are, and which a function may read.
    .filter((path) => path.endsWith('.ts') && !/(?:\/table|\/uses|table-design)\.ts$/.test(path)),
);

/** Every file and index that it names. */
const reads = sources.flatMap((path) => {
  const text = readFileSync(path, 'utf8');
  return indexes.filter((index) => text.includes(`'${index}'`)).map((index) => ({ path, index }));
});

test('an index is read for answers alone, or a late answer is harmless for a written reason', () => {
  const others = reads.filter(({ path }) => !answered.includes(path));
  expect(others.map(({ path, index }) => `${path} ${index}`).sort()).toEqual(Object.keys(onWritesWay).sort());
});

test('every file whose reads of indexes are answered has some', () => {
  const reading = new Set(reads.map(({ path }) => path));
  expect(answered.filter((path) => !reading.has(path))).toEqual([]);
});
