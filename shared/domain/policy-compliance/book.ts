import { readAhead } from '../../platform/data/concurrently.ts';
import { ofReadable } from '../../platform/data/left-out.ts';
import { readOrThrow } from '../../platform/data/stored.ts';
import type { CarrierIdentityOf } from '../compliance/carrier-identity.ts';
import type { ClassKindsOf } from '../compliance/class-kinds.ts';
import type { Moment } from '../compliance/moment.ts';
import { agencyOfSort, agencySort } from '../policies/keys.ts';
import type { Policy } from '../policies/resource.ts';
import type { RecordedFacts } from '../registry-records/facts.ts';
import type { Tables } from '../tables.ts';
import {
  type Agency,
  agenciesOfSorts,
  branchesOfPolicies,
  coveragesOfNpns,
  noAgency,
  sellersOfIds,
} from './parties.ts';
import { createPoliciesByAgency, type MatchedPolicy, type PolicyFilters } from './policies.ts';
import {
  type ConfigsOf,
  contextsOfPages,
  type PageSources,
  type PoliciesContext,
  type PolicyOfAgency,
  policiesContext,
} from './statuses.ts';

/** What is asked about a carrier's policies. */
export interface BookQuestion {
  readonly owner: string;
  readonly moment: Moment;
  readonly now: Date;
  /** Which policies are asked about: also the only state whose records are needed. */
  readonly filters: PolicyFilters;
  /** Whether a policy is asked about: of others, the records of nobody are read. */
  readonly isWanted: (policy: MatchedPolicy, configsOf: ConfigsOf) => boolean;
}

/** A policy with all who are judged, or why nobody can be. */
export type BookEntry = (PolicyOfAgency & Agency) | UnjudgedPolicy;

interface UnjudgedPolicy {
  readonly policy: MatchedPolicy;
  readonly why: string;
}

interface BookPage {
  readonly entries: readonly BookEntry[];
  readonly context: PoliciesContext;
}

/** What a carrier's policies are read of and judged by. */
export interface BookSources extends PageSources {
  readonly tables: Tables<'agents' | 'associations' | 'policies'>;
  readonly carrierIdentityOf: CarrierIdentityOf;
  readonly recordedFacts: RecordedFacts;
  readonly classKindsOf: ClassKindsOf;
}

/** Why nothing is said of the compliance of policies whose agency is not settled. */
const unsettled: Readonly<Partial<Record<Policy['entityMatchStatus'], string>>> = {
  unmatched: 'The agency was not identified.',
  'manual review': 'The agency is in manual review.',
};

/**
 * The live policies of a carrier, each once, agency by agency, page by page. Each page's parties are read while the caller works
 * on the page before.
 */
export const readBook = (sources: BookSources, question: BookQuestion): AsyncGenerator<BookPage> =>
  readAhead(pagesOf(sources, question));

async function* pagesOf(
  { tables, complianceConfigs, carriers, carrierIdentityOf, ...records }: BookSources,
  { owner, moment, now, filters, isWanted }: BookQuestion,
): AsyncGenerator<BookPage> {
  const [products, carrier] = await Promise.all([
    complianceConfigs.byProduct(owner, now),
    carrierIdentityOf(owner),
  ]);
  const ofRequest = policiesContext(moment, now, carrier);
  const contextOfPage = contextsOfPages({ complianceConfigs, carriers }, owner, products, moment);
  const coverages = () => coveragesOfNpns(records, owner, moment.knownAt, filters.stateCode);
  const agenciesOf = agenciesOfSorts(tables.associations, owner, coverages());
  const sellersOf = sellersOfIds(tables.agents, owner, coverages());
  const branchesOf = branchesOfPolicies(tables.associations, owner);
  for await (const page of createPoliciesByAgency(tables.policies).all(owner, filters)) {
    const context = { ...ofRequest, ...(await contextOfPage(page)) };
    const wanted = ofReadable(page, (one) => (isWanted(one, context.configsOf) ? [one] : [])).flat();
    const settled = wanted.filter(({ entityMatchStatus }) => unsettled[entityMatchStatus] === undefined);
    const [agencies, agents] = await Promise.all([
      agenciesOf(settled.map(agencyKeyOf)),
      sellersOf(settled.flatMap(({ sellers }) => sellers?.agentIds ?? [])),
    ]);
    const entryOf = (policy: MatchedPolicy): Omit<PolicyOfAgency & Agency, 'branchIds'> | UnjudgedPolicy => {
      const why = unsettled[policy.entityMatchStatus];
      const agency =
        why === undefined ? (readOrThrow(agencies.get(agencyKeyOf(policy))) ?? noAgency) : { why };
      if ('why' in agency) return { policy, why: agency.why };
      const sellers = policy.sellers?.agentIds.flatMap((id) => readOrThrow(agents.get(id)) ?? []) ?? [];
      return { policy, sellers, ...agency };
    };
    const found = ofReadable(wanted, entryOf);
    const branches = await branchesOf(found.flatMap((one) => ('why' in one ? [] : one)));
    const entries = found.map((one) =>
      'why' in one ? one : { ...one, branchIds: branches.get(one.downstreamEntityId) },
    );
    yield { entries, context };
  }
}

const agencyKeyOf = (policy: MatchedPolicy): string => agencySort(agencyOfSort(policy.agencySort));
