import * as z from 'zod/mini';
import { agentKeys, storedAgent } from '../../shared/domain/agents/stored.ts';
import { associationKeys, isLive, storedAssociation } from '../../shared/domain/associations/stored.ts';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import type { StateRequirement } from '../../shared/domain/compliance/resource.ts';
import { repeatedStates } from '../../shared/domain/compliance/states.ts';
import { statusNames, statusOf } from '../../shared/domain/compliance/status.ts';
import { unversioned } from '../../shared/domain/decision/configs.ts';
import { type Coverage, coverageOf } from '../../shared/domain/decision/coverage.ts';
import type { Party } from '../../shared/domain/decision/decide.ts';
import { productsOfPolicies } from '../../shared/domain/policy-compliance/statuses.ts';
import type { Appointment } from '../../shared/domain/registry-records/appointment.ts';
import type { License } from '../../shared/domain/registry-records/license.ts';
import { invalid } from '../../shared/platform/contract/errors.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import { leftOut } from '../../shared/platform/data/left-out.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/node-util.ts';
import { readOrThrow, storedItem } from '../../shared/platform/data/stored.ts';
import type { ComplianceDeps, ComplianceOperation } from './deps.ts';
import { type AgencyOfPolicies, countPolicies } from './preview-policies.ts';
import type { PreviewedChange } from './routes.ts';

type Request = Parameters<ComplianceOperation<'previewComplianceConfig'>>[0];

/**
 * Who would change if a product required this in its states from now on, streamed; nothing is written.
 * @throws ApiError `validation_error` for a state given more than once.
 */
export const previewComplianceConfig: ComplianceOperation<'previewComplianceConfig'> = (request, deps) => {
  const repeated = repeatedStates(request.body.states);
  if (repeated.length > 0) throw invalid(...repeated);
  return changesOf(request, deps);
};

/** Stands for the NPN of agencies without one, of which nothing is recorded. */
const noNpn = '';

/** Agents, and agencies by NPN, whose facts are read for one page of the answer, and of those at once. */
const holdersOfPage = 100;
const concurrency = 16;

