import {
  absentOr,
  added,
  allOf,
  below,
  type Condition,
  containing,
  not,
  type Placeholders,
  removed,
  sized,
} from '#platform/data/expressions.ts';
import type { TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { DomainError, limitReached } from '#platform/errors/domain-error.ts';
import { type AssociationsOfEntity, associationKeys, live, type StoredAssociation } from './stored.ts';

/** Entry of a carrier and an agency; undefined where the carrier has no association with it. */
type Entry = AssociationsOfEntity | undefined;

/** A change of an association, as far as the carrier's entry for the agency depends on it. */
interface EntryChange {
  readonly before: StoredAssociation | undefined;
  readonly after: StoredAssociation;
}

/** Most associations of one carrier with one shared agency that are invited: each one shows the agency a text of the carrier's. */
const mostInvited = 3;

/** Associations of one carrier with one agency at most, each a branch: one item has their ids. */
export const mostBranches = 1_000;

/** @throws DomainError `plan_limit_reached` where a carrier has as many with an agency. */
export function checkInvited(entry: Entry): void {
  const invited = entry?.invitedIds.size ?? 0;
  if (invited < mostInvited) return;
  const expected = `at most ${mostInvited} invited associations with the agency`;
  throw new DomainError('plan_limit_reached', {
    message: 'The agency has not agreed to the earlier associations yet.',
    limit: { expected, actual: String(invited) },
  });
}

/** An active association of a carrier with an agency: the proof that the agency agreed with the carrier. */
export const activeAssociationOf = (entry: Entry): string | undefined =>
  entry === undefined
    ? undefined
    : [...entry.associationIds].find((id) => !entry.invitedIds.has(id) && !entry.inactiveIds.has(id));

/** Whether the plan counts an agency: an association with it is active or invited. */
const isCounted = (entry: Entry): entry is AssociationsOfEntity =>
  entry !== undefined && entry.associationIds.size > entry.inactiveIds.size;

/** The agencies whose entry a change writes; none where neither agency nor status changes. */
export function changedEntries({ before, after }: EntryChange): string[] {
  const [was, is] = [live(before), live(after)];
  if (was?.downstreamEntityId === is?.downstreamEntityId && was?.status === is?.status) return [];
  return Array.from(new Set([was, is].flatMap((entry) => entry?.downstreamEntityId ?? [])));
}

/** A change, and the entry of one of its agencies. */
interface ChangedEntry {
  readonly change: EntryChange;
  readonly downstreamEntityId: string;
  readonly entry: Entry;
}

const statusAt = (association: StoredAssociation | undefined, downstreamEntityId: string) => {
  const found = live(association);
  return found?.downstreamEntityId === downstreamEntityId ? found.status : undefined;
};

const isCountedStatus = (status: StoredAssociation['status'] | undefined): boolean =>
  status === 'active' || status === 'invited';

/** Whether the agency is counted without this association. */
function isCountedWithout(entry: Entry, associationId: string): boolean {
  const others = [...(entry?.associationIds ?? [])].filter(
    (id) => id !== associationId && entry?.inactiveIds.has(id) !== true,
  );
  return others.length > 0;
}

/** Whether the changed association is one for which the agency is counted, before the change and after it. */
const isCountedFor = ({ before, after }: EntryChange, downstreamEntityId: string) => ({
  was: isCountedStatus(statusAt(before, downstreamEntityId)),
  is: isCountedStatus(statusAt(after, downstreamEntityId)),
});

/** Change of the count of the carrier's agencies: an agency counts once, however many branches it has. */
export function countChange(change: EntryChange, entryOf: (downstreamEntityId: string) => Entry): number {
  const changes = changedEntries(change).map((downstreamEntityId) => {
    const { was, is } = isCountedFor(change, downstreamEntityId);
    return was === is || isCountedWithout(entryOf(downstreamEntityId), change.after._id)
      ? 0
      : Number(is) - Number(was);
  });
  return changes.reduce((sum, difference) => sum + difference, 0);
}

/** Condition that the plan counts the agency. */
const isRoomLeft = ({ name }: Placeholders): string =>
  // biome-ignore lint/plugin: no test of one attribute compares two.
  `attribute_exists(${name('associationIds')}) AND (attribute_not_exists(${name('inactiveIds')}) OR size(${name('associationIds')}) > size(${name('inactiveIds')}))`;

/** Condition that must still hold for `countChange` to be right; an agency that is counted either way needs nothing. */
function countCondition({ change, downstreamEntityId, entry }: ChangedEntry): Condition | undefined {
  const { was, is } = isCountedFor(change, downstreamEntityId);
  if (was === is) return undefined;
  if (is) return isCounted(entry) ? isRoomLeft : (terms) => `NOT (${isRoomLeft(terms)})`;
  // Whether others remain cannot be said in a condition, so the sets must be as they were read.
  const asRead = (ids: ReadonlySet<string> | undefined) => (ids?.size === 0 ? undefined : ids);
  return { associationIds: asRead(entry?.associationIds), inactiveIds: asRead(entry?.inactiveIds) };
}

/** Condition that the agency still agrees with the carrier, shown by an association that is active. */
const agreementCondition = (associationId: string): Condition => ({
  associationIds: containing(associationId),
  invitedIds: not(containing(associationId)),
  inactiveIds: not(containing(associationId)),
});

/** Condition that the carrier has room for another invited association with the agency. */
const invitedCondition: Condition = { invitedIds: absentOr(sized(below(mostInvited))) };

/** Conditions that a carrier's own request relies on. */
interface EntryConditions {
  /** An association that must be active still. */
  readonly agreedThrough: string | undefined;
  /** Whether `mostInvited` applies. */
  readonly isInvitedBounded: boolean;
}

/**
 * The writes of a carrier's entries for the agencies of a change. They raise VersionConflict when what was read of them
 * no longer holds.
 * @throws DomainError `state_conflict` where the carrier has `mostBranches` with the agency.
 */
export function entryWrites(
  items: TableItems,
  change: EntryChange,
  entryOf: (downstreamEntityId: string) => Entry,
  request: EntryConditions | undefined,
): TransactionItem[] {
  const { agreedThrough, isInvitedBounded = false } = request ?? {};
  const { after } = change;
  return changedEntries(change).map((downstreamEntityId) => {
    const status = statusAt(after, downstreamEntityId);
    const { associationIds = new Set() } = entryOf(downstreamEntityId) ?? {};
    if (status !== undefined && associationIds.size >= mostBranches && !associationIds.has(after._id)) {
      throw limitReached(
        `A carrier can have at most ${mostBranches} associations with an agency.`,
        mostBranches,
      );
    }
    const id = new Set([after._id]);
    const only = (isMember: boolean) => (isMember ? added(id) : removed(id));
    return items.update(
      associationKeys.ofEntity(after.upstreamEntityId, downstreamEntityId),
      {
        downstreamEntityId,
        associationIds: only(status !== undefined),
        invitedIds: only(status === 'invited'),
        inactiveIds: only(status === 'inactive'),
      },
      allOf(
        countCondition({ change, downstreamEntityId, entry: entryOf(downstreamEntityId) }),
        agreedThrough === undefined ? undefined : agreementCondition(agreedThrough),
        isInvitedBounded ? invitedCondition : undefined,
      ),
    );
  });
}
