import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { tableDesigns } from '#domain/tables.ts';

// Indexes lag behind their tables. What is only answered may be a second old; what a write rests on must be read from a table, or
// stand here with the reason why a late answer is harmless.

/** Places that read an index for answers alone, by file and once for each time: lists, and what fills their items. */
const answered: Readonly<Record<string, readonly string[]>> = {
  'functions/agency/store.ts': [
    'createAgencyStore.producers by-list',
    'entityPartition by-organization',
    'marketPartitions by-list',
    'marketPartitions by-list-entity',
    'partitionsOf by-action',
    'partitionsOf by-entity',
    'registrationPartitions by-list',
    'registrationPartitions by-list-entity',
  ],
  'functions/agency/registry-lists.ts': [
    'createRegistryLists.appointmentPage by-list',
    'partitionsOf by-list',
    'partitionsOf by-npn',
    'partitionsOf by-state',
    'partitionsOf by-status',
  ],
  'functions/compliance/preview.ts': ['countPolicies by-state'],
  'functions/contacts/store.ts': ['list by-list'],
  'functions/file-documents/store.ts': ['partitionsOf by-entity', 'partitionsOf by-owner'],
  'functions/policies/store.ts': [
    'createPolicyStore.transactions by-ordinal',
    'indexes by-match',
    'indexes by-number',
    'indexes by-number',
    'indexes by-state',
    'indexes by-status',
  ],
  'functions/surplus-lines-filings/lists.ts': [
    'createFilingLists.page by-owner',
    'partitionsOf by-action',
    'partitionsOf by-entity',
    'partitionsOf by-policy-number',
    'partitionsOf by-reference',
    'partitionsOf by-state',
    'partitionsOf by-status',
  ],
  'functions/webhooks/store.ts': ['createWebhookStore.deliveries by-webhook'],
  // Contacts by address or domain, in lists of associations.
  'shared/domain/contacts/store.ts': [
    'createContactStore.withDomain by-domain',
    'createContactStore.withEmail by-email',
  ],
  'shared/domain/licensing/requests.ts': ['partitionsOf by-list', 'partitionsOf by-list-entity'],
  // The measure of what the reconciliation has not reached.
  'shared/domain/registry-records/subscriptions.ts': ['createSubscribedNpns.countNotPolledSince by-poll'],
  'shared/domain/policy-compliance/statuses.ts': ['createPoliciesByAgency.read by-agency'],
  'shared/domain/policy-compliance/sales.ts': ['salesOf by-sale'],
  // NPNs of a license, in lists of agents and associations.
  'shared/domain/registry-records/store.ts': ['createRegistryRecords.npnsOfLicense by-license-number'],
  // Lists by `updatedSince`, whose `x-updated-until` lies two minutes before them.
  'shared/platform/changes/change-index.ts': ['partitionsSince by-change'],
};

