import * as z from 'zod/mini';
import { coverageOf } from '#domain/decision/coverage.ts';
import { never } from '#domain/decision/dates.ts';
import { recordsOnDay } from '#domain/decision/held.ts';
import { entriesOf, feedRun } from '#domain/events/feed.ts';
import { eventPrefix, outboxEvent, outboxKeys } from '#domain/events/stored.ts';
import { partitionOf } from '#domain/registry-records/stored.ts';
import { recordsAmong } from '#domain/registry-records/stored-records.ts';
import { queuedDelivery } from '#domain/webhooks/stored.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { everyItem } from '../support/every-item.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';
import type { Data } from './client.ts';

export type StoredState = Awaited<ReturnType<typeof readState>>;

const isUnder = (part: string) => (item: Data) => String(item['pk']).includes(part);

/** Items of each holder, by its partition. */
export const holdersAmong = (items: readonly Data[]): [pk: string, items: Data[]][] => [
  ...Map.groupBy(items.filter(isUnder(partitionOf('', ''))), ({ pk }) => String(pk)),
];

/** Content of the tables, read past the API: what it keeps to itself counts too. */
export async function readState() {
  const database = runDatabase();
  const scan = async (name: string): Promise<Data[]> =>
    everyItem(database, await physicalName(database, name));
  const [outbox, webhookItems, compliance, associations, documents, filings, agents, holders, policies] =
    await Promise.all([
      scan('outbox'),
      scan('webhooks'),
      scan('compliance'),
      scan('associations'),
      scan('file-documents'),
      scan('filings'),
      scan('agents'),
      scan('registry-records'),
      scan('policies'),
    ]);
  database.destroy();
  const feed = outbox
    .filter(({ pk, sk }) => String(pk).endsWith('#FEED') && sk !== 'COUNTER')
    .flatMap((item) => {
      const owner = String(item['pk']).split('#')[0];
      return entriesOf(z.parse(feedRun, item)).map((entry) => ({ ...entry, upstreamEntityId: owner }));
    });
  const sequences = new Map(feed.map(({ eventId, sequence }) => [eventId, sequence]));
  const keys = new Set(outbox.map(({ pk, sk }) => `${pk} ${sk}`));
  const events = outbox
    .filter(({ sk }) => String(sk).startsWith(eventPrefix))
    .map((item) => {
      const event = z.parse(outboxEvent, item);
      const { pk, sk } = outboxKeys.unpublished(event);
      return { ...event, isPublished: !keys.has(`${pk} ${sk}`), sequence: sequences.get(event.eventId) };
    });
  return {
    events,
    /** Entries of the organizations' feeds of events. */
    feed,
    deliveries: webhookItems.filter(isUnder('#DELIVERY#')).map((item) => z.parse(queuedDelivery, item)),
    /** Compliance changes that are still to be reported. */
    openWindows: compliance.filter(isUnder('#CHANGE')),
    /** First polls of the registry that are not made yet. */
    firstPolls: holders.filter(({ sk }) => String(sk).startsWith('FIRST#')),
    associations: associations.filter(({ pk }) => String(pk).endsWith('#ASSOCIATION')),
    documents: documents.filter(({ pk }) => String(pk).endsWith('#DOCUMENT')),
    messages: filings.filter(({ sk }) => String(sk).startsWith('MESSAGE#')),
    agents: agents.filter(({ pk }) => String(pk).endsWith('#AGENT')),
    transactions: policies.filter(isUnder('#TRANSACTION#')),
    holders,
    /** Licenses as lists show them. */
    licenses: holdersAmong(holders).flatMap(([, items]) =>
      recordsOnDay(coverageOf(recordsAmong(items), never), newYorkDate(new Date())).licenses.map(
        ({ row }) => row,
      ),
    ),
  };
}
