import * as z from 'zod/mini';
import { linesRequired } from '#domain/decision/compliance-config.ts';
import { policy, policyTransaction } from '#domain/policies/resource.ts';
import { storedSale } from '#domain/policies/stored.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import { policyOwnFields } from '../record-schemas.ts';

/** A policy's item: what callers see, and the state of its import. */
export const storedPolicy = storedItem(
  'policies/imported-policy',
  z.extend(policy, {
    isDeleted: z.boolean(),
    /** Rises with every write, so that one of two concurrent writers is refused. */
    version: z.int(),
    /** The content of the policy's own record; absent while only transactions were imported. */
    own: z.optional(z.object(policyOwnFields)),
    ownHash: z.optional(z.string()),
    /** The newest transaction that is not deleted. */
    newestTransactionId: z.optional(z.string()),
    /** The other transactions that it has fields from. */
    sourceIds: z.object({
      agency: z.optional(z.string()),
      agents: z.optional(z.string()),
      product: z.optional(z.string()),
      company: z.optional(z.string()),
      term: z.optional(z.string()),
    }),
    /** The ordinal of the transaction that was received last; deleted ones have ordinals, too. */
    lastOrdinal: z.int(),
  }).shape,
);

export type StoredPolicy = z.output<typeof storedPolicy>;

/** Parties to a sale where the carrier appoints when it binds, with what that asks of their appointments. */
export const soldOnBinding = z.array(
  z.object({ npn: z.string(), stateCode: z.string(), day: z.string(), lines: linesRequired() }),
);

export type SoldOnBinding = z.output<typeof soldOnBinding>;

export const storedTransaction = storedItem(
  'policies/imported-transaction',
  z.extend(policyTransaction, {
    /** Position among its policy's transactions, from 1, in the order they were received. */
    ordinal: z.int(),
    recordHash: z.string(),
    /** Whether the record named its association or agency itself. */
    isAgencyNamed: z.optional(z.boolean()),
    /** The product that a person confirmed for it. */
    confirmedProductId: z.optional(objectId),
    sale: z.optional(storedSale),
    /** The parties to which the sale is recorded, since the carrier appoints when it binds. */
    soldOnBinding: z.optional(soldOnBinding),
    /** The transactions that the sale has what it says from, itself where none names it. */
    saleSources: z.optional(
      z.object({
        /** The ordinal of the last transaction that was known when it was first resolved: others change nothing. */
        until: z.int(),
        agency: objectId,
        agents: objectId,
        product: objectId,
        company: objectId,
      }),
    ),
  }).shape,
);

/** Statuses of agencies and agents that a later run may find. */
export const unmatchedStatuses: readonly string[] = ['unmatched', 'manual review'];

/** The owner of a transaction. */
export const transactionOwner = storedItem('policies/transaction-owner', {
  upstreamEntityId: objectId,
  policyId: objectId,
});

export type StoredTransaction = z.output<typeof storedTransaction>;
