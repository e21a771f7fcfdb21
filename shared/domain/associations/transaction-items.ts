import { objectId, timestamp } from '../../platform/contract/primitives.ts';
import { absentOr } from '../../platform/data/expressions.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import type { Key, TableItems } from '../../platform/data/table-items.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { countChange, entryWrites } from './agency-entries.ts';
import { evidenceWrites } from './evidence.ts';
import { countWrites } from './plan-count.ts';
import { beginSharing, partyWrites, type Sharing } from './sharing.ts';
import {
  type AssociationsOfEntity,
  associationItem,
  associationKeys,
  codeHolder,
  isLive,
  live,
  marketItem,
  marketOwnerOf,
  type StoredAssociation,
} from './stored.ts';

/** What is stored of a carrier and an agency, and of everybody and the agency. */
export interface AgencyState {
  readonly entry: AssociationsOfEntity | undefined;
  readonly sharing: Sharing | undefined;
}

/** What a carrier's own request rests on; the transaction checks that it still holds. */
export interface CarrierRequest {
  readonly agency: AgencyState;
  /** Whether the agency is created in the same transaction. */
  readonly isNewAgency: boolean;
  /** An active association of the carrier with the agency, which shows that the agency agreed with it. */
  readonly agreedThrough: string | undefined;
  /** Whether `mostInvited` applies to the new association. */
  readonly isInvitedBounded: boolean;
}

/** A change of an association. */
export interface AssociationChange {
  /** The association as it was read; undefined for a new one. */
  readonly before: StoredAssociation | undefined;
  readonly after: StoredAssociation;
  /** The time of the change by the server's clock; an import can set `updatedAt` to any other. */
  readonly now: Date;
  /** Name of the carrier, as the agency's market shows it. */
  readonly upstreamEntityName: string;
  /** Most agencies, with an active or invited association, that the carrier's plan admits; left out where it does not apply. */
  readonly planCeiling?: number;
  /** Left out for a change by operators or the agency's side: with them, whatever is not invited is agreed. */
  readonly request?: CarrierRequest;
  /** Whether a redeemed link makes the change. It takes no right from the carrier that knew the agency first. */
  readonly isRedemption?: boolean;
}

/** What the writes depend on beside the association itself: a carrier's entries for agencies, and who knows the agency. */
export interface ReadForChange {
  readonly entryOf: (downstreamEntityId: string) => AssociationsOfEntity | undefined;
  readonly sharing: Sharing | undefined;
}

/** A duplicate within this time counts as concurrent, since its sender cannot have seen the first response. */
const concurrentFor = 10_000;

const relationshipItem = storedItem('associations/relationship', () => ({
  associationId: objectId,
  startedAt: timestamp,
}));

/**
 * Every write that a change of an association needs: its item, its owner, its agency, its entry at the agency, the codes that must be
 * unique, who knows the agency, the carrier's count of agencies, the agency's market and what policies may know the agency
 * by. The first condition that fails decides the error:
 * - `concurrent_duplicate` or `state_conflict` when an add or invite of the same relationship came first;
 * - `plan_limit_reached` at the plan ceiling (OpenAPI, "addAssociation");
 * - VersionConflict when another writer changed it, or what was read for it, since;
 * - `duplicate_external_id`, `duplicate_producer_code`.
 */
export function associationWrites(
  items: TableItems,
  change: AssociationChange,
  read: ReadForChange,
): TransactionItem[] {
  const { before, after, request } = change;
  return [
    ...relationshipWrites(items, change),
    // Before the count: who meets another branch of the agency must decide again before the plan refuses it.
    ...entryWrites(items, change, read.entryOf, request),
    ...sharingWrites(items, change, read.sharing),
    ...countWrites(items, after.upstreamEntityId, change.planCeiling, countChange(change, read.entryOf)),
    associationWrite(items, change),
    ...(before === undefined ? [ownerWrite(items, after)] : []),
    ...agencyWrites(items, change),
    ...uniquenessWrites(items, change),
    ...marketWrites(items, change),
    ...evidenceWrites(items, change),
  ];
}

/** Whether with this change the carrier comes to know the agency, or the agency's side to agree with it. */
export function addsParty({ before, after }: AssociationChange): boolean {
  const was = live(before);
  const isKnown = was?.downstreamEntityId === after.downstreamEntityId;
  return isLive(after) && (!isKnown || (was?.status === 'invited' && after.status !== 'invited'));
}

function sharingWrites(
  items: TableItems,
  change: AssociationChange,
  sharing: Sharing | undefined,
): TransactionItem[] {
  const { after, request, isRedemption } = change;
  const { downstreamEntityId, upstreamEntityId, status } = after;
  if (!addsParty(change)) return [];
  if (request?.isNewAgency === true) return [beginSharing(items, downstreamEntityId, upstreamEntityId)];
  const isAgreed =
    request === undefined
      ? status !== 'invited' && isRedemption !== true
      : request.agreedThrough !== undefined;
  return partyWrites(items, { downstreamEntityId, upstreamEntityId, isAgreed }, sharing);
}