/** Reads of indexes on a write's way, by file, place, and index, each with the reason why a late answer is harmless. */
const onWritesWay: Readonly<Record<string, string>> = {
  'functions/import/matching/decide.ts readNpnsOfLicenses by-license-number':
    'A license that is not shown yet leaves a policy without that evidence, as if it had been imported after it: `rematch` matches it again.',
  'functions/import/policy/rematch.ts createRematch.pageOf by-match':
    'Each policy is decided again from the table. One that is not shown yet was matched by its own import, moments ago.',
  'functions/index-lag/function.ts lagOfProbe by-change': 'It measures how late the answer is.',
  'functions/webhook-delivery/check-due.ts createOverdueWebhooks.overdue by-next-drain':
    'What is not shown yet is found by the next call, a minute later; the worker reads what is due from the table.',
  'functions/webhooks/store.ts createDeliveryRequests.madeBetween by-webhook':
    'A replay is of what was made before it. A delivery of its last second is on its way to the receiver itself, or waits for the next replay; each is written under its attempt.',
  'shared/domain/agents/stored.ts agentsOfNpn by-npn':
    'A compliance change is reported a minute after the last one at the earliest, and an agent that comes in is one.',
  'shared/domain/associations/stored.ts associationKeysOfNpn by-npn':
    'A compliance change is reported a minute after the last one at the earliest, and an agency that comes in, or gets another NPN, is one. What a receipt keeps is its answer.',
  'shared/domain/filings/store.ts createFilingStore.readThroughIndex by-downstream':
    'A change of a filing is written under the version that was read; where that is late, it is decided again from the table. A filing that is not shown yet is not found, as before it was there.',
  'shared/domain/license-sweep/store.ts createSweptChanges.configs by-start':
    'A config that begins on a day was imported before its sweep; one that is imported in that second has its own event.',
  'shared/domain/registry-reconciliation/visit.ts createReconciliationStore.subscribersOf by-npn':
    'Who comes in is named in the job of the first poll, and read by key; anybody else is a subscriber since long.',
  'functions/registry-reconciliation/poll.ts createPollQueue.firstPolls by-poll':
    'A first poll that is not shown yet is found by the next call, a minute later.',
  'shared/domain/registry-records/subscriptions.ts createSubscribedNpns.waiting by-poll':
    'An NPN that is not shown yet has a first poll, or was imported with its records, and comes with the next night’s polls.',
  'shared/domain/registry-records/stored.ts renewalPartition by-renewal':
    'A license or a day that is written while its sweep runs is not due before it was known; its date is set to a later sweep.',
};

const indexes = [
  ...new Set(tableDesigns.flatMap((design) => Object.keys('indexes' in design ? design.indexes : {}))),
];

const sources = ['functions', 'shared'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    // They say which indexes there are, and which a function may read.
    .filter((path) => path.endsWith('.ts') && !/(?:\/table|\/uses|table-designs?)\.ts$/.test(path)),
);

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Types, which read nothing; what only says the type of an expression holds that. */
const isType = ({ type }: Node): boolean =>
  type.startsWith('Ts') && !/^Ts(?:As|Const|Satisfies|NonNull)/.test(type);

/** The name of what a node declares. */
function nameOf(node: Node): string | undefined {
  const isNamed =
    /^(?:FunctionDeclaration|VariableDeclarator|MethodProperty|ClassMethod|KeyValueProperty)$/.test(
      node.type,
    );
  const named = isNamed ? (node['identifier'] ?? node['id'] ?? node['key']) : undefined;
  return isNode(named) && named.type === 'Identifier' ? String(named['value']) : undefined;
}

/** The functions of a syntax tree that name an index, each by the names around it, once for each time. */
function readsIn(value: unknown, within: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => readsIn(one, within));
  if (!isNode(value)) {
    return typeof value === 'object' && value !== null ? readsIn(Object.values(value), within) : [];
  }
  if (isType(value)) return [];
  if (value.type === 'StringLiteral') {
    const index = String(value['value']);
    return indexes.includes(index) ? [`${within.join('.')} ${index}`] : [];
  }
  const name = nameOf(value);
  // Variables within a function, and members of what a call is given, are no place.
  const isPlace =
    name !== undefined &&
    (/^(?:Function|Method|ClassMethod)/.test(value.type) ||
      isFunction(value['init'] ?? value['value']) ||
      within.length === 0);
  return readsIn(Object.values(value), isPlace ? [...within, name] : within);
}

const isFunction = (value: unknown): boolean =>
  isNode(value) && /^(?:ArrowFunctionExpression|FunctionExpression)$/.test(value.type);

/** Every place where an index is named, once for each time. */
const reads = sources.flatMap((path) => {
  const text = readFileSync(path, 'utf8');
  if (!indexes.some((index) => text.includes(`'${index}'`))) return [];
  return readsIn(parseSync(text, { syntax: 'typescript', target: 'es2022' })).map(
    (place) => `${path} ${place}`,
  );
});

test('an index is read for answers alone, or a late answer is harmless for a written reason', () => {
  const listed = Object.entries(answered).flatMap(([path, places]) =>
    places.map((place) => `${path} ${place}`),
  );
  expect(reads.toSorted()).toEqual([...listed, ...Object.keys(onWritesWay)].sort());
});
