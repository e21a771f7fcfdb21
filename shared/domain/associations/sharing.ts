import * as z from 'zod/mini';
import { objectId } from '#platform/contract/primitives.ts';
import { absentOr, added, below, type Condition, isNew } from '#platform/data/expressions.ts';
import { parseStored, storedItem } from '#platform/data/stored.ts';
import type { Table, TableItems } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import { associationKeys } from './stored.ts';

/**
 * Whether an agency is one carrier's own affair or shared (OpenAPI, "addAssociation"). One item for each agency, written
 * in the transaction that makes it so; it never becomes less shared again, so who finds it shared need not check again.
 */
export const sharing = storedItem('associations/sharing', {
  /** The carrier that was the first to know the agency; absent while none does. */
  firstUpstreamEntityId: z.optional(objectId),
  /** Whether anybody else with a say knows it: its own organization, an operator, or another carrier it agreed with. */
  isShared: z.boolean(),
});

export type Sharing = z.output<typeof sharing>;

/**
 * Whether an agency is shared for a carrier. For the first carrier, an association of
 * another one counts only once the agency's side has agreed to it: otherwise a stranger could take the first one's rights.
 */
export const isSharedFor = (
  carrier: string,
  sharingOfAgency: Sharing | undefined,
  downstreamOrganizationId: string | undefined,
): boolean =>
  downstreamOrganizationId !== undefined ||
  sharingOfAgency === undefined ||
  sharingOfAgency.isShared ||
  (sharingOfAgency.firstUpstreamEntityId ?? carrier) !== carrier;

/** The organizations that know an agency, by its id. */
export async function readSharing(
  associations: Table,
  downstreamEntityIds: readonly string[],
): Promise<(downstreamEntityId: string) => Sharing | undefined> {
  const sharingAt = await associations.getByKey(sharing, downstreamEntityIds.map(associationKeys.sharing));
  return (id) => sharingAt(associationKeys.sharing(id));
}

/** An organization that comes to know an agency. */
interface NewParty {
  readonly downstreamEntityId: string;
  /** The carrier; undefined for the agency's own organization and for operators. */
  readonly upstreamEntityId: string | undefined;
  /** Whether the agency's side, or an operator, agrees to it. */
  readonly isAgreed: boolean;
}

/** Makes an agency shared, whatever it was. */
const sharingWrite = (items: TableItems, downstreamEntityId: string): TransactionItem =>
  items.update(associationKeys.sharing(downstreamEntityId), { isShared: true });

/** Nobody but the carrier knows the agency. */
const knownToNobodyBut = (carrier: string): Condition => ({
  isShared: false,
  firstUpstreamEntityId: absentOr(carrier),
});

/** A change of an agency itself by an import. */
interface AgencyChange {
  readonly downstreamEntityId: string;
  /** The carrier for which it is imported: it changes only an agency that nobody else knows. */
  readonly carrier: string | undefined;
  /** Whether the agency has an organization then. */
  readonly hasOrganization: boolean;
}

/** Effects of an agency's change on who knows it, and what the change depends on. */
export function agencyChangeWrites(
  items: TableItems,
  { downstreamEntityId, carrier, hasOrganization }: AgencyChange,
): TransactionItem[] {
  if (carrier === undefined) return hasOrganization ? [sharingWrite(items, downstreamEntityId)] : [];
  const key = associationKeys.sharing(downstreamEntityId);
  const message = 'Others came to know the agency at the same time.';
  const refusal = () => new DomainError('state_conflict', { message });
  return [
    hasOrganization
      ? items.update(key, { isShared: true }, knownToNobodyBut(carrier), refusal)
      : items.check(key, knownToNobodyBut(carrier), refusal),
  ];
}

/** Begins the record of an agency that is created now: known to a carrier, or to nobody yet. */
export const beginSharing = (
  items: TableItems,
  downstreamEntityId: string,
  first?: string,
): TransactionItem =>
  items.put(
    { ...associationKeys.sharing(downstreamEntityId), firstUpstreamEntityId: first, isShared: false },
    isNew,
  );

/**
 * The writes with which somebody comes to know an agency, given what was read of it. They raise VersionConflict when
 * that has changed, so of two carriers at the same moment one finds the other.
 */
export function partyWrites(
  items: TableItems,
  { downstreamEntityId, upstreamEntityId, isAgreed }: NewParty,
  before: Sharing | undefined,
): TransactionItem[] {
  if (before?.isShared === true) return [];
  const first = before?.firstUpstreamEntityId;
  if (
    before === undefined ||
    upstreamEntityId === undefined ||
    (first ?? upstreamEntityId) !== upstreamEntityId
  ) {
    return isAgreed ? [sharingWrite(items, downstreamEntityId)] : [];
  }
  if (isAgreed && first === upstreamEntityId) return [];
  // Written even where it names the carrier already: the condition is that nobody else came.
  return [
    items.update(
      associationKeys.sharing(downstreamEntityId),
      { firstUpstreamEntityId: upstreamEntityId },
      knownToNobodyBut(upstreamEntityId),
    ),
  ];
}

/**
 * Records that an organization comes to know an agency, before what makes it so is written: an organization that takes the agency
 * for its own in between fails at this, and a crash in between leaves the agency shared, which is the safe side.
 *
 * @throws TransactionContention.
 */
export const addParty = (associations: Table, party: NewParty): Promise<void> =>
  retryOnConflict(async () => {
    const key = associationKeys.sharing(party.downstreamEntityId);
    const before = await associations.get(sharing, key);
    await associations.transact(partyWrites(associations.items, party, before));
  });

/** Number of agencies that count toward a carrier's plan. */
export const countItem = storedItem('associations/count', { liveCount: z.int() });

/** The write of a carrier's count of agencies, which refuses one beyond the plan's ceiling. */
export function countWrites(
  items: TableItems,
  upstreamEntityId: string,
  planCeiling: number | undefined,
  difference: number,
): TransactionItem[] {
  if (difference === 0) return [];
  const key = associationKeys.count(upstreamEntityId);
  const changes = { liveCount: added(difference) };
  if (difference < 0 || planCeiling === undefined) return [items.update(key, changes)];
  const isWithin = { liveCount: planCeiling > 0 ? absentOr(below(planCeiling)) : below(planCeiling) };
  return [
    items.update(key, changes, isWithin, (item) => {
      const { liveCount } = item ? parseStored(countItem, item) : { liveCount: 0 };
      return planLimitReached(planCeiling, liveCount);
    }),
  ];
}

/** The error at the plan ceiling; retrying does not help (OpenAPI, "addAssociation"). */
export const planLimitReached = (planCeiling: number, liveCount: number): DomainError =>
  new DomainError('plan_limit_reached', {
    limit: { expected: `at most ${planCeiling} associated agencies`, actual: String(liveCount) },
  });
