import { lazily } from '../../platform/contract/lazily.ts';
import { mapAhead } from '../../platform/data/concurrently.ts';
import type { FindAll } from '../../platform/data/remembered.ts';
import { ofReadable, readOrThrow } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { ClassKindsOf } from '../compliance/class-kinds.ts';
import type { Moment } from '../compliance/moment.ts';
import type { CarrierIdentityOf } from '../compliance/store.ts';
import type { Coverage } from '../decision/coverage.ts';
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
import {
  type ConfigsOf,
  contextsOfPages,
  createPoliciesByAgency,
  type DatedSold,
  type MatchedPolicy,
  type PageSources,
  type PoliciesContext,
  type PolicyFilters,
  policiesContext,
  type Sold,
  type SoldByAgency,
} from './statuses.ts';

/** What is asked about a carrier's policies, or its sales. */
export interface JudgedQuestion<One extends Sold> {
  readonly owner: string;
  readonly moment: Moment;
  readonly now: Date;
  /** The only state whose records are needed. */
  readonly stateCode?: Policy['riskStateCode'] | undefined;
  /** Whether one is asked about: of others, the records of nobody are read. */
  readonly isWanted: (one: One, configsOf: ConfigsOf) => boolean;
  /** It, and whatever is judged with it. */
  readonly soldOf: (one: One) => readonly DatedSold[];
}

/** A policy or a sale with all who are judged, or why its agency can't be. */
export type Entry<One extends Sold> = (SoldByAgency<One> & Agency) | WithoutAgency<One>;

/** The same without the agency's branches. */
export type Parties<One extends Sold> = Omit<SoldByAgency<One> & Agency, 'branchIds'> | WithoutAgency<One>;

interface WithoutAgency<One extends Sold> extends Pick<SoldByAgency<One>, 'policy' | 'sellers'> {
  readonly agency: undefined;
  readonly why: string;
}

export interface JudgedPage<One extends Sold> {
  readonly entries: readonly Entry<One>[];
  /** Who is judged for what is judged with one of them; throws StoredItemError where one of them can't be read. */
  readonly partiesOf: <Other extends Sold>(sold: Other) => Parties<Other>;
  readonly context: PoliciesContext;
}

/** What a carrier's policies are read of and judged by. */
export interface JudgedSources<Index extends string> extends PageSources {
  readonly tables: Tables<'agents' | 'associations'> & { readonly policies: Table<Index> };
  readonly carrierIdentityOf: CarrierIdentityOf;
  readonly recordedFacts: RecordedFacts;
  readonly classKindsOf: ClassKindsOf;
}

/** The same without the policies. */
type PartySources = Omit<JudgedSources<never>, 'tables'> & {
  readonly tables: Tables<'agents' | 'associations'>;
};

export type BookSources = JudgedSources<'by-agency'>;

/** Why nothing is said of an agency that is not matched. */
const whyUnmatched: Readonly<Partial<Record<Policy['entityMatchStatus'], string>>> = {
  unmatched: 'The agency was not identified.',
  'manual review': 'The agency is in manual review.',
};

/** For one request: who is judged for policies and sales, each holder read once, however many name it. */
export function createPartiesOf(tables: PartySources['tables'], owner: string, coverages: FindAll<Coverage>) {
  const agenciesOf = agenciesOfSorts(tables.associations, owner, coverages);
  const sellersOf = sellersOfIds(tables.agents, owner, coverages);
  return async (sold: readonly Sold[]): Promise<JudgedPage<Sold>['partiesOf']> => {
    const matched = sold.filter(({ entityMatchStatus }) => whyUnmatched[entityMatchStatus] === undefined);
    const [agencies, agents] = await Promise.all([
      agenciesOf(matched.map(agencyKeyOf)),
      sellersOf(sold.flatMap(({ sellers }) => sellers?.agentIds ?? [])),
    ]);
    return (policy) => {
      const why = whyUnmatched[policy.entityMatchStatus];
      const agency =
        why === undefined ? (readOrThrow(agencies.get(agencyKeyOf(policy))) ?? noAgency) : { why };
      const sellers = policy.sellers?.agentIds.flatMap((id) => readOrThrow(agents.get(id)) ?? []) ?? [];
      return 'why' in agency
        ? { policy, sellers, agency: undefined, why: agency.why }
        : { policy, sellers, ...agency };
    };
  };
}

/** The live policies of a carrier that pass the filters, each once, agency by agency, page by page. */
export const readBook = (
  sources: BookSources,
  question: JudgedQuestion<MatchedPolicy>,
  filters: PolicyFilters,
): AsyncGenerator<JudgedPage<MatchedPolicy>> =>
  judgedPages(
    sources,
    question,
    createPoliciesByAgency(sources.tables.policies).all(question.owner, filters),
  );

/** With one alone, DynamoDB and this function wait for each other at the end of each page. */
const pagesAhead = 2;

/**
 * Pages of policies or sales with whoever is judged for them, each holder read once. Each page's parties are read while the caller
 * works on the pages before.
 */
export async function* judgedPages<One extends Sold>(
  sources: PartySources,
  question: JudgedQuestion<One>,
  pages: AsyncIterable<One[]>,
): AsyncGenerator<JudgedPage<One>> {
  yield* mapAhead(pages, pagesAhead, await readerOfPages(sources, question));
}

/** Reads whoever is judged for pages of policies or sales: each holder once, however many pages there are. */
export async function readerOfPages<One extends Sold>(
  { tables, complianceConfigs, carriers, carrierIdentityOf, ...records }: PartySources,
  { owner, moment, now, stateCode, isWanted, soldOf }: JudgedQuestion<One>,
): Promise<(page: readonly One[]) => Promise<JudgedPage<One>>> {
  const [products, carrier] = await Promise.all([
    complianceConfigs.byProduct(owner, now),
    carrierIdentityOf(owner),
  ]);
  const ofRequest = policiesContext(moment, now, carrier);
  const contextOfPage = contextsOfPages({ complianceConfigs, carriers }, owner, products, moment);
  const partiesIn = (state: typeof stateCode) =>
    createPartiesOf(tables, owner, coveragesOfNpns(records, owner, moment.knownAt, state));
  const partiesOfState = partiesIn(stateCode);
  // A policy may have been sold in another state than that which is asked about.
  const partiesOfOthers = lazily(() => partiesIn(undefined));
  const isOfState = (sold: Sold): boolean => stateCode === undefined || sold.riskStateCode === stateCode;
  const branchesOf = branchesOfPolicies(tables.associations, owner);
  return async (page) => {
    const context = { ...ofRequest, ...(await contextOfPage(page.flatMap(soldOf))) };
    const wanted = ofReadable(page, (one) => (isWanted(one, context.configsOf) ? [one] : [])).flat();
    const sold = wanted.flatMap(soldOf).map((one) => one.sold);
    const others = sold.filter((one) => !isOfState(one));
    const [ofState, ofOthers] = await Promise.all([
      partiesOfState(sold.filter(isOfState)),
      others.length === 0 ? undefined : partiesOfOthers()(others),
    ]);
    const partiesOf: JudgedPage<One>['partiesOf'] = (one) =>
      (isOfState(one) ? ofState : (ofOthers ?? ofState))(one);
    const found = ofReadable(wanted, partiesOf);
    const branches = await branchesOf(found.flatMap((one) => ('why' in one ? [] : one)));
    const entries = found.map((one) =>
      'why' in one ? one : { ...one, branchIds: branches.get(one.downstreamEntityId) },
    );
    return { entries, partiesOf, context };
  };
}

const agencyKeyOf = (one: Sold): string => agencySort(agencyOfSort(one.agencySort));
