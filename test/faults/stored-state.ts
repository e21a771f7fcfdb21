import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { coverageOf } from '#domain/decision/coverage.ts';
import { never } from '#domain/decision/dates.ts';
import { heldOn } from '#domain/decision/held.ts';
import { entriesOf, type FeedEntry, feedRun } from '#domain/events/feed.ts';
import { eventPrefix, type OutboxEvent, outboxEvent, outboxKeys } from '#domain/events/stored.ts';
import { simulatedKeys } from '#domain/registry/simulated-record.ts';
import { partitionOf } from '#domain/registry-records/stored.ts';
import { recordsAmong } from '#domain/registry-records/stored-records.ts';
import { type QueuedDelivery, queuedDelivery } from '#domain/webhooks/stored.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { everyItem } from '../support/every-item.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';

type Item = Readonly<Record<string, unknown>>;

/** What the tables hold, read past the API: what it keeps to itself counts too. */
export interface StoredState {
  readonly events: readonly (OutboxEvent & { readonly isPublished: boolean; readonly sequence?: number })[];
  /** Entries of the organizations' feeds of events. */
  readonly feed: readonly (FeedEntry & { readonly upstreamEntityId: string })[];
  readonly deliveries: readonly QueuedDelivery[];
  /** Compliance changes that are still to be reported, by owner and NPN. */
  readonly openWindows: readonly string[];
  readonly associations: readonly Item[];
  readonly documents: readonly Item[];
  readonly webhooks: readonly Item[];
  readonly filings: readonly Item[];
  /** Messages of the filings' escalations. */
  readonly messages: readonly Item[];
  readonly agents: readonly Item[];
  readonly policies: readonly Item[];
  /** Transactions of the policies. */
  readonly transactions: readonly Item[];
  readonly licenses: readonly Item[];
  /** Everything that is stored of holders: what was recorded in turn, heads, what is held. */
  readonly holders: readonly Item[];
  /** What operators set of the simulated registry. */
  readonly simulatedRecords: readonly Item[];
  readonly agencies: readonly Item[];
  /** First polls of the registry that are not made yet, by NPN and owner. */
  readonly firstPolls: readonly string[];
  /** Agencies whose copies may differ from them. */
  readonly copying: readonly string[];
}

async function scan(database: DynamoDBClient, name: string): Promise<Item[]> {
  return everyItem(database, await physicalName(database, name));
}

/** The licenses of holders, as lists show them today, with the partitions of their holders. */
const licensesAmong = (holders: readonly Item[]): Item[] =>
  Array.from(
    Map.groupBy(holders, ({ pk }) => pk),
    ([pk, items]) =>
      heldOn(coverageOf(recordsAmong(items), never), newYorkDate(new Date())).licenses.map(({ row }) => ({
        pk,
        ...row,
      })),
  ).flat();

const isUnder = (part: string) => (item: Item) => String(item['pk']).includes(part);

export async function readState(): Promise<StoredState> {
  const database = runDatabase();
  const names = [
    'outbox',
    'webhooks',
    'compliance',
    'associations',
    'file-documents',
    'filings',
    'agents',
    'downstream-entities',
    'registry-records',
    'policies',
  ];
  const [
    outbox,
    webhookItems,
    compliance,
    associationItems,
    documents,
    filingItems,
    agentItems,
    agencyItems,
    registryItems,
    policyItems,
  ] = await Promise.all(names.map((name) => scan(database, name)));
  const feed = (outbox ?? [])
    .filter(({ pk, sk }) => String(pk).endsWith('#FEED') && sk !== 'COUNTER')
    .flatMap((item) =>
      entriesOf(z.parse(feedRun, item)).map((entry) => ({
        ...entry,
        upstreamEntityId: String(item['pk']).slice(0, 24),
      })),
    );
  const numbers = new Map(feed.map(({ eventId, sequence }) => [eventId, sequence]));
  const keys = new Set((outbox ?? []).map(({ pk, sk }) => `${pk} ${sk}`));
  return {
    events: (outbox ?? [])
      .filter(({ sk }) => String(sk).startsWith(eventPrefix))
      .map((item) => {
        const event = z.parse(outboxEvent, item);
        const { pk, sk } = outboxKeys.unpublished(event);
        const sequence = numbers.get(event.eventId);
        return {
          ...event,
          isPublished: !keys.has(`${pk} ${sk}`),
          ...(sequence === undefined ? {} : { sequence }),
        };
      }),
    feed,
    deliveries: (webhookItems ?? [])
      .filter(isUnder('#DELIVERY#'))
      .map((item) => z.parse(queuedDelivery, item)),
    openWindows: (compliance ?? []).filter(isUnder('#CHANGE')).map(({ pk, sk }) => `${pk} ${sk}`),
    associations: (associationItems ?? []).filter(({ pk }) => String(pk).endsWith('#ASSOCIATION')),
    documents: (documents ?? []).filter(({ pk }) => String(pk).endsWith('#DOCUMENT')),
    webhooks: (webhookItems ?? []).filter(({ pk }) => String(pk).endsWith('#WEBHOOK')),
    filings: (filingItems ?? []).filter(({ sk }) => sk === 'FILING'),
    messages: (filingItems ?? []).filter(({ sk }) => String(sk).startsWith('MESSAGE#')),
    agencies: (agencyItems ?? []).filter(({ pk }) => String(pk).startsWith('ENTITY#')),
    firstPolls: (registryItems ?? [])
      .filter(({ sk }) => String(sk).startsWith('FIRST#'))
      .map(({ pk, sk }) => `${pk} ${sk}`),
    copying: (agencyItems ?? [])
      .filter(({ hasOldCopies }) => hasOldCopies === true)
      .map(({ pk }) => String(pk)),
    policies: (policyItems ?? []).filter(({ pk }) => String(pk).endsWith('#POLICY')),
    transactions: (policyItems ?? []).filter(isUnder('#TRANSACTION#')),
    licenses: licensesAmong((registryItems ?? []).filter(isUnder(partitionOf('', '')))),
    holders: (registryItems ?? []).filter(isUnder(partitionOf('', ''))),
    simulatedRecords: (registryItems ?? []).filter(isUnder(simulatedKeys.record('').pk)),
    agents: (agentItems ?? []).filter(({ pk }) => String(pk).endsWith('#AGENT')),
  };
}
