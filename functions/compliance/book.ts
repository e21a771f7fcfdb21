import { agentKeys, agentLink, agentOfNpn, type SellerLink, storedAgent } from '#domain/agents/stored.ts';
import {
  associationKeys,
  live,
  type StoredAssociation,
  storedAssociation,
  storedMarket,
} from '#domain/associations/stored.ts';
import { tooFarAhead } from '#domain/compliance/moment.ts';
import { productsAmong } from '#domain/compliance/store.ts';
import type { Judgment, JudgmentOf, SaleParty } from '#domain/decision/sale.ts';
import { marketIdOf } from '#domain/identifiers/market-id.ts';
import { rowsOfBook, summaryOf, summaryOfSales } from '#domain/policy-compliance/book.ts';
import { coveragesOfNpns } from '#domain/policy-compliance/parties.ts';
import { appointmentsDue, rowsOfSales } from '#domain/policy-compliance/sales.ts';
import { noCoverage } from '#domain/registry-records/store.ts';
import { answerOf, type NamedParties, resolve } from '#domain/sale-checks/answer.ts';
import type { AskedCheck, SaleCheck } from '#domain/sale-checks/resource.ts';
import { holdersOf } from '#domain/sale-checks/sources.ts';
import { combinedIssues, invalid, invalidAt, notFound } from '#platform/contract/errors.ts';
import { collect, readAhead } from '#platform/data/concurrently.ts';
import { pageAmong } from '#platform/data/table.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import type { Identity } from '#platform/identity/identity.ts';
import type { ComplianceOperation, Deps } from './function.ts';

/** A list, or what it adds up to, of the caller's. */
const ofCaller =
  <Query, Answer>(answer: (deps: Deps, owner: string, query: Query, now: Date) => Answer) =>
  (
    { identity, query, now }: { readonly identity: Identity; readonly query: Query; readonly now: Date },
    deps: Deps,
  ): Answer =>
    answer(deps, identity.organizationId, query, now);

/** Whether each policy may be serviced, agency by agency. @throws ApiError `validation_error` as `momentOf`; so do the others. */
export const listPolicyComplianceStatuses: ComplianceOperation<'listPolicyComplianceStatuses'> =
  ofCaller(rowsOfBook);

/** The number and the premium of policies by verdict, state, and product: the rows of the list, added up. */
export const getPolicyComplianceSummary: ComplianceOperation<'getPolicyComplianceSummary'> = ofCaller(
  (...question: Parameters<typeof rowsOfBook>) => summaryOf(rowsOfBook(...question)),
);

/** Whether each sale could be made by those who made it, agency by agency. */
export const listPolicySales: ComplianceOperation<'listPolicySales'> = ofCaller(rowsOfSales);

/** The number and the premium of sales by verdict, state, product, and year: the rows of the list, added up. */
export const getPolicySalesSummary: ComplianceOperation<'getPolicySalesSummary'> = ofCaller(
  (...question: Parameters<typeof rowsOfSales>) => summaryOfSales(rowsOfSales(...question)),
);

/** The parties that the caller is to appoint for what it bound, or appointed late, agency by agency. */
export const listAppointmentsDue: ComplianceOperation<'listAppointmentsDue'> = ofCaller(appointmentsDue);

/** Agents whose records are read at once. */
const agentsAtOnce = 100;

/** The question about every agent of an association. */
type Question = Pick<AskedCheck, 'product' | 'stateCode' | 'date'>;

/**
 * Answers the same check for some agents of an association at a time. What they share is read, and the agency judged, once: two
 * reads in sequence, then two for each page of agents.
 */
async function sellersOf(
  owner: string,
  association: StoredAssociation,
  { product, stateCode, date }: Question,
  now: Date,
  deps: Deps,
): Promise<(agents: readonly SellerLink[]) => Promise<SaleCheck[]>> {
  const [knownAt, today] = [now.toISOString(), newYorkDate(now)];
  const day = date ?? today;
  const [carrier, products] = await Promise.all([
    deps.carrierIdentityOf(owner),
    deps.complianceConfigs.products(owner, now),
  ]);
  const productsOf = productsAmong(products);
  const days = new Map(productsOf(product).map(({ head }) => [head, [day]]));
  const versions = await deps.complianceConfigs.versions(owner, days, knownAt);
  const coverages = coveragesOfNpns(deps, owner, { knownThen: undefined }, stateCode);
  const judgedOn = new Map<string, Judgment>();
  const remember: JudgmentOf<SaleParty> = ({ party }, judge, times) => {
    if (party === 'agent') return judge();
    const key = `${times.day} ${times.today}`;
    const judgment = judgedOn.get(key) ?? judge();
    judgedOn.set(key, judgment);
    return judgment;
  };
  return async (agents) => {
    const checks = agents.map((agent) => {
      const namedParties: NamedParties = {
        sellers: () => [agent],
        agencies: () => [association],
        association: () => association,
        companyName: () => undefined,
      };
      const seller = { agentId: agent._id };
      const agency = { downstreamEntityAssociationId: association._id };
      const resolvedNames = resolve({ seller, agency, product, stateCode }, namedParties, productsOf);
      return { reference: null, stateCode, date: day, isPresent: date === undefined, ...resolvedNames };
    });
    const coverageOfNpn = await coverages(holdersOf(checks).map(({ npn }) => npn));
    const inputs = {
      knownAt,
      today,
      carrier,
      configsOf: (productId: string) => versions.get(productId) ?? [],
      coverageOf: (npn: string | null) => coverageOfNpn.get(npn ?? '') ?? noCoverage,
    };
    return checks.map((check) => answerOf(check, inputs, remember));
  };
}

