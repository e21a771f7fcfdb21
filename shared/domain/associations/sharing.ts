import * as z from 'zod/mini';
import { objectId } from '../../platform/contract/primitives.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { VersionConflict } from '../../platform/data/optimistic-lock.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { associationKeys, type StoredAssociation } from './stored.ts';

/**
 * Whether an agency is one carrier's own affair or shared (OpenAPI, "addAssociation"). One item for each agency, written
 * in the transaction that makes it so; it never becomes less shared again, so who finds it shared need not check again.
 *
 * An agency of before this item was kept has none. It counts as shared for a carrier that the agency has not agreed with,
 * which is the safe side, and as before for one that works with it.
 */
export const sharing = storedItem('associations/sharing', () => ({
  /** The carrier that was the first to know the agency; absent while none does. */
  firstUpstreamEntityId: z.optional(objectId),
  /** Whether anybody else with a say knows it: its own organization, an operator, or another carrier it agreed with. */
  isShared: z.boolean(),
}));

export type Sharing = z.output<typeof sharing>;

/**
 * Whether an agency is shared for a carrier that has no association with it yet. For the first carrier, an association of
 * another one counts only once the agency's side has agreed to it: otherwise a stranger could take the first one's rights.
 */
export const isSharedForNewcomer = (
  carrier: string,
  sharingOfAgency: Sharing | undefined,
  downstreamOrganizationId: string | undefined,
): boolean =>
  downstreamOrganizationId !== undefined ||
  sharingOfAgency === undefined ||
  sharingOfAgency.isShared ||
  (sharingOfAgency.firstUpstreamEntityId ?? carrier) !== carrier;

/** Whether the agency of a carrier's association is shared. */
export const isShared = (
  { upstreamEntityId, status, agency }: Pick<StoredAssociation, 'upstreamEntityId' | 'status' | 'agency'>,
  sharingOfAgency: Sharing | undefined,
): boolean =>
  sharingOfAgency === undefined && status !== 'invited'
    ? agency.downstreamOrganizationId !== undefined
    : isSharedForNewcomer(upstreamEntityId, sharingOfAgency, agency.downstreamOrganizationId);

/** Who comes to know an agency. */
export interface NewParty {
  readonly downstreamEntityId: string;
  /** The carrier; undefined for the agency's own organization and for operators. */
  readonly upstreamEntityId: string | undefined;
  /** Whether the agency's side, or an operator, agrees to it. */
  readonly isAgreed: boolean;
}

const update = (
  table: string,
  downstreamEntityId: string,
  change: {
    readonly expression: string;
    readonly condition?: string;
    readonly values: Readonly<Record<string, unknown>>;
  },
): TransactionItem => ({
  write: {
    Update: {
      TableName: table,
      Key: toItem(associationKeys.sharing(downstreamEntityId)),
      UpdateExpression: change.expression,
      ...(change.condition === undefined ? {} : { ConditionExpression: change.condition }),
      ExpressionAttributeValues: toItem({ ...change.values }),
    },
  },
  refused: () => new VersionConflict(),
});

/** Makes an agency shared, whatever it was. */
export const sharingWrite = (table: string, downstreamEntityId: string): TransactionItem =>
  update(table, downstreamEntityId, { expression: 'SET isShared = :yes', values: { ':yes': true } });

/** A change of an agency itself by an import. */
interface AgencyChange {
  readonly downstreamEntityId: string;
  /** The carrier for which it is imported: it changes only an agency that nobody else knows. */
  readonly carrier: string | undefined;
  /** Whether the agency has an organization then. */
  readonly hasOrganization: boolean;
}

/** What a change of an agency means for who knows it, and what it depends on. */
export function agencyChangeWrites(
  table: string,
  { downstreamEntityId, carrier, hasOrganization }: AgencyChange,
): TransactionItem[] {
  if (carrier === undefined) return hasOrganization ? [sharingWrite(table, downstreamEntityId)] : [];
  const condition = {
    TableName: table,
    Key: toItem(associationKeys.sharing(downstreamEntityId)),
    ConditionExpression:
      'isShared = :no AND (attribute_not_exists(firstUpstreamEntityId) OR firstUpstreamEntityId = :carrier)',
  };
  const values = { ':no': false, ':carrier': carrier };
  const write = hasOrganization
    ? {
        Update: {
          ...condition,
          UpdateExpression: 'SET isShared = :yes',
          ExpressionAttributeValues: toItem({ ...values, ':yes': true }),
        },
      }
    : { ConditionCheck: { ...condition, ExpressionAttributeValues: toItem(values) } };
  const message = 'Others came to know the agency at the same time.';
  return [{ write, refused: () => new DomainError('state_conflict', { message }) }];
}

/** Begins the record of an agency that is created now: known to a carrier, or to nobody yet. */
export const beginSharing = (table: string, downstreamEntityId: string, first?: string): TransactionItem => ({
  write: {
    Put: {
      TableName: table,
      Item: toItem({
        ...associationKeys.sharing(downstreamEntityId),
        ...(first === undefined ? {} : { firstUpstreamEntityId: first }),
        isShared: false,
      }),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  },
  refused: () => new VersionConflict(),
});

/**
 * The writes with which somebody comes to know an agency, given what was read of it. They raise VersionConflict when
 * that has changed, so of two carriers at the same moment one finds the other.
 */
export function partyWrites(
  table: string,
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
    return isAgreed ? [sharingWrite(table, downstreamEntityId)] : [];
  }
  if (isAgreed && first === upstreamEntityId) return [];
  // Written even where it names the carrier already: the condition is that nobody else came.
  return [
    update(table, downstreamEntityId, {
      expression: 'SET firstUpstreamEntityId = :carrier',
      condition:
        'isShared = :no AND (attribute_not_exists(firstUpstreamEntityId) OR firstUpstreamEntityId = :carrier)',
      values: { ':carrier': upstreamEntityId, ':no': false },
    }),
  ];
}
