// Compliance configs as a carrier reads and replaces them, and what a new one would change.
import * as z from 'zod/mini';
import { agentKeys, storedAgent } from '#domain/agents/stored.ts';
import { associationKeys, isLive, storedAssociation } from '#domain/associations/stored.ts';
import { configChanged, type InputEventItems } from '#domain/compliance/inputs-changed.ts';
import { momentOf } from '#domain/compliance/moment.ts';
import { createRecordConfig, repeatedStates } from '#domain/compliance/record-config.ts';
import type { DecisionSources } from '#domain/compliance/sources.ts';
import { npnOf, statusNames, statusOf } from '#domain/compliance/status.ts';
import { productsAmong } from '#domain/compliance/store.ts';
import { ruleOf, type StateRequirement, unversioned } from '#domain/decision/compliance-config.ts';
import type { Party, PartyFacts } from '#domain/decision/decide.ts';
import { policy, policySellers } from '#domain/policies/resource.ts';
import { type AgencyReference, agencyOfSort, agencySort, policyPartitions } from '#domain/policies/stored.ts';
import { noCoverage } from '#domain/registry-records/store.ts';
import type { Tables } from '#domain/tables.ts';
import { invalid } from '#platform/contract/errors.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { chunks, collect, mapPages } from '#platform/data/concurrently.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { type ApiRequest, operationsOf } from '#platform/request/endpoint.ts';
import { complianceRoutes, type PreviewedChange } from './routes.ts';

type Routes = typeof complianceRoutes.routes;

/** Sources of the statuses of an owner's parties, and of the policies that name them. */
interface PreviewSources extends DecisionSources {
  readonly tables: Tables<'agents' | 'associations' | 'compliance' | 'policies'>;
}

/** Fields of a policy that decide whose it is, and of which product. */
const countedPolicy = storedItem('policies/counted-policy', {
  agencySort: z.string(),
  entityMatchStatus: policy.shape.entityMatchStatus,
  productId: z.optional(objectId),
  productCode: policy.shape.productCode,
  productName: policy.shape.productName,
  sellers: z.optional(policySellers),
});

type CountedPolicy = z.output<typeof countedPolicy>;

type StateCode = StateRequirement['stateCode'];

/** An association, its agency, and the NPN by which policies may name the agency. */
type AgencyOfPolicies = Awaited<ReturnType<typeof agenciesOf>>[number];

/** Counts an owner's live policies of some states that pass a test: only numbers are kept of them. */
async function countPolicies(
  policies: Table<'by-state'>,
  owner: string,
  states: readonly StateCode[],
  isCounted: (policy: CountedPolicy) => boolean,
) {
  const counts = new Map<string, number>();
  const add = (...parts: readonly string[]) => {
    const name = nameOf(...parts);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const state of states) {
    const pages = policies.query(countedPolicy, policyPartitions.ofState(owner, state), {
      index: 'by-state',
      only: ['pk', 'sk', ...Object.keys(countedPolicy.shape)],
    });
    for await (const page of pages) {
      for (const policyOfState of page.filter(isCounted)) {
        const agency = agencySort(agencyOfSort(policyOfState.agencySort));
        add(state, agency);
        for (const agentId of policyOfState.sellers?.agentIds ?? []) add(state, agency, agentId);
      }
    }
  }
  const sum = (state: StateCode, agencies: readonly AgencyOfPolicies[], ...agent: readonly string[]) => {
    // Branches share the policies that only their NPN names.
    const names = new Set(
      agencies.flatMap(referencesOf).map((reference) => nameOf(state, agencySort(reference), ...agent)),
    );
    return Array.from(names, (name) => counts.get(name) ?? 0).reduce((total, count) => total + count, 0);
  };
  return {
    /** Number of the policies that name the association, and of those that name none and have the agency's NPN. */
    ofAgency: (state: StateCode, agency: AgencyOfPolicies) => sum(state, [agency]),
    /** Number of those that the agent sold for agencies that the agent still works for. */
    ofAgent: (state: StateCode, agentId: string, agencies: readonly AgencyOfPolicies[]) =>
      sum(state, agencies, agentId),
  };
}

const nameOf = (...parts: readonly string[]): string => parts.join(' ');

const referencesOf = ({ associationId, npn }: AgencyOfPolicies): AgencyReference[] => [
  { associationId },
  ...(npn === null ? [] : [{ npn }]),
];

/** Agents, or associations, whose records are read for one page of the answer. */
const holdersOfPage = 100;