/** Claims a key for an association; one that already holds it keeps it. */
const claim = (
  items: TableItems,
  key: Key,
  values: { readonly associationId: string; readonly startedAt?: string },
  refused: TransactionItem['refused'],
): TransactionItem =>
  items.put({ ...key, ...values }, { associationId: absentOr(values.associationId) }, refused);

function relationshipWrites(items: TableItems, { before, after }: AssociationChange): TransactionItem[] {
  const was = live(before)?.relationship;
  const is = live(after)?.relationship;
  const { upstreamEntityId, _id: associationId, createdAt: startedAt } = after;
  if (was === is) return [];
  if (is === undefined) {
    return was === undefined ? [] : [items.delete(associationKeys.relationship(upstreamEntityId, was))];
  }
  const refused = (stored: unknown): Error => {
    const first = parseStored(relationshipItem, stored);
    const ids = { downstreamEntityAssociationId: first.associationId };
    return Date.parse(startedAt) - Date.parse(first.startedAt) < concurrentFor
      ? new DomainError('concurrent_duplicate', {
          message: 'A request for the same association came first.',
          ids,
        })
      : new DomainError('state_conflict', { message: 'The agency is already associated.', ids });
  };
  const key = associationKeys.relationship(upstreamEntityId, is);
  return [claim(items, key, { associationId, startedAt }, refused)];
}

const associationWrite = (items: TableItems, { before, after, now }: AssociationChange): TransactionItem =>
  items.put(associationItem({ ...after, version: (before?.version ?? 0) + 1 }, now), {
    version: before?.version,
  });

const ownerWrite = (items: TableItems, { _id, upstreamEntityId }: StoredAssociation): TransactionItem =>
  items.put(
    { ...associationKeys.owner(_id), upstreamEntityId },
    { upstreamEntityId: absentOr(upstreamEntityId) },
    () =>
      new DomainError('state_conflict', {
        message: 'Another organization has an association with this _id.',
      }),
  );

/** What finds an association by its agency. */
function agencyWrites(items: TableItems, { before, after }: AssociationChange): TransactionItem[] {
  const { _id, downstreamEntityId, upstreamEntityId } = after;
  if (before?.downstreamEntityId === downstreamEntityId) return [];
  return [
    ...(before === undefined
      ? []
      : [items.delete(associationKeys.withAgency(before.downstreamEntityId, _id))]),
    items.put({ ...associationKeys.withAgency(downstreamEntityId, _id), upstreamEntityId }),
  ];
}

/** Uniqueness of `externalId` and `producerCode` within a carrier (OpenAPI, "updateAssociation"). */
function uniquenessWrites(items: TableItems, { before, after }: AssociationChange): TransactionItem[] {
  const { upstreamEntityId, _id: associationId } = after;
  const fields = [
    ['externalId', 'duplicate_external_id'],
    ['producerCode', 'duplicate_producer_code'],
  ] as const;
  const taken = (reason: (typeof fields)[number][1]) => (stored: unknown) =>
    new DomainError(reason, {
      ids: { downstreamEntityAssociationId: parseStored(codeHolder, stored).associationId },
    });
  return fields.flatMap(([field, reason]) => {
    const [was, is] = [live(before), live(after)].map((one) => {
      const value = one?.[field] ?? null;
      return value === null ? undefined : associationKeys[field](upstreamEntityId, value);
    });
    // Values that differ in ways that do not count have one key.
    if (was?.sk === is?.sk) return [];
    return [
      ...(was === undefined ? [] : [items.delete(was)]),
      ...(is === undefined ? [] : [claim(items, is, { associationId }, taken(reason))]),
    ];
  });
}

/** The agency's own view of the relationship, which an organization sees once the agency belongs to it. */
function marketWrites(
  items: TableItems,
  { before, after, upstreamEntityName }: AssociationChange,
): TransactionItem[] {
  const [was, is] = [live(before), live(after)].map((one) => one && marketOwnerOf(one));
  const { _id, upstreamEntityId, downstreamEntityId, producerCode, branchName, status } = after;
  const { createdAt, updatedAt } = after;
  const market = {
    upstreamDownstreamAssociationId: _id,
    upstreamEntityId,
    downstreamEntityId,
    upstreamEntityName,
    isOnPlatform: true,
    marketType: null,
    producerCode,
    branchName,
    status,
    createdAt,
    updatedAt,
  };
  return [
    ...(was === undefined || was === is ? [] : [items.delete(associationKeys.market(was, _id))]),
    ...(is === undefined ? [] : [items.put(marketItem(is, market))]),
  ];
}
