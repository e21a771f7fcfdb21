import { webhookTypes } from '#domain/events/payloads.ts';
import { derivedEventId, internalTypes } from '#domain/events/stored.ts';
import { type Delivered, type EventReceiver, sameJson } from '../support/event-receiver.ts';
import { contradictionsOfFilings } from './checks-of-filings.ts';
import { contradictionsOfImports } from './checks-of-imports.ts';
import { markOfFile } from './filings.ts';
import type { Done, Kind } from './operations.ts';
import type { Carrier } from './organizations.ts';
import type { StoredState } from './stored-state.ts';

type Data = Readonly<Record<string, unknown>>;

const emitted = new Set<string>(webhookTypes);

/** What is still on its way; nothing when all that was written is with its receivers. */
export function unfinished(
  { events, deliveries, openWindows, firstPolls, webhooks }: StoredState,
  carriers: readonly Carrier[],
): string[] {
  const arrived = new Set(
    deliveries
      .filter(({ status }) => status === 'succeeded')
      .map(({ eventId, webhookId }) => `${eventId} ${webhookId}`),
  );
  const kept = new Set(webhooks.map(({ _id }) => _id));
  const webhookOf = new Map(carriers.map(({ organizationId, webhookId }) => [organizationId, webhookId]));
  return [
    ...events
      .filter(({ isPublished }) => !isPublished)
      .map(({ eventId }) => `event ${eventId} is not published`),
    ...events
      .filter(({ type, eventId, upstreamEntityId }) => {
        const webhookId = webhookOf.get(upstreamEntityId);
        return emitted.has(type) && webhookId !== undefined && !arrived.has(`${eventId} ${webhookId}`);
      })
      .map(({ type, eventId }) => `${type} ${eventId} is not delivered`),
    ...openWindows.map((window) => `the window ${window} is open`),
    ...firstPolls.map((poll) => `the first poll ${poll} is not made`),
    ...deliveries
      // One without attempts is what a fan-out that broke off had written: it expires, and nobody can see it.
      .filter(
        ({ webhookId, nextAttemptAt, attempts }) =>
          nextAttemptAt !== null && attempts.length > 0 && !kept.has(webhookId),
      )
      .map(({ _id, webhookId }) => `the delivery ${_id} of the deleted webhook ${webhookId} waits`),
  ];
}

const groups = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> => {
  const found = new Map<string, Item[]>();
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item]);
  return found;
};

/** How often an operation of this kind may show, done as it was: once where it was acknowledged, at most once else. */
const isRight = (count: number, { outcome }: Done): boolean =>
  count === 1 || (count === 0 && outcome.status >= 300);

const isAcknowledged = ({ outcome }: Done): boolean => outcome.status >= 200 && outcome.status < 300;

/** How many invited associations an organization can have with a shared agency (OpenAPI, "addAssociation"). */
const mostInvited = 3;

/** Whether a carrier had as many invited associations with an agency as it may have: nothing accepts them here. */
const isRefusedRightly = (
  { kind, carrier, subject, outcome }: Done,
  { associations }: StoredState,
): boolean =>
  kind === 'join' &&
  outcome.status === 403 &&
  associations.filter(
    ({ upstreamEntityId, downstreamEntityId, status }) =>
      upstreamEntityId === carrier.organizationId && downstreamEntityId === subject && status === 'invited',
  ).length === mostInvited;

/**
 * Every way in which what is stored and what was received does not fit what was done: changes without their event, events
 * without their change, second events of one change, operations done twice, numbers that are missing.
 */
