import { brotliCompress, constants } from 'node:zlib';
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
import { daysWithLaterVersions, productsAmong } from '#domain/compliance/store.ts';
import { rulesNumber } from '#domain/decision/reasons.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import {
  type AskedAgency,
  type AskedSeller,
  answerOf,
  holdersOf,
  type NamedParties,
  resolve,
} from '#domain/sale-checks/answer.ts';
import { hashOf, receiptPartition, shownSources, sourcesOf } from '#domain/sale-checks/receipt.ts';
import type { AskedCheck } from '#domain/sale-checks/resource.ts';
import type { Tables } from '#domain/tables.ts';
import { KB, MB } from '#platform/aws/limits.ts';
import { combinedIssues, existing, invalid, tooLarge } from '#platform/contract/errors.ts';
import type { SignatureKeys } from '#platform/crypto/signature-keys.ts';
import { collect, readEach } from '#platform/data/concurrently.ts';
import { isNew } from '#platform/data/expressions.ts';
import { promisify } from '#platform/data/json.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { type Key, largestItem, type Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import type { ApiRequest, Operations } from '#platform/request/endpoint.ts';
import type { saleCheckAnswers, saleCheckRequest, saleCheckRoutes } from './routes.ts';

/** Checks with their answers and what they rest on. */
interface AnsweredChecks extends Awaited<ReturnType<typeof answersTo>> {
  readonly organizationId: string;
  readonly asOf: string;
  readonly asked: readonly AskedCheck[];
}

type Answers = z.output<typeof saleCheckAnswers>;

const keptYears = 10;

/** Bytes of what is signed: with the response that an idempotency key records, it has to fit into one transaction. */
export const longestPayload = MB;

/** Bytes of what is kept, compressed: with that response, it has to fit into a transaction. */
export const longestKept = 3 * MB;

/** Advice where a request asks for too much at once. */
const divideAdvice = 'Divide the checks among several requests.';

/** Bytes of a part; its other attributes need less than a hundred. */
const partBytes = largestItem - KB;

const tooLong = () => tooLarge('The receipt would be too large.', { instead: divideAdvice });

const brotli = promisify(brotliCompress);

/** Brotli finds the same rows again in megabytes, gzip within 32 KB; of what it does better it does the cheapest. */
const compress = (text: string): Promise<Buffer> =>
  brotli(Buffer.from(text), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

/**
 * Signs a receipt and stores it, in one transaction with the recorded response.
 * @throws ApiError 413 where it would be too large.
 */
async function issueReceipt(
  table: Table,
  keys: Pick<SignatureKeys, 'sign'>,
  { organizationId, asOf, asked, checks, resolved, inputs }: AnsweredChecks,
  now: Date,
  recordResponse: (answers: Answers) => readonly TransactionItem[],
): Promise<Answers> {
  const { sources, parties } = sourcesOf(resolved, inputs);
  const receiptId = newObjectId(now);
  const payload = JSON.stringify({
    receiptId,
    organizationId,
    asOf,
    knownAt: inputs.knownAt,
    iat: Math.floor(now.getTime() / 1_000),
    rules: rulesNumber,
    checks: checks.map((check, index) => ({ ...check, asked: asked[index] })),
    sourcesHash: hashOf(shownSources(sources)),
  });
  if (Buffer.byteLength(payload) > longestPayload) throw tooLong();
  const jws = await keys.sign(payload);
  const ofChecks = resolved.map(({ isPresent, found }, index) => ({
    isPresent,
    found,
    parties: parties[index],
  }));
  const bytes = await compress(JSON.stringify({ jws, resolved: ofChecks, sources }));
  if (bytes.length > longestKept) throw tooLong();
  const expiresAt = new Date(now);
  expiresAt.setUTCFullYear(expiresAt.getUTCFullYear() + keptYears);
  const parts = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, index) =>
    table.items.put(
      {
        pk: receiptPartition(organizationId, receiptId),
        sk: String(index).padStart(2, '0'),
        part: bytes.subarray(index * partBytes, (index + 1) * partBytes),
        expiresAt: Math.floor(expiresAt.getTime() / 1_000),
      },
      isNew,
    ),
  );
  const answers = { checks, receiptId, jws };
  await table.transact([...parts, ...recordResponse(answers)]);
  return answers;
}

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
  // The association that a check does not name is that of its seller, who may work for the named agency at another branch.
  const ids = checks.flatMap(({ seller, agency }) => {
    const namedIds = agency === undefined ? [] : idsOf(agency);
    const ownIds = sellersOf(seller).flatMap((one) => one.downstreamEntityAssociationIds);
    return ownIds.some((id) => namedIds.includes(id)) ? namedIds : [...namedIds, ...ownIds];
  });
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
 * names, and one for each other version of a product's config than today's that counts; three of them one after the other.
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
        productsOf(check.product).map(({ head }) => ({
          head,
          days: daysWithLaterVersions(head, dayOf(check).date),
        })),
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
    // Read together with what is named: where that fails, so does this.
    classKinds,
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
