import { agentKeys, agentLink, agentOfNpn, type SellerLink, storedAgent } from '#domain/agents/stored.ts';
import {
  associationKeys,
  live,
  type StoredAssociation,
  storedAssociation,
  storedMarket,
} from '#domain/associations/stored.ts';
import { recordedDays } from '#domain/carrier-lists/resource.ts';
import {
  actionList,
  appointmentList,
  type CarrierList,
  type CarrierListSources,
  type InState,
  licenseList,
  rowsOfCarrier,
} from '#domain/carrier-lists/rows.ts';
import { tooFarAhead } from '#domain/compliance/moment.ts';
import { coveragesOfHolders } from '#domain/compliance/sources.ts';
import { daysWithLaterVersions, productsAmong } from '#domain/compliance/store.ts';
import type { Judgment, JudgmentOf, SaleParty } from '#domain/decision/sale.ts';
import { marketIdOf } from '#domain/identifiers/identifiers.ts';
import { type JudgedSources, rowsOfBook, summaryOf, summaryOfSales } from '#domain/policy-compliance/book.ts';
import { appointmentsDue, rowsOfSales } from '#domain/policy-compliance/sales.ts';
import { answerOf, holdersOf, type NamedParties, resolve } from '#domain/sale-checks/answer.ts';
import type { AskedCheck, SaleCheck } from '#domain/sale-checks/resource.ts';
import type { UnlessRestored } from '#platform/changes/change-index.ts';
import { combinedIssues, invalid, invalidAt, notFound } from '#platform/contract/errors.ts';
import { timeSince } from '#platform/contract/list-queries.ts';
import { valueByKey } from '#platform/data/caches.ts';
import { collect, readAhead } from '#platform/data/concurrently.ts';
import { pageAmong } from '#platform/data/table.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import type { ApiRequest, Operations } from '#platform/request/endpoint.ts';
import type { complianceRoutes } from './routes.ts';

type Routes = typeof complianceRoutes.routes;

/** Sources of lists of policies, sales, sellers, and a carrier's records. */
type ListSources = JudgedSources<'by-agency' | 'by-sale'> &
  CarrierListSources & { readonly unlessRestored: UnlessRestored };

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
  sources: ListSources,
): Promise<(agents: readonly SellerLink[]) => Promise<SaleCheck[]>> {
  const [knownAt, today] = [now.toISOString(), newYorkDate(now)];
  const day = date ?? today;
  const [carrier, products] = await Promise.all([
    sources.carrierIdentityOf(owner),
    sources.complianceConfigs.products(owner, now),
  ]);
  const productsOf = productsAmong(products);
  const asked = productsOf(product).map(({ head }) => ({ head, days: daysWithLaterVersions(head, day) }));
  const versions = await sources.complianceConfigs.versions(owner, asked, knownAt);
  const coveragesOf = coveragesOfHolders(sources, owner);
  const judgedOn = new Map<string, Judgment>();
  const remember: JudgmentOf<SaleParty> = ({ party }, judge, times) => {
    if (party === 'agent') return judge();
    return valueByKey(judgedOn, `${times.day} ${times.today}`, judge);
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
    const inputs = {
      knownAt,
      today,
      carrier,
      configsOf: (productId: string) => versions.get(productId) ?? [],
      coverageOf: await coveragesOf(holdersOf(checks)),
    };
    return checks.map((check) => answerOf(check, inputs, remember));
  };
}