/**
 * Whether the agents of an association may sell, as a sale check of each answers it, streamed.
 * @throws ApiError `validation_error` where the query does not name one product, and for a day more than a year ahead.
 */
export const listSellers: ComplianceOperation<'listSellers'> = (request, deps) => {
  const { productId, productCode, date } = request.query;
  if (productId === undefined && productCode === undefined)
    throw invalidAt('productId', 'is required, or productCode');
  const issues = [
    ...combinedIssues({ productId, productCode }),
    ...tooFarAhead(request.now, [{ path: 'date', day: date }]),
  ];
  if (issues.length > 0) throw invalid(...issues);
  return readAhead(sellersOfAssociation(request, deps));
};

async function* sellersOfAssociation(
  { identity: { organizationId: owner }, query, now }: Parameters<ComplianceOperation<'listSellers'>>[0],
  deps: Deps,
): AsyncGenerator<SaleCheck[]> {
  const { downstreamEntityAssociationId: id, productId, productCode, stateCode, date, answer } = query;
  const { agents, associations } = deps.tables;
  const key = associationKeys.association(owner, id);
  const association = live(await associations.get(storedAssociation, key, { consistent: false }));
  if (association === undefined) return;
  const question = { product: { productId, productCode }, stateCode, date };
  const answersFor = await sellersOf(owner, association, question, now, deps);
  const { pk } = agentKeys.atAssociation(owner, id, '');
  for await (const links of agents.query(agentLink, pk, { limit: agentsAtOnce })) {
    const keys = links.map(({ sk }) => agentKeys.agent(owner, sk));
    const storedAgents = await agents.getInOrder(storedAgent, keys);
    const working = storedAgents.filter(
      ({ isDeleted, downstreamEntityAssociationIds: ids }) => !isDeleted && ids.includes(id),
    );
    const checks = await answersFor(working);
    yield checks.filter((check) => answer === undefined || check.answer === answer);
  }
}

/**
 * Whether agents that both the agency and the carrier have may sell for one of its markets, by what its carrier requires and
 * knows. The keys of all are read, and everything else of one page.
 *
 * @throws ApiError `not_found` unless it is an active market of the organization, with a carrier on the platform.
 */
export const listAgencySellers: ComplianceOperation<'listAgencySellers'> = async (
  { identity, query, now },
  deps,
) => {
  const { productId, stateCode } = query;
  const marketId = marketIdOf(query);
  if (marketId === undefined) throw invalidAt('upstreamDownstreamAssociationId', 'is required');
  const { id } = marketId;
  const { agents, associations } = deps.tables;
  const { organizationId } = identity;
  const marketKey = associationKeys.market(organizationId, id);
  const carrier = (await associations.get(storedMarket, marketKey, { consistent: false }))?.upstreamEntityId;
  if (carrier === undefined) throw notFound();
  const [association, links, holders] = await Promise.all([
    associations.get(storedAssociation, associationKeys.association(carrier, id)),
    collect(agents.query(agentLink, agentKeys.atAssociation(carrier, id, '').pk)),
    collect(agents.query(agentOfNpn, agentKeys.npn(organizationId, '').pk)),
  ]);
  if (live(association)?.status !== 'active' || association === undefined) throw notFound();
  const idOfCarrier = new Map(links.map(({ npn, sk }) => [npn, sk]));
  const agentsOfBoth = holders.flatMap(({ sk: npn, agentId }) => {
    const ofCarrier = idOfCarrier.get(npn);
    return ofCarrier === undefined ? [] : [{ agentId, ofCarrier }];
  });
  const shownAgents = pageAmong(agentsOfBoth, query);
  const answersFor = await sellersOf(carrier, association, { product: { productId }, stateCode }, now, deps);
  const agentsOf = (owner: string, ids: readonly string[]) =>
    agents.getInOrder(
      storedAgent,
      ids.map((agentId) => agentKeys.agent(owner, agentId)),
    );
  const [ofCarrier, ownAgents] = await Promise.all([
    agentsOf(
      carrier,
      shownAgents.map((agent) => agent.ofCarrier),
    ),
    agentsOf(
      organizationId,
      shownAgents.map(({ agentId }) => agentId),
    ),
  ]);
  const checks = await answersFor(ofCarrier.filter(({ isDeleted }) => !isDeleted));
  const ownAgentOf = new Map(ownAgents.map((agent) => [agent.npn, agent]));
  const items = checks.flatMap((check) => {
    const agent = ownAgentOf.get(check.seller?.npn ?? '');
    if (agent === undefined) return [];
    const { _id: agentId, npn, firstName, lastName } = agent;
    return [{ ...check, seller: { agentId, npn, firstName, lastName } }];
  });
  return { items, total: agentsOfBoth.length };
};
