import { randomBytes, randomInt } from 'node:crypto';
import { mostBranches } from '#domain/associations/agency-entries.ts';
import { mostFound } from '#domain/associations/match-evidence.ts';
import { heldKey } from '#domain/baselines/baseline.ts';
import { mostBytesOfClassKinds } from '#domain/compliance/class-kinds.ts';
import { keptDeletions, mostBytesOfVersions, mostProducts } from '#domain/compliance/record-config.ts';
import { mostInRun } from '#domain/events/feed.ts';
import { keptDays } from '#domain/events/stored.ts';
import { fileTypeNames, longestFileName } from '#domain/file-documents/content.ts';
import { mostVersions } from '#domain/file-documents/stored.ts';
import { jobKinds } from '#domain/license-sweep/jobs.ts';
import { shards } from '#domain/registry-records/stored.ts';
import { pack } from '#domain/registry-records/stored-records.ts';
import { longestAnswer } from '#domain/webhooks/resource.ts';
import { rememberedAttempts } from '#domain/webhooks/stored.ts';
import { KB } from '#platform/aws/limits.ts';
import { stateCodes } from '#platform/contract/primitives.ts';
import { largestItem } from '#platform/data/table.ts';
import { mostOfName } from '../../functions/import/types/agents.ts';
import { policyRoutes } from '../../functions/policies/routes.ts';
import { mostRecords } from '../../functions/sandbox/routes.ts';

/** How large a list, a record, a set, or a value in bytes can be: so many elements, none larger than this one; or so many bytes. */
export type StoredList = { readonly most: number; readonly largest: unknown } | { readonly bytes: number };

/**
 * Of the items that these schemas read, each list and how large it can be. `put` is an item that is only ever written whole: then
 * `storable` refuses it, with 409 or as a rejected line, before it is larger than `largestItem`. `part` is no item, but what an item
 * holds in bytes.
 */
interface ItemLists {
  readonly schemas: readonly string[];
  readonly lists: 'put' | 'part' | Readonly<Record<string, StoredList>>;
}

const id = 'f'.repeat(24);
const time = '2026-03-01T12:00:00.000Z';
const uuid = '4f9d1a56-7c1c-4d3a-9d0e-3b1f0a6f8c11';
/** A text of characters that take three bytes each, as many as most texts can have in UTF-8. */
const text = (length: number): string => '名'.repeat(length);

const codeOfDays = { code: 'x'.repeat(20), from: '2026-03-01', until: '2026-03-31' };
const identifiers = { most: 100, largest: 'x'.repeat(20) };

const file = {
  fileDocumentId: id,
  objectKey: `incoming/${id}/${id}`,
  fileName: text(longestFileName),
  contentType: fileTypeNames.reduce((one, other) => (other.length > one.length ? other : one)),
};

const products = () => Array.from({ length: mostProducts }, () => randomBytes(12).toString('hex'));

const largestReport = () => {
  const statuses = ['COMPLIANT/Licensed/Appointed', 'NOT_COMPLIANT/Missing License/Not Appointed'];
  const ids = products();
  const held = (['agent', 'agency'] as const).flatMap((party) =>
    ids.flatMap((id) => stateCodes.map((state) => [heldKey(party, id, state), statuses[randomInt(2)] ?? ''])),
  );
  return pack(Object.fromEntries(held));
};

const evidence = { associationIds: { most: mostFound, largest: id } };
const secret = { dataKey: { bytes: 512 }, sealed: { bytes: 512 } };