export function contradictions(
  done: readonly Done[],
  state: StoredState,
  carriers: readonly Carrier[],
  receiver: EventReceiver,
): string[] {
  const found: string[] = [];
  const expect = (holds: boolean, otherwise: string): void => {
    if (!holds) found.push(otherwise);
  };
  const { events } = state;
  const ofType = (type: string) => events.filter((event) => event.type === type);
  const ofKind = (...kinds: Kind[]) => done.filter(({ kind }) => kinds.includes(kind));
  /** Marks in a payload's member, each with how many events carry it. */
  const marksIn = (type: string, markOf: (payload: Data) => unknown) =>
    groups(ofType(type), ({ payload }) => String(markOf(payload as Data)));

  for (const one of done) {
    expect(
      isAcknowledged(one) || isRefusedRightly(one, state),
      `${one.mark} was answered ${one.outcome.status} after ${one.outcome.tries} tries`,
    );
  }

  // Agencies that were added: one association each, and one event of each.
  const created = marksIn('DOWNSTREAM_ENTITY_CREATED', ({ externalId }) => externalId);
  const added = groups(state.associations, ({ externalId }) => String(externalId));
  for (const one of ofKind('add', 'join', 'invite')) {
    expect(
      isRight(added.get(one.mark)?.length ?? 0, one),
      `${one.mark} made ${added.get(one.mark)?.length ?? 0} associations`,
    );
    expect(
      created.get(one.mark)?.length === added.get(one.mark)?.length,
      `${one.mark}: ${created.get(one.mark)?.length ?? 0} events of ${added.get(one.mark)?.length ?? 0} associations`,
    );
    if (isAcknowledged(one)) {
      expect(
        created.get(one.mark)?.[0]?.entityId === one.subject,
        `${one.mark} answered another id than its event has`,
      );
    }
  }
  const additions = new Set(ofKind('add', 'join', 'invite', 'associations').map(({ mark }) => mark));
  for (const mark of created.keys()) expect(additions.has(mark), `an event says that ${mark} was added`);

  // Codes that were changed: each has its one event, and the last one stands.
  const updated = marksIn('DOWNSTREAM_ENTITY_UPDATED', ({ externalId }) => externalId);
  for (const one of ofKind('patch')) {
    expect(
      isRight(updated.get(one.mark)?.length ?? 0, one),
      `${one.mark} has ${updated.get(one.mark)?.length ?? 0} events`,
    );
  }
  const patches = groups(ofKind('patch'), ({ mark }) => mark);
  for (const mark of updated.keys()) expect(patches.has(mark), `an event says that ${mark} was changed`);
  for (const association of state.associations) {
    const changes = ofType('DOWNSTREAM_ENTITY_UPDATED').filter(
      ({ entityId }) => entityId === association['_id'],
    );
    const last = changes.reduce<(typeof changes)[number] | undefined>(
      (one, other) => ((other.sequence ?? 0) > (one?.sequence ?? 0) ? other : one),
      undefined,
    );
    if (last === undefined) continue;
    expect(
      (last.payload as Data)['externalId'] === association['externalId'],
      `${String(association['_id'])} is ${String(association['externalId'])}, and its last event says ${String((last.payload as Data)['externalId'])}`,
    );
  }

  // Copies of agencies, and what finds associations by them.
  const agencies = new Map(state.agencies.map((one) => [one['_id'], one]));
  for (const { _id, upstreamEntityId, downstreamEntityId, agency, npnKey } of state.associations) {
    const copied = agency as Data;
    const original = agencies.get(downstreamEntityId);
    for (const field of ['npn', 'legalName', 'downstreamOrganizationId', 'isDeleted']) {
      expect(
        original !== undefined && copied[field] === original[field],
        `${String(_id)} has ${field} ${String(copied[field])}, and its agency ${String(original?.[field])}`,
      );
    }
    const found =
      original?.['npn'] == null ? undefined : `${String(upstreamEntityId)}#${String(original['npn'])}`;
    expect(npnKey === found, `${String(_id)} is found by ${String(npnKey)} instead of ${String(found)}`);
  }
  for (const agency of state.copying) found.push(`${agency} may have old copies`);

  // Files: one document each, and one event of each.
  const uploaded = marksIn('DOCUMENT_UPLOADED', ({ fileName }) => markOfFile(fileName));
  const documents = groups(
    state.documents.flatMap(({ versions, pending }) => [
      ...(versions as Data[]).map(({ fileName }) => markOfFile(fileName)),
      ...(pending === undefined ? [] : [markOfFile((pending as Data)['fileName'])]),
    ]),
    (mark) => mark,
  );
  for (const one of ofKind('upload', 'announce', 'document')) {
    expect(
      isRight(documents.get(one.mark)?.length ?? 0, one),
      `${one.mark} made ${documents.get(one.mark)?.length ?? 0} documents`,
    );
    expect(
      isRight(uploaded.get(one.mark)?.length ?? 0, one),
      `${one.mark} has ${uploaded.get(one.mark)?.length ?? 0} events`,
    );
  }
  const uploads = new Set(ofKind('upload', 'announce', 'document').map(({ mark }) => mark));
  for (const mark of uploaded.keys()) expect(uploads.has(mark), `an event says that ${mark} was uploaded`);

  // Synchronizations: each job that was acknowledged has the event that follows from it.
  const known = new Set(events.map(({ eventId }) => eventId));
  for (const { outcome, mark } of ofKind('sync').filter(isAcknowledged)) {
    const { registryDataSubscriptionId, entityInfo } = outcome.data as {
      registryDataSubscriptionId: string;
      entityInfo: { jobId: string };
    };
    const eventId = derivedEventId('synchronized', registryDataSubscriptionId, entityInfo.jobId);
    expect(known.has(eventId), `${mark} was accepted, and its event never emitted`);
  }

  for (const carrier of carriers) {
    const own = done.filter((one) => one.carrier === carrier);
    // Configs: as many events as replacements.
    const replacements = own.filter(({ kind }) => kind === 'config');
    const inputs = ofType('COMPLIANCE_INPUTS_CHANGED').filter(
      ({ upstreamEntityId, entityId }) =>
        upstreamEntityId === carrier.organizationId && entityId === carrier.productId,
    );
    expect(
      inputs.length >= replacements.filter(isAcknowledged).length && inputs.length <= replacements.length,
      `${replacements.length} replacements of ${carrier.productId} have ${inputs.length} events`,
    );
    // Secrets: changed as many times as asked for.
    const rotations = own.filter(({ kind }) => kind === 'rotate');
    const version = Number(state.webhooks.find(({ _id }) => _id === carrier.webhookId)?.['version']) - 1;
    expect(
      version >= rotations.filter(isAcknowledged).length && version <= rotations.length,
      `${rotations.length} rotations changed ${carrier.webhookId} ${version} times`,
    );
    const got = receiver.deliveredTo(carrier.path);
    found.push(...receiptsAgainst(carrier, state, got), ...feedAgainst(carrier, state));
  }

  found.push(...contradictionsOfFilings(done, state, carriers), ...contradictionsOfImports(done, state));

  // Internal events have numbers, too, which nobody shows.
  const inFeed = events.filter(({ type }) => !new Set<string>(internalTypes).has(type));
  for (const [key, ofOne] of groups(inFeed, ({ pk, type }) => `${type} of ${pk}`)) {
    const numbers = ofOne.map(({ sequence }) => sequence ?? 0).sort((one, other) => one - other);
    expect(
      numbers.every((number, index) => number === index + 1),
      `${key} are numbered ${numbers.join(', ')}`,
    );
  }
  return found;
}

