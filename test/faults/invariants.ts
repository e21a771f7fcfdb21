import { isDeepStrictEqual } from 'node:util';
import { coverageOf } from '#domain/decision/coverage.ts';
import { never } from '#domain/decision/dates.ts';
import { webhookTypes } from '#domain/events/payloads.ts';
import { internalTypes } from '#domain/events/stored.ts';
import { partitionOf } from '#domain/registry-records/stored.ts';
import { headItems, recordsAmong } from '#domain/registry-records/stored-records.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { type EventReceiver, sameJson } from '../support/event-receiver.ts';
import type { Carrier } from './carriers.ts';
import type { Data } from './client.ts';
import type { Done } from './operations.ts';
import { holdersAmong, type StoredState } from './stored-state.ts';

const sentTypes = new Set<string>(webhookTypes);

/** Work that is still on its way. */
export function unfinished(
  { events, deliveries, openWindows, firstPolls }: StoredState,
  carriers: readonly Carrier[],
): string[] {
  const succeeded = deliveries.filter(({ status }) => status === 'succeeded');
  const arrived = new Set(succeeded.map(({ eventId, webhookId }) => `${eventId} ${webhookId}`));
  const webhookOf = new Map(carriers.map(({ organizationId, webhookId }) => [organizationId, webhookId]));
  return [
    ...events.filter(({ isPublished }) => !isPublished).map(({ eventId }) => `${eventId} is not published`),
    ...events
      .filter(({ type, eventId, upstreamEntityId }) => {
        const webhookId = webhookOf.get(upstreamEntityId);
        return sentTypes.has(type) && webhookId !== undefined && !arrived.has(`${eventId} ${webhookId}`);
      })
      .map(({ type, eventId }) => `${type} ${eventId} is not delivered`),
    ...[...openWindows, ...firstPolls].map(({ pk, sk }) => `${pk} ${sk} is open`),
  ];
}

/** Number of items by name. */
function tally<Item>(items: readonly Item[], nameOf: (item: Item) => unknown): (name: string) => number {
  const groups = Map.groupBy(items, (item) => String(nameOf(item)));
  return (name) => groups.get(name)?.length ?? 0;
}

type Trace = readonly [what: string, countOf: (done: Done) => number];

/** What each change leaves exactly once: records and events. */
function tracesOf(state: StoredState): Readonly<Record<Done['kind'], readonly Trace[]>> {
  const ofType = (type: RegExp) => state.events.filter((event) => type.test(event.type));
  const marked = (items: readonly Data[], member: string, what: string): Trace => {
    const count = tally(items, (item) => item[member]);
    return [what, ({ mark }) => count(mark)];
  };
  const about = (type: RegExp): Trace => {
    const count = tally(ofType(type), ({ entityId }) => entityId);
    return ['events', ({ subject }) => count(subject)];
  };
  const saying = (type: RegExp, textOf: (payload: Data) => unknown): Trace => {
    const count = tally(ofType(type), ({ payload }) => textOf(payload as Data));
    return ['events', ({ mark }) => count(mark)];
  };
  const textOfFile = ({ fileName }: Data) => String(fileName).replace(/\.pdf$/, '');
  const versions = state.documents.flatMap((document) => document['versions'] as Data[]);
  const files = tally(versions, textOfFile);
  const configured = about(/^COMPLIANCE_INPUTS_CHANGED$/);
  const synchronized = tally(state.events, ({ eventId }) => eventId);
  return {
    add: [
      about(/^DOWNSTREAM_ENTITY_CREATED$/),
      saying(/^DOWNSTREAM_ENTITY_CREATED$/, ({ externalId }) => externalId),
    ],
    patch: [saying(/^DOWNSTREAM_ENTITY_UPDATED$/, ({ externalId }) => externalId)],
    upload: [['documents', ({ mark }) => files(mark)], saying(/^DOCUMENT_UPLOADED$/, textOfFile)],
    reply: [marked(state.messages, 'body', 'messages')],
    config: [configured],
    sync: [['events', ({ subject }) => synchronized(subject)]],
    sweep: [saying(/^AGENT_LICENSE_EXPIR/, ({ licenseNumber }) => licenseNumber)],
    agents: [marked(state.agents, 'lastName', 'agents'), about(/^AGENT_CREATED$/)],
    associations: [
      marked(state.associations, 'externalId', 'associations'),
      about(/^DOWNSTREAM_ENTITY_CREATED$/),
    ],
    licenses: [marked(state.licenses, 'licenseNumber', 'licenses'), configured],
    transactions: [marked(state.transactions, 'uniqueTransactionId', 'transactions')],
  };
}