export const storedLists = (): readonly ItemLists[] => [
  {
    schemas: [...['agents/agent', 'agents/changed-agent', 'agents/imported-agent'], 'agents/seller-link'],
    lists: 'put',
  },
  { schemas: ['agents/agents-of-name'], lists: { agentIds: { most: mostOfName, largest: id } } },
  {
    schemas: ['associations/associations-of-entity'],
    lists: {
      associationIds: { most: mostBranches, largest: id },
      invitedIds: { most: mostBranches, largest: id },
      inactiveIds: { most: mostBranches, largest: id },
    },
  },
  { schemas: ['associations/evidence', 'associations/npn-holder-key'], lists: evidence },
  {
    schemas: ['compliance/config'],
    lists: {
      versions: { bytes: mostBytesOfVersions },
      deletions: { most: keptDeletions, largest: { from: time, until: time, isSilent: true } },
    },
  },
  { schemas: ['compliance/class-kinds'], lists: { versions: { bytes: mostBytesOfClassKinds } } },
  { schemas: ['compliance/config-version'], lists: 'put' },
  {
    schemas: ['compliance/reported'],
    lists: {
      'carrier.naicCodes': { most: 100, largest: codeOfDays },
      'carrier.eins': { most: 100, largest: 'x'.repeat(10) },
      statuses: { bytes: largestReport().length },
    },
  },
  { schemas: ['compliance/held-statuses'], lists: 'part' },
  // The largest group's; `policies` has the most executions.
  {
    schemas: ['rate-counters/open-lists'],
    lists: { places: { most: policyRoutes.openLists ?? 0, largest: '1772373960#Zm9vYg' } },
  },
  { schemas: ['contacts/contact', 'contacts/contact-at-entity'], lists: 'put' },
  {
    schemas: ['file-documents/document'],
    lists: {
      versions: {
        most: mostVersions,
        largest: { ...file, version: 200, uploadedAt: time, scan: 'threats found', sizeInBytes: 10_485_760 },
      },
    },
  },
  { schemas: ['filings/filing', 'filings/message'], lists: 'put' },
  {
    schemas: ['idempotency/record'],
    lists: { sealed: { bytes: largestItem - 20 * KB } },
  },
  { schemas: ['licensing/request'], lists: 'put' },
  {
    schemas: ['organizations/organization', 'organizations/carrier-identity'],
    lists: {
      eins: identifiers,
      naicCodes: { most: 100, largest: codeOfDays },
      features: { most: 20, largest: 'surplus_lines' },
    },
  },
  {
    schemas: ['organizations/restricted-access-token'],
    lists: { ipAddresses: { most: 100, largest: 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255' } },
  },
  { schemas: ['outbox/event'], lists: 'put' },
  {
    schemas: ['outbox/feed-counter'],
    lists: {
      firsts: { most: keptDays, largest: ['2026-03-01', Number.MAX_SAFE_INTEGER] },
      // One for each restore of the table.
      skipped: { most: 1_000, largest: { from: Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER } },
    },
  },
  {
    schemas: ['outbox/feed-run'],
    lists: {
      events: {
        most: mostInRun,
        largest: { eventId: uuid, entityId: id, type: 'x'.repeat(60), sequence: 1e15, bytes: largestItem },
      },
    },
  },
  {
    schemas: ['outbox/sequence'],
    // Events of one type about one entity that the bus has not accepted yet.
    lists: { numbered: { most: 3_000, largest: [`${time}#${uuid}`, Number.MAX_SAFE_INTEGER] } },
  },
  {
    schemas: ['policies/counted-policy', 'policies/policy-of-agency', 'policies/sale'],
    lists: 'put',
  },
  { schemas: ['policies/transaction', 'policies/imported-transaction'], lists: 'put' },
  {
    schemas: [
      ...['registry-records/appointments-of-head', 'registry-records/holder', 'registry-records/license'],
      ...['registry-records/sale', 'registry-records/simulated-record'],
    ],
    lists: 'put',
  },
  {
    schemas: [
      ...['registry-records/action-statement', 'registry-records/appointment-statement'],
      ...['registry-records/content', 'registry-records/license-statement', 'registry-records/reports'],
    ],
    lists: 'part',
  },
  { schemas: ['registry-records/piece'], lists: { piece: { bytes: 300 * KB } } },
  {
    schemas: ['registry-records/sandbox-records'],
    lists: { npns: { most: mostRecords, largest: { 1234567890: 1_800_000_000 } } },
  },
  {
    schemas: ['registry-records/sweep-day'],
    lists: { done: { most: jobKinds.length * shards, largest: 'EXPIRING 999' } },
  },
  { schemas: ['registry-records/sweep-year'], lists: { days: { most: 366, largest: '2026-03-01' } } },
  {
    schemas: ['registry-records/synchronization'],
    // Requests that are sending the same job at this moment.
    lists: { senders: { most: 1_000, largest: uuid } },
  },
  { schemas: ['sale-receipts/kept', 'sale-receipts/payload'], lists: 'part' },
  { schemas: ['sale-receipts/part'], lists: { part: { bytes: largestItem - KB } } },
  {
    schemas: ['webhooks/delivery', 'webhooks/listed-delivery'],
    lists: {
      attempts: {
        most: rememberedAttempts,
        largest: {
          attemptedAt: time,
          statusCode: 500,
          durationMs: 15_000,
          error: 'x'.repeat(500),
          // A byte that is no UTF-8 is replaced by a character of three.
          responseBody: 'x'.repeat(3 * longestAnswer),
        },
      },
      // The example of a type, which a test sends.
      'event.inline.payload': { bytes: 20 * KB },
    },
  },
  {
    schemas: ['webhooks/webhook'],
    lists: {
      types: { most: 20, largest: 'x'.repeat(60) },
      'secret.dataKey': secret.dataKey,
      'secret.sealed': secret.sealed,
      'previousSecret.dataKey': secret.dataKey,
      'previousSecret.sealed': secret.sealed,
    },
  },
];