/** What a carrier's receiver got against what was emitted: each event at least once, the same each time, and no other. */
function receiptsAgainst(carrier: Carrier, { events }: StoredState, got: readonly Delivered[]): string[] {
  const own = events.filter(
    ({ upstreamEntityId, type }) => upstreamEntityId === carrier.organizationId && emitted.has(type),
  );
  const delivered = groups(got, ({ event }) => event.eventId);
  const ids = new Set(own.map(({ eventId }) => eventId));
  return [
    ...own.flatMap(({ eventId, type, sequence, payload, occurredAt }) => {
      const times = delivered.get(eventId);
      if (times === undefined) return [`${type} ${eventId} is lost`];
      const bodies = new Set(times.map(({ body }) => body));
      const event = times[0]?.event;
      const isSame =
        bodies.size === 1 &&
        event?.webhookType === type &&
        event.sequence === sequence &&
        event.occurredAt === occurredAt &&
        sameJson(event.payload, payload);
      return isSame ? [] : [`${type} ${eventId} arrived as another event`];
    }),
    ...Array.from(delivered.keys())
      .filter((eventId) => !ids.has(eventId))
      .map((eventId) => `an event ${eventId} arrived that was never written`),
  ];
}

/** A carrier's feed against what was emitted: each event at one position, from 1 without gaps, each type of an entity in order. */
function feedAgainst({ organizationId }: Carrier, { events, feed }: StoredState): string[] {
  const isOwn = ({ upstreamEntityId }: { readonly upstreamEntityId: string }) =>
    upstreamEntityId === organizationId;
  const entries = feed.filter(isOwn).sort((one, other) => one.position - other.position);
  const placed = groups(entries, ({ eventId }) => eventId);
  return [
    ...events
      .filter((event) => isOwn(event) && emitted.has(event.type) && placed.get(event.eventId)?.length !== 1)
      .map(
        ({ type, eventId }) => `${type} ${eventId} is ${placed.get(eventId)?.length ?? 0} times in the feed`,
      ),
    ...entries.flatMap(({ position, type }, index) =>
      position === index + 1 && emitted.has(type)
        ? []
        : [`the feed has ${type} at ${position}, after ${index}`],
    ),
    ...Array.from(groups(entries, ({ entityId, type }) => `${type} of ${entityId}`)).flatMap(
      ([key, ofOne]) =>
        ofOne.every(({ sequence }, index) => sequence === index + 1)
          ? []
          : [`${key} are in the feed in another order than their numbers`],
    ),
  ];
}
