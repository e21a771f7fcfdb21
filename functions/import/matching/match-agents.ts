import type { StoredAgent } from '../../../shared/domain/agents/stored.ts';
import { mayBeSamePerson } from '../../../shared/domain/identifiers/comparable-names.ts';
import { comparableNpn } from '../../../shared/domain/identifiers/npn.ts';
import { type AgentEvidence, agentRules } from '../../../shared/domain/matching/rules.ts';
import type { PolicyTransaction } from '../../../shared/domain/policies/policy-transaction.ts';
import { type FoundAgents, licenseOfAgent } from './agents.ts';
import { type Candidate, decide, type Evidence } from './decide.ts';
import type { NpnsOfLicense } from './licenses.ts';
import { differs, given, type MatchedFields } from './transaction.ts';

/** What a transaction says of its agents once they are matched. */
export type AgentMatch = Pick<PolicyTransaction, 'agentMatchStatus' | 'matchedAgents'>;

/** People of one name that a transaction lists for a person to decide among. */
const mostCandidates = 10;

/**
 * Decides which of an owner's agents sold a policy (OpenAPI, "Matching").
 * @param atAgency whether an agent works at the matched agency; by name alone, nobody else is found.
 */
export function matchAgents(
  fields: MatchedFields,
  found: FoundAgents,
  npnsOf: NpnsOfLicense,
  atAgency: (agent: StoredAgent) => boolean,
  matchedAt: string,
): AgentMatch {
  const agents: Readonly<Record<AgentEvidence, readonly (StoredAgent | undefined)[]>> = {
    npn: [found.ofNpn(fields.agentNpn)],
    license: npnsOf(licenseOfAgent(fields)).map((npn) => found.ofNpn(npn)),
    name: found.ofName(fields.agentName).filter(atAgency),
  };
  const evidence = (Object.keys(agentRules) as AgentEvidence[]).map(
    (name): Evidence<AgentEvidence> => ({
      name,
      confidence: agentRules[name].confidence,
      fits: new Set(agents[name].flatMap((agent) => agent?._id ?? [])),
    }),
  );
  const isDisputed = (id: string): boolean => {
    const [written, agent] = [given(fields.agentName), found.ofId(id)];
    return (
      agent !== undefined &&
      (differs(fields.agentNpn, agent.npn, comparableNpn) ||
        (written !== undefined && !mayBeSamePerson(written, agent)))
    );
  };
  const { sure, candidates } = decide(evidence, isDisputed);
  const listed = ({ id, evidence, confidence }: Candidate<AgentEvidence>) => ({
    agentId: id,
    matchSource: evidence,
    matchConfidence: confidence,
    matchedAt,
  });
  if (sure !== undefined) return { agentMatchStatus: 'auto matched', matchedAgents: [listed(sure)] };
  return {
    agentMatchStatus: candidates.length === 0 ? 'unmatched' : 'manual review',
    matchedAgents: candidates.slice(0, mostCandidates).map(listed),
  };
}
