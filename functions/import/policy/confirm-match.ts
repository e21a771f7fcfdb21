import * as z from 'zod/mini';
import { associationKeys, live, storedAssociation } from '../../../shared/domain/associations/stored.ts';
import { createComplianceConfigs } from '../../../shared/domain/compliance/store.ts';
import { policyKeys } from '../../../shared/domain/policies/keys.ts';
import {
  type PolicyTransaction,
  policyTransaction,
} from '../../../shared/domain/policies/policy-transaction.ts';
import { existing, invalid, invalidAt } from '../../../shared/platform/contract/errors.ts';
import { objectId } from '../../../shared/platform/contract/primitives.ts';
import { retryOnConflict } from '../../../shared/platform/data/optimistic-lock.ts';
import { DomainError } from '../../../shared/platform/errors/domain-error.ts';
import { readAgentsOf } from '../matching/agents.ts';
import type { AgencyMatch } from '../matching/match-agency.ts';
import type { AgentMatch } from '../matching/match-agents.ts';
import { agencyFields } from './draft.ts';
import type { MatchDependencies } from './store.ts';
import { type StoredTransaction, transactionOwner } from './stored.ts';

/** Agents of one transaction. */
const mostAgents = 50;

export const confirmMatchInput = z.strictObject({
  organizationId: objectId,
  transactionId: objectId,
  downstreamEntityAssociationId: z.optional(objectId),
  agentIds: z.optional(z.array(objectId).check(z.minLength(1), z.maxLength(mostAgents))),
  productId: z.optional(objectId),
});

type ConfirmMatchInput = z.output<typeof confirmMatchInput>;

/**
 * Records whose a transaction is because a person says so: what is given, or what was found if nothing is.
 * @throws ApiError `not_found` for an unknown transaction, and another organization's; `validation_error` for an association, agents, or a
 *   product that are not the organization's, and where there is nothing to confirm.
 */
export function createConfirmMatch({ tables, policies, readMatching, now }: MatchDependencies) {
  /** Of whomever it is: under a key of another owner it is not found. */
  async function policyIdOf(transactionId: string): Promise<string> {
    const [found] = await tables.policies.getAll(transactionOwner, [
      policyKeys.transactionOwner(transactionId),
    ]);
    return existing(found?.policyId);
  }

  async function agencyOf(owner: string, associationId: string): Promise<AgencyMatch> {
    const key = associationKeys.association(owner, associationId);
    const [found] = await tables.associations.getAll(storedAssociation, [key]);
    const association = live(found);
    if (association === undefined) {
      throw invalidAt('downstreamEntityAssociationId', 'is not an association of the organization');
    }
    return {
      entityMatchStatus: 'user confirmed',
      downstreamEntityId: association.downstreamEntityId,
      upstreamDownstreamAssociationId: association._id,
      entityMatchConfidence: 1,
    };
  }

  async function agentsOf(
    owner: string,
    agentIds: readonly string[],
    matchedAt: string,
  ): Promise<AgentMatch> {
    const found = await readAgentsOf(tables.agents, owner, agentIds);
    const issues = agentIds.flatMap((id, index) =>
      found.has(id) ? [] : [{ path: `agentIds[${index}]`, message: 'is not an agent of the organization' }],
    );
    if (issues.length > 0) throw invalid(...issues);
    return {
      agentMatchStatus: 'user confirmed',
      matchedAgents: Array.from(new Set(agentIds), (agentId) => ({
        agentId,
        matchSource: 'user',
        matchConfidence: 1,
        matchedAt,
      })),
    };
  }

  async function checkProduct(owner: string, productId: string): Promise<void> {
    const products = await createComplianceConfigs(tables.compliance).products(owner, now());
    if (!products.some((product) => product.productId === productId)) {
      throw invalidAt('productId', 'is not a product of the organization');
    }
  }

  return async (input: ConfirmMatchInput): Promise<PolicyTransaction> => {
    const {
      organizationId: owner,
      transactionId,
      downstreamEntityAssociationId,
      agentIds,
      productId,
    } = input;
    const policyId = await policyIdOf(transactionId);
    const at = now().toISOString();
    const [agency, agents] = await Promise.all([
      downstreamEntityAssociationId === undefined
        ? undefined
        : agencyOf(owner, downstreamEntityAssociationId),
      agentIds === undefined ? undefined : agentsOf(owner, agentIds, at),
      productId === undefined ? undefined : checkProduct(owner, productId),
    ]);
    const isAnythingGiven = agency !== undefined || agents !== undefined || productId !== undefined;
    const matching = await readMatching(owner, []);
    return retryOnConflict(async () => {
      const [policy] = await policies.findByIds(owner, [policyId]);
      if (policy === undefined || policy.isDeleted) throw new DomainError('not_found');
      const draft = await policies.draftOf(owner, policy, { ids: [transactionId], identities: [] });
      const before = existing(draft.transactions.get(transactionId));
      const confirmed = isAnythingGiven ? { ...agency, ...agents } : foundOf(before);
      const after: StoredTransaction = {
        ...before,
        ...confirmed,
        ...(productId === undefined ? {} : { confirmedProductId: productId }),
        updatedAt: at,
      };
      draft.transactions.set(transactionId, after);
      draft.written.add(transactionId);
      if (productId !== undefined) draft.confirmedProductId = productId;
      await policies.write(owner, policy.policyNumber, draft, matching);
      return z.parse(policyTransaction, after);
    });
  };
}

/** What was found for a transaction, as what a person confirmed. */
function foundOf(transaction: StoredTransaction): Partial<AgencyMatch & AgentMatch> {
  const { upstreamDownstreamAssociationId, agentMatchStatus, matchedAgents } = transaction;
  const hasAgents = agentMatchStatus !== 'manual review' && matchedAgents.length > 0;
  if (upstreamDownstreamAssociationId === undefined && !hasAgents) {
    throw invalidAt('downstreamEntityAssociationId', 'is required: neither an agency nor agents were found');
  }
  return {
    ...(upstreamDownstreamAssociationId === undefined
      ? {}
      : { ...agencyFields(transaction), entityMatchStatus: 'user confirmed' }),
    ...(hasAgents ? { agentMatchStatus: 'user confirmed' } : {}),
  };
}