async function* changesOf(
  {
    identity: { organizationId: owner },
    params: { productId },
    body,
    now,
  }: ApiRequest<Routes['previewComplianceConfig']>,
  { complianceConfigs, carrierIdentityOf, classKindsOf, recordedHolders, tables }: PreviewSources,
): AsyncGenerator<PreviewedChange[]> {
  const moment = momentOf({}, now);
  const productsOf = productsAmong(await complianceConfigs.products(owner, now));
  const asked = productsOf({ productId }).map(({ head }) => ({ head, days: [moment.day] }));
  const presentVersions = (await complianceConfigs.versions(owner, asked, moment.knownAt)).get(productId);
  const present = presentVersions?.[0];
  const configBefore = presentVersions ?? unversioned({ states: [] });
  const { states: listedStates, otherStates, authority, carrierNaicCodes } = body;
  const configAfter = unversioned({ states: listedStates, otherStates, authority, carrierNaicCodes });
  const states = statesThatDiffer(present ?? { states: [] }, configAfter[0]);
  if (states.length === 0) return;
  const [carrier, classKinds, agencies, policies] = await Promise.all([
    carrierIdentityOf(owner),
    classKindsOf(owner),
    agenciesOf(tables.associations, owner),
    countPolicies(
      tables.policies,
      owner,
      states,
      (policy) =>
        policy.entityMatchStatus !== 'manual review' &&
        [policy, ...productsOf(policy)].some((product) => product.productId === productId),
    ),
  ]);
  const changesOfParty = (party: Party, coverage = noCoverage, npn?: PartyFacts['npn']) =>
    states.flatMap((stateCode) => {
      const question = { party, npn, coverage, stateCode, carrier, moment };
      const statusBefore = statusOf({ ...question, configs: configBefore });
      const statusAfter = statusOf({ ...question, configs: configAfter });
      return statusNames(statusBefore) === statusNames(statusAfter)
        ? []
        : [{ party, stateCode, before: statusBefore, after: statusAfter }];
    });
  const coveragesOf = (npns: readonly string[]) =>
    recordedHolders.coveragesOf(owner, npns, { classKinds, statesOf: () => states });
  const ofEntities = Map.groupBy(agencies, ({ downstreamEntityId }) => downstreamEntityId);
  const entityOf = new Map(agencies.map((agency) => [agency.associationId, agency.downstreamEntityId]));
  const agentKey = agentKeys.agent(owner, '');
  for await (const page of tables.agents.query(storedAgent, agentKey.pk, { limit: holdersOfPage })) {
    const agents = page.filter(({ isDeleted }) => !isDeleted);
    const coverages = await coveragesOf(agents.map(({ npn }) => npn));
    yield agents.flatMap(({ _id: agentId, npn, downstreamEntityAssociationIds: ids }) => {
      const entityIds = new Set(ids.flatMap((id) => entityOf.get(id) ?? []));
      const worksFor = [...entityIds].flatMap((id) => ofEntities.get(id) ?? []);
      return changesOfParty('agent', coverages.get(npn)).map((change) => ({
        ...change,
        agentId,
        downstreamEntityAssociationId: null,
        policies: policies.ofAgent(change.stateCode, agentId, worksFor),
      }));
    });
  }
  for (const page of chunks(agencies, { count: holdersOfPage })) {
    const coverages = await coveragesOf(page.flatMap(({ npn }) => npn ?? []));
    yield page.flatMap((agency) =>
      changesOfParty('agency', coverages.get(agency.npn ?? ''), npnOf(agency)).map((change) => ({
        ...change,
        agentId: null,
        downstreamEntityAssociationId: agency.associationId,
        policies: policies.ofAgency(change.stateCode, agency),
      })),
    );
  }
}

/** The listed states in which something else would be required; nobody's status in another listed state can change. */
function statesThatDiffer(configBefore: ProposedConfig, configAfter: ProposedConfig): StateCode[] {
  const states = [
    ...new Set([...configBefore.states, ...configAfter.states].map(({ stateCode }) => stateCode)),
  ];
  const requirementIn = (config: ProposedConfig, code: StateCode) => {
    const rule = ruleOf(config, code);
    return (
      rule && { ...rule, stateCode: code, carrierNaicCodes: rule.carrierNaicCodes ?? config.carrierNaicCodes }
    );
  };
  return states.filter(
    (code) => !isDeepStrictEqual(requirementIn(configBefore, code), requirementIn(configAfter, code)),
  );
}

type ProposedConfig = Parameters<typeof unversioned>[0];

/** The agencies of a carrier, by their associations: ids and NPNs, some dozens of bytes each. */
function agenciesOf(associations: Table, owner: string) {
  const pages = associations.query(storedAssociation, associationKeys.association(owner, '').pk);
  const ofPages = mapPages(pages, (page) =>
    page.filter(isLive).map(({ _id: associationId, downstreamEntityId, agency: { npn, isNpnRequired } }) => ({
      associationId,
      downstreamEntityId,
      npn,
      isNpnRequired,
    })),
  );
  return collect(ofPages);
}

/** Operations on what products require. */
export const configOperations = operationsOf(
  complianceRoutes,
  (sources: PreviewSources, events: InputEventItems) => ({
    /** The configs of the caller's products, as they are in force now. */
    async *listComplianceConfigs({ identity, now }) {
      const configs = await sources.complianceConfigs.all(identity.organizationId, now);
      yield configs.map(({ versions: _versions, ...config }) => config);
    },

    /**
     * Parties whose status would change if a product required this in its states from now on, streamed; nothing is written.
     * @throws ApiError `validation_error` for a state given more than once.
     */
    previewComplianceConfig(request) {
      refuseRepeatedStates(request.body);
      return changesOf(request, sources);
    },

    /**
     * Records what a product requires from a day on, and has everyone's compliance checked again where it requires that now.
     *
     * @throws ApiError `validation_error` for a state given more than once, or a `validFrom` more than a year ahead; `not_found`
     *   for a product without a config; `transient_transaction_error` when other requests keep replacing the same config.
     */
    async replaceComplianceConfig({ identity, params: { productId }, body, now, recordResponse }) {
      refuseRepeatedStates(body);
      const owner = identity.organizationId;
      const change = { config: { productId, ...body }, isSilent: false, mustExist: true };
      const recordConfig = createRecordConfig(sources.tables.compliance);
      return recordConfig(owner, change, now, (config, isChangedNow) => [
        ...(isChangedNow ? events([configChanged(owner, productId)], now) : []),
        ...recordResponse(config),
      ]);
    },
  }),
);

function refuseRepeatedStates({ states }: ProposedConfig): void {
  const issues = repeatedStates(states);
  if (issues.length > 0) throw invalid(...issues);
}
