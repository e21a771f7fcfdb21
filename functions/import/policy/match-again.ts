import { isDeepStrictEqual } from '../../../shared/platform/data/node-util.ts';
import type { AgentMatch } from '../matching/match-agents.ts';
import { hasAgentEvidence, type Matching } from '../matching/matching.ts';
import { agencyFields, type PolicyDraft } from './draft.ts';
import { type StoredTransaction, unsettledStatuses } from './stored.ts';

/** Agents without the time at which they were found. */
const foundOf = ({ agentMatchStatus, matchedAgents }: AgentMatch) => ({
  agentMatchStatus,
  agents: matchedAgents.map(({ agentId, matchSource, matchConfidence }) => ({
    agentId,
    matchSource,
    matchConfidence,
  })),
});

/** Matches what is open of a transaction again; one for which the same is found stays as it is. */
export function matchAgain(
  draft: PolicyDraft,
  transaction: StoredTransaction,
  matching: Matching,
  at: string,
): StoredTransaction {
  const {
    downstreamEntityId: _entity,
    upstreamDownstreamAssociationId: _association,
    ...fields
  } = transaction;
  const agency = agencyFields(
    unsettledStatuses.includes(transaction.entityMatchStatus)
      ? matching.agencyOf(transaction.isAgencyNamed === true ? transaction : fields)
      : transaction,
  );
  const agents =
    unsettledStatuses.includes(transaction.agentMatchStatus) && hasAgentEvidence(transaction)
      ? matching.agentsOf(transaction, agency, at)
      : transaction;
  const isSame =
    isDeepStrictEqual(agency, agencyFields(transaction)) &&
    isDeepStrictEqual(foundOf(agents), foundOf(transaction));
  if (isSame) return transaction;
  const { agentMatchStatus, matchedAgents } = agents;
  const after = { ...transaction, ...agency, agentMatchStatus, matchedAgents, updatedAt: at };
  draft.transactions.set(transaction._id, after);
  draft.written.add(transaction._id);
  draft.changed = true;
  return after;
}
