import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { retry } from '../../platform/aws/transient-errors.ts';
import { object } from '../../platform/contract/object.ts';
import { absentOr, oneOf } from '../../platform/data/expressions.ts';
import { isDeepStrictEqual } from '../../platform/data/json.ts';
import { parseIfStored, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { listKinds, type Recording } from '../decision/facts.ts';
import { type Command, type Lists, recordLists } from '../decision/record.ts';
import type { EventItems } from '../events/transaction-items.ts';
import type { RegistryReport, UnreadRow } from '../registry/registry.ts';
import { type Appointment, regulatoryAction } from '../registry/resources.ts';
import {
  type AdditionalItems,
  createHolderFacts,
  type HolderChange,
  importTime,
  noChange,
  pollTime,
  type StoredHolder,
} from './holder-facts.ts';
import type { StoredItem } from './present-items.ts';
import { type RegistryDataSubscription, registryDataSubscription } from './resources.ts';
import { setAsideItems, unreadRows } from './set-aside.ts';
import { registryKeys, regulatoryActionIdOf } from './stored.ts';
import {
  type ActionToRecord,
  mostNotFound,
  type RecordedLicense,
  type Recorder,
  type StoredFacts,
  type Visits,
} from './stored-facts.ts';

/** What is read of a subscription when its records are brought up to date. */
type Subscriber = Pick<RegistryDataSubscription, '_id' | 'dataOwnerId' | 'dataOwnerModel' | 'npn'>;

/** An owner's records of an NPN, by sort key: all kinds are one partition. */
export type StoredRecords = ReadonlyMap<string, StoredItem>;

/** Brings a subscriber's records up to date with what the registry reports: the one way in which it is done. */
export type SubscriberRecords = ReturnType<typeof createSubscriberRecords>;

export function createSubscriberRecords(table: Table, now: () => Date) {
  const holderFacts = createHolderFacts(table, now);
  return {
    /**
     * Records what the report says otherwise than what is recorded, and what its lists leave out, as one poll with a time of its
     * own. A list that is undefined says nothing, and regulatory actions that are not reported stay. A row that cannot be read is
     * set aside, and its list ends nothing in its state.
     * @param asked when the registry was asked, and by which command, where that is not now. What it said before a visit that is
     *   recorded says nothing.
     * @returns whether licenses or appointments were written, the regulatory actions as they are now, with what was reported, how
     *   many rows are set aside that were not, and when the registry was asked later, if it was.
     * @throws TransactionContention when other writers were faster each time; what the guard or the last items are refused with.
     */
    async apply(
      subscriber: Subscriber,
      report: RegistryReport,
      {
        by,
        isSilent,
        asked,
        ...accompaniment
      }: Recorder &
        AdditionalItems & { readonly asked?: { readonly commandId: string; readonly at: string } },
    ) {
      const { dataOwnerId: owner, npn } = subscriber;
      let setAside = 0;
      let askedLater: string | undefined;
      const decide = (stored: StoredHolder): HolderChange => {
        const at = now();
        const command =
          asked === undefined
            ? { commandId: randomUUID(), commandAt: pollTime(stored.facts, at), by }
            : commandOf({ commandId: asked.commandId, commandAt: asked.at, by }, stored.facts);
        const last = lastVisit(stored.facts.visits);
        askedLater = asked !== undefined && last > command.commandAt ? last : undefined;
        if (askedLater !== undefined) return noChange;
        const rows = report.setAside ?? [];
        const { licenses = [], appointments = [] } = report;
        const unread = unreadRows(rows, stored.facts, [...licenses, ...appointments]);
        const before = asked === undefined ? stored.facts : knownThen(stored.facts, command);
        const actions = actionsOf(subscriber, report, stored, command, at);
        const stated = actions.map((action) => ({ ...action, by, recordedAt: at.toISOString() }));
        const lists = recordLists(
          { ...before, actions: [...before.actions, ...stated] },
          { ...listsOf(subscriber, report, at), unread },
          command,
        );
        setAside = lists.unread.length;
        return {
          ...lists,
          actions,
          visits: visitsAfter(stored.facts, report, command, unread),
          setAside: setAside === 0 ? [] : setAsideItems({ owner, npn }, rows, { by, at }),
        };
      };
      const recorded = await holderFacts.record({ owner, npn }, { by, isSilent }, decide, accompaniment);
      return { ...recorded, setAside, askedLater };
    },
  };
}

const commandOf = (command: Command, facts: StoredFacts): Command => ({
  ...command,
  commandAt: importTime(facts, command),
});

/** What was known by a command, though more was recorded since. */
function knownThen(facts: StoredFacts, { commandAt: at }: Command): StoredFacts {
  const by = <One extends Recording>(all: readonly One[]): One[] =>
    all.filter(({ commandAt }) => commandAt <= at);
  return {
    ...facts,
    licenses: by(facts.licenses),
    appointments: by(facts.appointments),
    closings: by(facts.closings),
    actions: by(facts.actions),
    unread: by(facts.unread),
    notFound: by(facts.notFound),
  };
}

/** When the registry was asked last, as far as it answered; empty where it never did. */
const lastVisit = ({ verified, notFound }: Visits): string =>
  [
    ...listKinds.flatMap((kind) => Object.values(verified[kind])),
    ...notFound.map(({ commandAt }) => commandAt),
  ].reduce<string>((last, time) => (time !== null && time > last ? time : last), '');

/** The lists of a report, with our own members: a row that changed is as new as the poll. */
function listsOf(
  { _id: registryDataSubscriptionId, npn }: Subscriber,
  { licenses, appointments }: RegistryReport,
  at: Date,
): Lists<RecordedLicense, Appointment> {
  const own = { registryDataSubscriptionId, npn, updatedAt: at.toISOString() };
  return {
    licenses: licenses?.map((license) => ({ ...license, ...own })),
    appointments: appointments?.map((appointment) => ({ ...appointment, ...own })),
  };
}

/**
 * What is known of visits after one: a list confirms all states but those of which it sets a row aside. Undefined where nothing is
 * new of it, since the registry says nothing, or still does not know the NPN.
 */
function visitsAfter(
  { visits, closings }: StoredFacts,
  report: RegistryReport,
  { commandAt, commandId, by }: Command,
  unread: readonly UnreadRow[],
): ((recordedAt: string) => Visits) | undefined {
  if (report.isNotFound === true) {
    const wasFound = closings.some((one) => one.by !== 'import');
    if (!wasFound || !visits.isFound) return undefined;
    return (recordedAt) => ({
      ...visits,
      isFound: false,
      notFound: [...visits.notFound, { commandId, commandAt, recordedAt, by }].slice(-mostNotFound),
    });
  }
  if (report.licenses === undefined && report.appointments === undefined) return undefined;
  const verified = { ...visits.verified };
  for (const kind of listKinds) {
    if (report[`${kind}s`] === undefined) continue;
    const before = visits.verified[kind];
    const states = unread.flatMap((one) => (one.kind === kind ? one.stateCode : []));
    verified[kind] = {
      ...Object.fromEntries(states.map((state) => [state, before[state] ?? before['all'] ?? null])),
      all: commandAt,
    };
  }
  return () => ({ ...visits, verified, isFound: true });
}

/** The reported actions that differ from what is stored; a stored one keeps its id and its creation. */
function actionsOf(
  { _id: registryDataSubscriptionId, dataOwnerId: owner, npn }: Subscriber,
  { actions }: RegistryReport,
  { items }: StoredHolder,
  command: Command,
  at: Date,
): ActionToRecord[] {
  const reported = new Map(actions.map((one) => [registryKeys.action(owner, { ...one, npn }).sk, one]));
  return Array.from(reported).flatMap(([sk, one]): ActionToRecord[] => {
    const known = parseIfStored(regulatoryAction, items.get(sk));
    const { stateCode, actionId } = one;
    const action = {
      _id: regulatoryActionIdOf(owner, { ...one, npn }),
      registryDataSubscriptionId,
      npn,
      ...one,
      ...(known === undefined
        ? { createdAt: at.toISOString() }
        : { _id: known._id, createdAt: known.createdAt }),
      updatedAt: at.toISOString(),
    };
    return known !== undefined && isDeepStrictEqual({ ...action, updatedAt: known.updatedAt }, known)
      ? []
      : [{ what: 'stated', stateCode, actionId, action, ...command }];
  });
}

/** The items of the event that a subscriber's records changed. Agencies have no webhooks. */
export const synchronizedEvent = (
  events: EventItems<'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED'>,
  { _id: registryDataSubscriptionId, dataOwnerId, dataOwnerModel, npn }: Subscriber,
  at: Date,
  eventId?: string,
): readonly TransactionItem[] =>
  dataOwnerModel === 'upstreamEntity'
    ? events(
        [
          {
            type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
            upstreamEntityId: dataOwnerId,
            entityId: registryDataSubscriptionId,
            payload: { registryDataSubscriptionId, npn },
            ...(eventId === undefined ? {} : { eventId }),
          },
        ],
        at,
      )
    : [];

// A visit asks the registry what it has on record for an NPN, and records the answer for a subscription. By then another visit
// may have been recorded that asked later. So each of its transactions leaves its mark on the subscription, and is refused
// unless the mark there is its own or the one that it found before it asked: what it would overwrite was asked for before.
// No clock is compared.

/** A subscription as a visit finds it. */
export const visitedSubscription = storedItem(
  'registry-records/visited-subscription',
  object(() => ({
    ...registryDataSubscription.shape,
    /** The mark of the visit that was recorded last. */
    lastVisit: z.optional(z.string()),
  })),
);

export type VisitedSubscription = z.output<typeof visitedSubscription>;

/** Another visit was recorded since this one asked, or the subscription is no longer as it was found. */
export class VisitSuperseded extends Error {
  override readonly name = 'VisitSuperseded';

  constructor() {
    super(
      'Another visit of the registry was recorded, or a synchronization began or ended, since this visit asked.',
    );
  }
}

/**
 * What each write of a visit changes of its subscription, and on which condition.
 * @param before the subscription as it was read before the registry was asked.
 */
export function newVisit({ lastVisit }: Pick<VisitedSubscription, 'lastVisit'>) {
  const own = randomUUID();
  return {
    changes: { lastVisit: own },
    condition: { lastVisit: lastVisit === undefined ? absentOr(own) : oneOf(lastVisit, own) },
  };
}

export type Visit = ReturnType<typeof newVisit>;

/** How often a visit asks; after that its job is done again, later. */
const mostQuestions = 3;

/**
 * Makes a visit, again where it is superseded.
 * @param visit reads the subscription, asks the registry, and records its answer; it gets the number of its attempt, from 1.
 * @throws VisitSuperseded when it was superseded each time; what the visit raises.
 */
export const askAgainIfSuperseded = <Result>(visit: (attempt: number) => Promise<Result>): Promise<Result> =>
  retry(visit, { attempts: mostQuestions, isRetryable: (error) => error instanceof VisitSuperseded });