/** Changes that were not acknowledged, that left nothing, or that left something twice. */
export function lostOrDoubled(done: readonly Done[], state: StoredState): string[] {
  const traces = tracesOf(state);
  return done.flatMap((change) => {
    const { kind, mark, outcome } = change;
    const wrong = traces[kind].flatMap(([what, countOf]) => {
      const count = countOf(change);
      return count === 1 ? [] : [`${mark} has ${count} ${what}`];
    });
    return outcome.isAcknowledged ? wrong : [...wrong, `${mark} was answered ${outcome.status}`];
  });
}

/** Associations that are not as the last event of a change says: a change was lost to another. */
export function lostToOthers({ associations, events }: StoredState): string[] {
  const patches = events.filter(({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED');
  const last = new Map(
    patches
      .sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0))
      .map(({ entityId, payload }) => [entityId, (payload as Data)['externalId']]),
  );
  return associations
    .filter(({ _id, externalId }) => (last.get(String(_id)) ?? externalId) !== externalId)
    .map(
      ({ _id, externalId }) => `${_id} is ${externalId}, and its last event says ${last.get(String(_id))}`,
    );
}

/** What a carrier's receiver got against what was written: each event at least once, the same each time, and no other. */
export function lostOnTheWay(
  { events }: StoredState,
  { organizationId, path }: Carrier,
  receiver: EventReceiver,
): string[] {
  const received = Map.groupBy(receiver.deliveredTo(path), ({ event }) => event.eventId);
  const own = events.filter(
    (event) => event.upstreamEntityId === organizationId && sentTypes.has(event.type),
  );
  const ids = new Set(own.map(({ eventId }) => eventId));
  return [
    ...own.flatMap(({ eventId, type, sequence, payload }) => {
      const [first, ...others] = received.get(eventId) ?? [];
      if (first === undefined) return [`${type} ${eventId} is lost`];
      const { event } = first;
      const isSame =
        event.webhookType === type && event.sequence === sequence && sameJson(event.payload, payload);
      const areEqual = others.every(({ body }) => body === first.body);
      return isSame && areEqual ? [] : [`${type} ${eventId} arrived as another event`];
    }),
    ...[...received.keys()].filter((id) => !ids.has(id)).map((id) => `${id} arrived and was never written`),
  ];
}

/** Sequences and positions of feeds with gaps or repetitions, and events that are not once in their feed. */
export function gaps({ events, feed }: StoredState): string[] {
  const entries = tally(feed, ({ eventId }) => eventId);
  // Internal events have no place in a feed.
  const shown = events.filter(({ type }) => !new Set<string>(internalTypes).has(type));
  const counted = [...Map.groupBy(feed, ({ upstreamEntityId }) => `the feed of ${upstreamEntityId}`)].map(
    ([name, items]) => [name, items.map(({ position }) => position)] as const,
  );
  const inOrder = [...feed].sort((one, other) => one.position - other.position);
  const numbered = [
    ...Map.groupBy(
      inOrder,
      ({ upstreamEntityId, type, entityId }) => `${type} of ${entityId} for ${upstreamEntityId}`,
    ),
  ].map(([name, items]) => [name, items.map(({ sequence }) => sequence)] as const);
  const sorted = counted.map(([name, numbers]) => [name, numbers.sort((one, other) => one - other)] as const);
  return [
    ...shown
      .filter(({ eventId }) => entries(eventId) !== 1)
      .map(({ type, eventId }) => `${type} ${eventId} is ${entries(eventId)} times in the feed`),
    ...[...sorted, ...numbered]
      .filter(([, numbers]) => numbers.some((number, index) => number !== index + 1))
      .map(([name, numbers]) => `${name} has ${numbers.join(', ')}`),
  ];
}

/** Heads of holders that are not what their statements come to. */
export function wrongHeads({ holders }: StoredState): string[] {
  return holdersAmong(holders).flatMap(([pk, items]) => {
    const [owner = '', npn = ''] = pk.split(partitionOf('', ''));
    const coverage = coverageOf(recordsAmong(items), never);
    const folded = [...coverage.keys()].flatMap((stateCode) => {
      const state = coverage.get(stateCode);
      return state === undefined ? [] : headItems(owner, npn, stateCode, state, newYorkDate(new Date())).item;
    });
    const heads = new Map(folded.map((head) => [String(head.sk), head as Data]));
    const stored = items.filter(({ sk }) => String(sk).startsWith('HEAD#'));
    const byKey = new Map(stored.map((item) => [String(item['sk']), item]));
    return [...new Set([...heads.keys(), ...byKey.keys()])]
      .filter((sk) => !isDeepStrictEqual(byKey.get(sk), heads.get(sk)))
      .map((sk) => `${sk} of ${pk} is not what its statements come to`);
  });
}
