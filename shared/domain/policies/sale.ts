import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId, stateCode } from '../../platform/contract/primitives.ts';
import { earlierOf, writtenDate } from '../decision/dates.ts';
import type { PolicyTransaction } from './policy-transaction.ts';
import { entityMatchStatus, policyFields, policySellers } from './resource.ts';

const { productCode, productName, carrierName, carrierNaicCode } = policyFields.shape;

/**
 * A sale: who sold what, as a New or a Renewal and the policy's earlier transactions said when it was imported (OpenAPI, "Sales").
 * It is stored with its transaction, and that of the latest term with the policy, too.
 */
export const storedSale = object(() => ({
  /** The day on which it is judged. */
  soldOn: z.iso.date(),
  riskStateCode: stateCode,
  /** Of the transaction that names the agency. */
  entityMatchStatus,
  /** Whose it is: `agencySort` without a policy number. */
  agencySort: z.string(),
  sellers: policySellers,
  /** The product that matching or a person decided on. */
  productId: z.optional(objectId),
  productCode,
  productName,
  carrierName,
  carrierNaicCode,
}));

export type StoredSale = z.output<typeof storedSale>;

/** Whether a transaction begins a term, and so is a sale unless it is deleted. */
export const beginsTerm = ({
  policyTransactionType: type,
}: Pick<PolicyTransaction, 'policyTransactionType'>) => type === 'New' || type === 'Renewal';

/** The day of sale: the earlier of the written dates of the transaction and of its beginning. */
export const soldOnOf = ({
  policyTransactionDate,
  effectiveDate = policyTransactionDate,
}: Pick<PolicyTransaction, 'policyTransactionDate' | 'effectiveDate'>): string =>
  earlierOf(writtenDate(policyTransactionDate), writtenDate(effectiveDate));
