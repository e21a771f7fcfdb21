import type * as z from 'zod/mini';
import { agentKeys, agentsOfNpn, type SellerLink, sellerLink, storedAgent } from '#domain/agents/stored.ts';
import {
  associationKeys,
  associationKeysOfNpn,
  codeOwner,
  isLive,
  isOfNpn,
  storedAssociation,
} from '#domain/associations/stored.ts';
import { carrierKeys, ownerOfNaicCode, storedCarrier } from '#domain/carriers/catalog.ts';
import { momentOf, tooFarAhead } from '#domain/compliance/moment.ts';
import { coveragesOfHolders, type DecisionSources } from '#domain/compliance/sources.ts';
import { productsAmong } from '#domain/compliance/store.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import {
  type AskedAgency,
  type AskedSeller,
  answerOf,
  holdersOf,
  type NamedParties,
  resolve,
} from '#domain/sale-checks/answer.ts';
import type { AskedCheck } from '#domain/sale-checks/resource.ts';
import type { Tables } from '#domain/tables.ts';
import { MB } from '#platform/aws/limits.ts';
import { combinedIssues, existing, invalid, tooLarge } from '#platform/contract/errors.ts';
import type { SignatureKeys } from '#platform/crypto/signature-keys.ts';
import { collect, readEach } from '#platform/data/concurrently.ts';
import type { Key } from '#platform/data/table.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import type { ApiRequest, Operations } from '#platform/request/endpoint.ts';
import { divideAdvice, issueReceipt } from './receipts.ts';
import type { saleCheckRequest, saleCheckRoutes } from './routes.ts';

/** Sources of what checks name, and of what answers them. */
interface SaleCheckSources extends DecisionSources {
  readonly tables: Tables<'agents' | 'associations' | 'carriers' | 'saleReceipts'>;
  readonly receiptKeys: SignatureKeys;
}

/**
 * Finds the parties that checks name: agents and the keys of associations and companies in one round, these in another;
 * one query for each NPN and external id, and everything else in batches.
 */