async function* sellersOfAssociation(
  { identity: { organizationId: owner }, query, now }: ApiRequest<Routes['listSellers']>,
  sources: ListSources,
): AsyncGenerator<SaleCheck[]> {
  const { downstreamEntityAssociationId: id, productId, productCode, stateCode, date, answer } = query;
  const { agents, associations } = sources.tables;
  const key = associationKeys.association(owner, id);
  const association = live(await associations.get(storedAssociation, key, { consistent: false }));
  if (association === undefined) return;
  const question = { product: { productId, productCode }, stateCode, date };
  const answersFor = await sellersOf(owner, association, question, now, sources);
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

/** Lists of a carrier's policies, sales, sellers, and records, and of an agency's sellers. */
export const listOperations = (sources: ListSources) => {
  /**
   * Answers a list, unless what was recorded since the time that is asked for is not known any more.
   * @throws ApiError `validation_error` for a time before that, or before a restore.
   */
  const listOf =
    <Row extends InState, Key extends InState>(list: CarrierList<Row, Key>) =>
    ({
      identity,
      query,
      now,
    }: Pick<ApiRequest<Routes['listRegulatoryActions']>, 'identity' | 'query' | 'now'>) => {
      const pages = rowsOfCarrier(list, sources, identity.organizationId, query, now);
      if (query.recordedSince === undefined) return pages;
      const since = timeSince('recordedSince', query.recordedSince, recordedDays, now);
      return sources.unlessRestored(since, pages, 'recordedSince');
    };
  return {
    /** Whether each policy may be serviced, agency by agency. @throws ApiError `validation_error` as `momentOf`; so do the others. */
    listPolicyComplianceStatuses: ({ identity, query, now }) =>
      rowsOfBook(sources, identity.organizationId, query, now),

    /** The number and the premium of policies by verdict, state, and product: the rows of the list, added up. */
    getPolicyComplianceSummary: ({ identity, query, now }) =>
      summaryOf(rowsOfBook(sources, identity.organizationId, query, now)),

    /** Whether each sale could be made by those who made it, agency by agency. */
    listPolicySales: ({ identity, query, now }) => rowsOfSales(sources, identity.organizationId, query, now),

    /** The number and the premium of sales by verdict, state, product, and year: the rows of the list, added up. */
    getPolicySalesSummary: ({ identity, query, now }) =>
      summaryOfSales(rowsOfSales(sources, identity.organizationId, query, now)),

    /** The parties that the caller is to appoint for what it bound, or appointed late, agency by agency. */
    listAppointmentsDue: ({ identity, query, now }) =>
      appointmentsDue(sources, identity.organizationId, query, now),

    listLicenses: listOf(licenseList),
    listAppointments: listOf(appointmentList),
    listRegulatoryActions: listOf(actionList),

    /**
     * Whether the agents of an association may sell, as a sale check of each answers it, streamed.
     * @throws ApiError `validation_error` where the query does not name one product, and for a day more than a year ahead.
     */
    listSellers(request) {
      const { productId, productCode, date } = request.query;
      if (productId === undefined && productCode === undefined)
        throw invalidAt('productId', 'is required, or productCode');
      const issues = [
        ...combinedIssues({ productId, productCode }),
        ...tooFarAhead(request.now, [{ path: 'date', day: date }]),
      ];
      if (issues.length > 0) throw invalid(...issues);
      return readAhead(sellersOfAssociation(request, sources));
    },

    /**
     * Whether agents that both the agency and the carrier have may sell for one of its markets, by what its carrier requires and
     * knows. The keys of all are read, and everything else of one page.
     *
     * @throws ApiError `not_found` unless it is an active market of the organization, with a carrier on the platform.
     */
    async listAgencySellers({ identity: { organizationId }, query, now }) {
      const { productId, stateCode } = query;
      const marketId = marketIdOf(query);
      if (marketId === undefined) throw invalidAt('upstreamDownstreamAssociationId', 'is required');
      const { id } = marketId;
      const { agents, associations } = sources.tables;
      const marketKey = associationKeys.market(organizationId, id);
      const market = await associations.get(storedMarket, marketKey, { consistent: false });
      const carrier = market?.upstreamEntityId;
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
      const question = { product: { productId }, stateCode };
      const answersFor = await sellersOf(carrier, association, question, now, sources);
      const [ofCarrier, ownAgents] = await Promise.all([
        agents.getInOrder(
          storedAgent,
          shownAgents.map((agent) => agentKeys.agent(carrier, agent.ofCarrier)),
        ),
        agents.getInOrder(
          storedAgent,
          shownAgents.map(({ agentId }) => agentKeys.agent(organizationId, agentId)),
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
    },
  } satisfies Partial<Operations<Routes>>;
};
