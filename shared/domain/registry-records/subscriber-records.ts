import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { retry } from '#platform/aws/transient-errors.ts';
import { object } from '#platform/contract/object.ts';
import { absentOr, oneOf } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { inOrder, isUnreadIn, recordReport } from '../decision/record.ts';
import type { Recording } from '../decision/records.ts';
import { isSameRow } from '../decision/rows.ts';
import type { EventItems } from '../events/transaction-items.ts';
import type { RegistryReport, UnreadableRow } from '../registry/registry.ts';
import type { RegulatoryAction } from '../registry/resources.ts';
import {
  type AdditionalItems,
  createHolderRecords,
  type HolderChange,
  noChange,
  type StoredHolder,
} from './holder-records.ts';
import { type RegistryDataSubscription, registryDataSubscription } from './resources.ts';
import { regulatoryActionIdOf } from './stored.ts';
import { actionsOf, type Recorder, type StoredRecords } from './stored-records.ts';
import { unreadableItems } from './unreadable-rows.ts';

/** What is read of a subscription when its records are brought up to date. */
type Subscriber = Pick<RegistryDataSubscription, '_id' | 'dataOwnerId' | 'dataOwnerModel' | 'npn'>;

/** Brings a subscriber's records up to date with what the registry reports: the one way in which it is done. */
export type SubscriberRecords = ReturnType<typeof createSubscriberRecords>;

export function createSubscriberRecords(table: Table, now: () => Date) {
  const { record } = createHolderRecords(table, now);
  return {
    /**
     * Records what the registry reports. A list that is undefined says nothing; a statement with a row that cannot be read is not
     * complete.
     * @param asked when the registry was asked, with an id, where that is not now.
     * @returns whether licenses or appointments changed, the regulatory actions as they are now, with what was reported of them, and
     *   how many rows cannot be read, of kinds and states of which the last report could be.
     * @throws TransactionContention when other writers were faster each time; what the guard or the last items are refused with.
     */
    async apply(
      subscriber: Subscriber,
      report: RegistryReport,
      {
        isSilent,
        asked,
        ...accompaniment
      }: Recorder & AdditionalItems & { readonly asked?: Omit<Recording, 'by'> },
    ) {
      const { dataOwnerId: owner, npn } = subscriber;
      const { licenses, appointments, actions, unreadable = [], isNotFound = false } = report;
      const isSaid = isNotFound || (licenses ?? appointments ?? actions) !== undefined;
      const visit = { id: randomUUID(), at: now() };
      const decide = (stored: StoredHolder): HolderChange & { readonly newlyUnreadable: number } => {
        if (!isSaid) return { ...noChange, newlyUnreadable: 0 };
        const at = now();
        const change = recordReport(stored.records, {
          ...(asked ?? {
            id: visit.id,
            at: timeAmong(stored.records, visit.at),
            recordedAt: at.toISOString(),
          }),
          isFound: !isNotFound,
          ...rowsOf(subscriber, report, stored, at),
          unread: unreadable,
        });
        const newlyUnreadable = unreadable.filter((row) => !isUnread(stored.records, row)).length;
        return {
          ...change,
          newlyUnreadable,
          unreadable: newlyUnreadable === 0 ? [] : unreadableItems({ owner, npn }, unreadable, at),
        };
      };
      const { change, ...recorded } = await record({ owner, npn }, { isSilent }, decide, accompaniment);
      return { ...recorded, newlyUnreadable: change.newlyUnreadable };
    },
  };
}

/** The time of a visit: later than those that were recorded before, however clocks differ. */
function timeAmong({ reports }: StoredRecords, now: Date): string {
  const last = Math.max(...reports.map(({ at }) => Date.parse(at)));
  return new Date(Math.max(now.getTime(), last + 1)).toISOString();
}

/** Whether the last report of a kind had a row there already that could not be read. */
function isUnread({ reports }: StoredRecords, { kind, stateCode }: UnreadableRow): boolean {
  const last = inOrder(reports.filter(({ isFound, kinds }) => isFound && kinds.includes(kind))).at(-1);
  return last !== undefined && isUnreadIn(last.unread, kind, stateCode);
}

/** The rows of a report, with our own members: a row that changed is as new as the report. */
function rowsOf(
  { _id: registryDataSubscriptionId, dataOwnerId: owner, npn }: Subscriber,
  { licenses, appointments, actions }: RegistryReport,
  stored: StoredHolder,
  at: Date,
) {
  const knownActions = new Map(
    actionsOf(stored.coverage).map((one) => [`${one.stateCode} ${one.actionId}`, one]),
  );
  const updatedAt = at.toISOString();
  const own = { registryDataSubscriptionId, npn, updatedAt };
  return {
    licenses: licenses?.map((license) => ({ ...license, ...own })),
    appointments: appointments?.map((appointment) => ({ ...appointment, ...own })),
    actions: actions?.map((reported): RegulatoryAction => {
      const named = { ...reported, npn };
      const known = knownActions.get(`${named.stateCode} ${named.actionId}`);
      const { _id = regulatoryActionIdOf(owner, named), createdAt = updatedAt } = known ?? {};
      const action = { _id, ...reported, ...own, createdAt };
      return known !== undefined && isSameRow(action, known)
        ? { ...action, updatedAt: known.updatedAt }
        : action;
    }),
  };
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