async function findNamed(
  owner: string,
  checks: readonly AskedCheck[],
  { agents, associations, carriers }: Tables<'agents' | 'associations' | 'carriers'>,
): Promise<NamedParties> {
  const askedSellers = checks.map(({ seller }) => seller);
  const askedAgencies = checks.flatMap(({ agency }) => agency ?? []);
  const holderKeyOf = ({ producerCode, externalId }: AskedAgency): Key | undefined => {
    if (producerCode !== undefined) return associationKeys.producerCode(owner, producerCode);
    return externalId === undefined ? undefined : associationKeys.externalId(owner, externalId);
  };
  const companies = checks.flatMap(({ carrierNaicCode }) => carrierNaicCode ?? []);
  const agentIds = askedSellers.flatMap(({ agentId }) => agentId ?? []);
  const npns = askedSellers.flatMap(({ npn }) => npn ?? []);
  const externalIds = askedSellers.flatMap(({ externalId }) => externalId ?? []);
  const agencyKeys = askedAgencies.flatMap((agency) => holderKeyOf(agency) ?? []);
  const agencyNpns = askedAgencies.flatMap(({ npn }) => npn ?? []);
  const keysOfIds = agentIds.map((id) => agentKeys.agent(owner, id));
  const [ofIds, ofNpn, ofExternalId, holderUnder, keysOfNpn, holderOfCode] = await Promise.all([
    agents.getAll(storedAgent, keysOfIds, { consistent: false }),
    readEach(npns, (npn) => agentsOfNpn(agents, owner, npn)),
    // An organization may have given several agents the same.
    readEach(externalIds, (id) =>
      collect(agents.query(sellerLink, agentKeys.byExternalId(owner, id, '').pk)),
    ),
    associations.getByKey(codeOwner, agencyKeys, { consistent: false }),
    readEach(agencyNpns, (npn) => collect(associationKeysOfNpn(associations, owner, npn))),
    carriers.getByKey(ownerOfNaicCode, companies.map(carrierKeys.naicCode), { consistent: false }),
  ]);
  const agentsById = Map.groupBy(ofIds, ({ _id }) => _id);
  const sellersOf = ({ agentId = '', npn = '', externalId = '' }: AskedSeller): readonly SellerLink[] => [
    ...[...(agentsById.get(agentId) ?? []), ...(ofNpn.get(npn) ?? [])].filter(({ isDeleted }) => !isDeleted),
    ...(ofExternalId.get(externalId) ?? []),
  ];
  const idsOf = (askedAgency: AskedAgency): readonly string[] => {
    if (askedAgency.downstreamEntityAssociationId !== undefined)
      return [askedAgency.downstreamEntityAssociationId];
    const holderKey = holderKeyOf(askedAgency);
    if (holderKey !== undefined) return [holderUnder(holderKey)?.associationId ?? []].flat();
    return (keysOfNpn.get(askedAgency.npn ?? '') ?? []).map(({ sk }) => sk);
  };
  // The association that a check does not name is that of its seller.
  const ids = checks.flatMap(({ seller, agency }) =>
    agency === undefined
      ? sellersOf(seller).flatMap(({ downstreamEntityAssociationIds }) => downstreamEntityAssociationIds)
      : idsOf(agency),
  );
  const carrierKeyOf = (code: string): readonly Key[] => {
    const holder = holderOfCode(carrierKeys.naicCode(code));
    return holder === undefined ? [] : [carrierKeys.carrier(holder.carrierId)];
  };
  const associationKeysOfIds = ids.map((id) => associationKeys.association(owner, id));
  const [associationsRead, namedCarriers] = await Promise.all([
    associations.getAll(storedAssociation, associationKeysOfIds, { consistent: false }),
    carriers.getAll(storedCarrier, companies.flatMap(carrierKeyOf), { consistent: false }),
  ]);
  const byId = new Map(associationsRead.filter(isLive).map((association) => [association._id, association]));
  const names = new Map(namedCarriers.map(({ naicCode, name }) => [comparable(naicCode), name]));
  return {
    sellers: sellersOf,
    agencies: (askedAgency) =>
      idsOf(askedAgency)
        .flatMap((id) => byId.get(id) ?? [])
        .filter((association) => askedAgency.npn === undefined || isOfNpn(association, askedAgency.npn)),
    association: (id) => byId.get(id),
    companyName: (naicCode) => names.get(comparable(naicCode)),
  };
}

type Request = Pick<z.output<typeof saleCheckRequest>, 'checks' | 'asOf' | 'knownAt'>;

type Query = ApiRequest<typeof saleCheckRoutes.routes.getSaleCheck>['query'];

/** Bytes of a request's answers. */
export const longestAnswers = 4 * MB;

/**
 * The times of the checks: the moment whose knowledge counts, and the day of each.
 * @param pathOf what the request calls the day of a check.
 * @throws ApiError `validation_error` for a day more than a year ahead, and a moment to come.
 */
function askedMoments({ checks, asOf, knownAt }: Request, now: Date, pathOf: (index: number) => string) {
  const moment = momentOf({ knownAt }, now);
  const issues = tooFarAhead(now, [
    { path: 'asOf', day: asOf },
    ...checks.map(({ date }, index) => ({ path: pathOf(index), day: date })),
  ]);
  if (issues.length > 0) throw invalid(...issues);
  return {
    knownAt: moment.knownAt,
    knownThen: moment.knownThen,
    asOf: asOf ?? moment.day,
    dayOf: ({ date }: AskedCheck) => ({
      date: date ?? asOf ?? moment.day,
      isPresent: date === undefined && asOf === undefined && moment.isPresent,
    }),
  };
}

/**
 * The answers to checks, and what they rest on. At most four reads, one for each seller and agency that an NPN or an external id
 * names, and two for each product that is judged by another version than today's; three of them one after the other.
 */