async function* changesOf(
  { identity: { organizationId: owner }, params: { productId }, body, now }: Request,
  { complianceConfigs, carrierIdentityOf, recordedFacts, tables }: ComplianceDeps,
): AsyncGenerator<PreviewedChange[]> {
  const moment = momentOf({}, now);
  const products = await complianceConfigs.byProduct(owner, now);
  const head = readOrThrow(products.get(productId))?.head;
  const daysOf = new Map(head && [[head, [moment.day]]]);
  const required = readOrThrow(
    (await complianceConfigs.versions(owner, daysOf, moment.knownAt)).get(productId),
  );
  const present = required?.[0];
  const states = statesThatDiffer(present?.states ?? [], body.states);
  if (states.length === 0) return;
  const productsOf = productsOfPolicies(products);
  const [carrier, agencies, policies] = await Promise.all([
    carrierIdentityOf(owner),
    agenciesOf(tables.associations, owner),
    countPolicies(
      tables.policies,
      owner,
      states,
      (policy) =>
        policy.entityMatchStatus !== 'manual review' &&
        [policy, ...productsOf(policy)].some((one) => one.productId === productId),
    ),
  ]);
  const judged = (party: Party, coverage: Coverage<License, Appointment>) =>
    states.flatMap((stateCode) => {
      const question = { party, coverage, stateCode, carrier, moment };
      const before = statusOf({ ...question, configs: required ?? unversioned({ states: [] }) });
      const after = statusOf({
        ...question,
        configs: unversioned({ states: body.states, carrierNaicCodes: present?.carrierNaicCodes }),
      });
      return statusNames(before) === statusNames(after) ? [] : [{ party, stateCode, before, after }];
    });
  const onlyState = states.length === 1 ? states[0] : undefined;
  const coverageOfNpn = async (npn: string): Promise<Coverage<License, Appointment> | undefined> => {
    if (npn === noNpn) return new Map();
    const facts = await recordedFacts.factsOf(owner, npn, onlyState).catch(leftOut);
    return facts && coverageOf(facts, moment.knownAt);
  };
  const ofAgencies = (coverage: Coverage<License, Appointment>, some: readonly AgencyOfPolicies[]) => {
    const changed = judged('agency', coverage);
    return some.flatMap((agency) =>
      changed.map((change) => ({
        ...change,
        agentId: null,
        downstreamEntityAssociationId: agency.associationId,
        policies: policies.ofAgency(change.stateCode, agency),
      })),
    );
  };

  const ofNpns = groupBy(agencies, ({ npn }) => npn ?? noNpn);
  const ofEntities = groupBy(agencies, ({ downstreamEntityId }) => downstreamEntityId);
  const entityOf = new Map(agencies.map((one) => [one.associationId, one.downstreamEntityId]));
  const agents = tables.agents.query(agentOfCarrier, agentKeys.agent(owner, '').pk, {
    limit: holdersOfPage,
    leavesOut: true,
  });
  for await (const page of agents) {
    const live = page.filter(({ isDeleted }) => !isDeleted);
    const changes = await mapConcurrently(live, concurrency, async (agent) => {
      // Whoever is an agency too is judged as both, so that no NPN's facts are read twice.
      const sameNpn = ofNpns.get(agent.npn) ?? [];
      ofNpns.delete(agent.npn);
      const coverage = await coverageOfNpn(agent.npn);
      if (coverage === undefined) return [];
      const entityIds = new Set(agent.downstreamEntityAssociationIds.flatMap((id) => entityOf.get(id) ?? []));
      const worksFor = [...entityIds].flatMap((id) => ofEntities.get(id) ?? []);
      const asAgent = judged('agent', coverage).map((change) => ({
        ...change,
        agentId: agent._id,
        downstreamEntityAssociationId: null,
        policies: policies.ofAgent(change.stateCode, agent._id, worksFor),
      }));
      return [...asAgent, ...ofAgencies(coverage, sameNpn)];
    });
    yield changes.flat();
  }
  for (const some of chunks([...ofNpns], { count: holdersOfPage })) {
    const changes = await mapConcurrently(some, concurrency, async ([npn, ofNpn]) => {
      const coverage = await coverageOfNpn(npn);
      return coverage === undefined ? [] : ofAgencies(coverage, ofNpn);
    });
    yield changes.flat();
  }
}

/** The states in which something else would be required; nobody's status in another state can change. */
function statesThatDiffer(
  before: readonly StateRequirement[],
  after: readonly StateRequirement[],
): StateRequirement['stateCode'][] {
  const states = [...new Set([...before, ...after].map(({ stateCode }) => stateCode))];
  return states.filter((code) => {
    const [was, is] = [before, after].map((some) => some.find(({ stateCode }) => stateCode === code));
    return !isDeepStrictEqual(was, is);
  });
}

const agentOfCarrier = storedItem('agents/previewed-agent', () => {
  const { _id, npn, isDeleted, downstreamEntityAssociationIds } = storedAgent.shape;
  return { _id, npn, isDeleted, downstreamEntityAssociationIds };
});

const associationOfCarrier = storedItem('associations/previewed-association', () => ({
  sk: z.string(),
  downstreamEntityId: storedAssociation.shape.downstreamEntityId,
  agency: z.object({ npn: z.nullable(z.string()), isDeleted: z.boolean() }),
  isDeleted: storedAssociation.shape.isDeleted,
}));

/** The agencies of a carrier, by their associations: ids and NPNs, some dozens of bytes each. */
async function agenciesOf(
  associations: ComplianceDeps['tables']['associations'],
  owner: string,
): Promise<AgencyOfPolicies[]> {
  const { pk } = associationKeys.association(owner, '');
  const only = ['pk', ...Object.keys(associationOfCarrier.shape)];
  const found = await collect(associations.query(associationOfCarrier, pk, { only, leavesOut: true }));
  return found.filter(isLive).map(({ sk: associationId, downstreamEntityId, agency: { npn } }) => ({
    associationId,
    downstreamEntityId,
    npn,
  }));
}