async function answersTo(
  owner: string,
  checks: readonly AskedCheck[],
  { knownAt, knownThen, dayOf }: ReturnType<typeof askedMoments>,
  now: Date,
  sources: SaleCheckSources,
) {
  const { complianceConfigs, carrierIdentityOf, classKindsOf } = sources;
  const finding = findNamed(owner, checks, sources.tables);
  const reading = complianceConfigs.products(owner, now).then(productsAmong);
  const classKinds = classKindsOf(owner);
  const coveragesOf = coveragesOfHolders(sources, owner, knownThen, () => classKinds);
  const [carrier, versions, { resolved, coverageOf }] = await Promise.all([
    carrierIdentityOf(owner),
    reading.then((productsOf) => {
      const asked = checks.flatMap((check) =>
        productsOf(check.product).map(({ head }) => ({ head, days: [dayOf(check).date] })),
      );
      return complianceConfigs.versions(owner, asked, knownAt, finding);
    }),
    Promise.all([reading, finding]).then(async ([productsOf, namedParties]) => {
      const resolvedChecks = checks.map((check) => {
        const { reference = null, stateCode } = check;
        return { reference, stateCode, ...dayOf(check), ...resolve(check, namedParties, productsOf) };
      });
      return { resolved: resolvedChecks, coverageOf: await coveragesOf(holdersOf(resolvedChecks)) };
    }),
  ]);
  const inputs = {
    knownAt,
    today: newYorkDate(now),
    carrier,
    configsOf: (productId: string) => versions.get(productId) ?? [],
    coverageOf,
  };
  return { checks: resolved.map((check) => answerOf(check, inputs)), resolved, inputs };
}

/**
 * The check that a query asks.
 * @throws ApiError `validation_error` where it does not name one seller and one product, or names two agencies.
 */
function askedCheckOf({ stateCode, date, carrierNaicCode, ...names }: Query): AskedCheck {
  const { npn, agentId, externalId, productCode, productId, productName } = names;
  const { producerCode, downstreamEntityAssociationId } = names;
  const seller = { npn, agentId, externalId };
  const product = { productCode, productId, productName };
  const agency = { producerCode, downstreamEntityAssociationId };
  const isNamed = (names: object) => Object.values(names).some((value) => value !== undefined);
  const missingNames = [seller, product]
    .filter((names) => !isNamed(names))
    .map((names) => {
      const [path = '', ...otherNames] = Object.keys(names);
      return { path, message: `is required, or ${otherNames.join(' or ')}` };
    });
  const issues = [...missingNames, ...[seller, product, agency].flatMap(combinedIssues)];
  if (issues.length > 0) throw invalid(...issues);
  return { seller, product, stateCode, date, carrierNaicCode, ...(isNamed(agency) ? { agency } : {}) };
}

/** Whether producers may sell, and the keys that sign receipts of it. */
export const saleCheckOperations = (
  sources: SaleCheckSources,
): Operations<typeof saleCheckRoutes.routes> => ({
  /**
   * Whether producers may sell (OpenAPI, "May she sell?"). The reads of `answersTo`, and one write for a receipt.
   *
   * @throws ApiError `validation_error` as `askedMoments`, and 413 for answers, or a receipt, that would be too large.
   */
  async checkSales({ identity: { organizationId }, body, now, recordResponse }) {
    const moments = askedMoments(body, now, (index) => `checks[${index}].date`);
    const answeredChecks = await answersTo(organizationId, body.checks, moments, now, sources);
    const { checks } = answeredChecks;
    if (Buffer.byteLength(JSON.stringify(checks)) > longestAnswers) {
      throw tooLarge(`The answers would be larger than ${longestAnswers / MB} MB.`, {
        instead: divideAdvice,
      });
    }
    if (body.receipt !== true) return { checks };
    const receipt = { organizationId, asOf: moments.asOf, asked: body.checks, ...answeredChecks };
    return issueReceipt(sources.tables.saleReceipts, sources.receiptKeys, receipt, now, recordResponse);
  },

  /**
   * Whether one producer may sell, for quotes: the same answer, without a receipt.
   * @throws ApiError `validation_error` as `askedCheckOf`, and for a day more than a year ahead.
   */
  async getSaleCheck({ identity: { organizationId }, query, now }) {
    const checks = [askedCheckOf(query)];
    const moments = askedMoments({ checks }, now, () => 'date');
    return existing((await answersTo(organizationId, checks, moments, now, sources)).checks[0]);
  },

  /** The public halves of the keys that sign receipts, or signed them once. */
  async getReceiptKeys() {
    return { keys: [...(await sources.receiptKeys.publicKeys())] };
  },
});
