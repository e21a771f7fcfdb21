// Shared by the tests of sale checks: a carrier with an agency, two of its producers, and a product. Each file that imports it
// gets its own tables before its first test.

import { createComplianceFunction } from '../../functions/compliance/function.ts';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { createSaleChecksFunction } from '../../functions/sale-checks/function.ts';
import { saleCheckRoutes } from '../../functions/sale-checks/routes.ts';
import type { AskedCheck, SaleCheck } from '../../shared/domain/sale-checks/resource.ts';
import { tables as designs } from '../../shared/domain/tables.ts';
import type { Route } from '../../shared/platform/contract/route.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { carrier, type EventOptions, send } from './api-event.ts';
import { testContext } from './context.ts';
import { agent, license } from './import-lines.ts';
import { importInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { memorySignatureKeys } from './signature-keys.ts';
import { createTables, dynamo } from './tables.ts';

const { getSaleReceipt, listSellers, listAgencySellers, listPolicySales } = complianceRoutes.routes;

export const routes = {
  ...saleCheckRoutes.routes,
  getSaleReceipt,
  listSellers,
  listAgencySellers,
  listPolicySales,
};

/** The time of imports and requests. */
export const clock = { time: new Date('2026-07-01T12:00:00.000Z') };
const now = () => clock.time;

/** An id from a number. */
export const id = (number: number): string => number.toString(16).padStart(24, '0');

const used = {
  agents: designs.agents,
  associations: designs.associations,
  carriers: designs.carriers,
  compliance: designs.compliance,
  contacts: designs.contacts,
  downstreamEntities: designs.downstreamEntities,
  idempotency: designs.idempotency,
  organizations: designs.organizations,
  outbox: designs.outbox,
  policies: designs.policies,
  rateCounters: designs.rateCounters,
  registryRecords: designs.registryRecords,
  saleReceipts: designs.saleReceipts,
};

export let tables: Record<keyof typeof used, string>;
export let newOwner: ReturnType<typeof organizationsIn>;

const receiptKeys = memorySignatureKeys();

beforeAll(async () => {
  tables = await createTables(used);
  newOwner = organizationsIn(tables.organizations, now);
});

export const newId = (): string => newObjectId(new Date());

beforeEach(() => {
  clock.time = new Date('2026-07-01T12:00:00.000Z');
  associationId = newId();
});

export async function importLines(
  organizationId: string | undefined,
  ...records: readonly object[]
): Promise<void> {
  const lines = records.map((record) => JSON.stringify(record));
  const { rejected } = await importInto(tables, now)({ organizationId, firstLine: 1, lines });
  expect(rejected).toEqual([]);
}

export const agencyNpn = '17654321';
export const producerNpn = '8123456';
/** Of a second producer, who has no license. */
export const unlicensedNpn = '8123457';
/** Of the carrier that a test makes: such ids are one carrier's. */
export let associationId: string;
export const productId = id(9);

export const config = (fields: object = {}) => ({
  type: 'compliance-config',
  productId,
  productName: 'General Liability',
  productCode: 'CGL',
  states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
  validFrom: '2020-01-01',
  ...fields,
});

const line = { code: '16', name: 'Property', status: 'active', issueDate: '2020-01-01' };

export const licensed = (npn: string, fields: object = {}) =>
  license({
    npn,
    licenseClassName: 'Insurance Producer',
    residencyStatus: 'resident',
    status: 'active',
    issueDate: '2020-01-01',
    nextRenewalDate: '2027-03-31',
    linesOfAuthority: [line],
    ...fields,
  });

export const appointed = (npn: string, fields: object = {}) => ({
  type: 'appointment',
  npn,
  stateCode: 'TX',
  carrierName: 'Beacon Specialty',
  lineOfAuthorityCode: '16',
  status: 'active',
  statusChangeDate: '2021-01-01',
  ...fields,
});

/** The agency of the carrier that a test makes. */
export const association = () => ({
  type: 'association',
  _id: associationId,
  producerCode: 'P-7731',
  downstreamEntity: { legalName: 'Lone Star Brokerage', npn: agencyNpn },
});

/** A carrier whose one agency and its first producer may sell in Texas. */
export async function newCarrier(...more: object[]): Promise<string> {
  const owner = await newOwner();
  await importLines(
    owner,
    config(),
    { ...association(), externalId: `AG-${owner}` },
    agent({ _id: id(1), npn: producerNpn, downstreamEntityAssociationIds: [associationId] }),
    agent({ _id: id(2), npn: unlicensedNpn, downstreamEntityAssociationIds: [associationId] }),
    ...[agencyNpn, producerNpn].flatMap((npn) => [licensed(npn), appointed(npn)]),
    ...more,
  );
  return owner;
}

/** Sends a request through the pipeline of its group; by default from a client of the owner's own, whose requests are counted apart. */
export async function ask(owner: string, route: Route, options: EventOptions = {}) {
  const common = { tables, context: testContext({ now }) };
  const pipeline = Object.values<Route>(complianceRoutes.routes).includes(route)
    ? createComplianceFunction({
        ...common,
        clients: { dynamo, registry: { fetch: async () => undefined } },
      })
    : createSaleChecksFunction({ ...common, clients: { dynamo, receiptKeys } });
  const identity = { ...carrier, organizationId: owner, credentialId: owner };
  const { status, headers, json } = await send(pipeline, route, { identity, ...options });
  return { status, headers, ...(json as { data: unknown; details: unknown }) };
}

interface Answers {
  readonly checks: readonly SaleCheck[];
  readonly receiptId?: string;
  readonly jws?: string;
}

/** The question that is answered with yes, unless it is changed. */
export const question = (fields: Partial<Record<keyof AskedCheck, unknown>> = {}) => ({
  seller: { npn: producerNpn },
  agency: { producerCode: 'P-7731' },
  product: { productCode: 'CGL' },
  stateCode: 'TX',
  ...fields,
});

/** What checks are answered. */
export async function answersOf(
  owner: string,
  checks: readonly object[],
  others: object = {},
): Promise<Answers> {
  const { status, data, details } = await ask(owner, routes.checkSales, { body: { checks, ...others } });
  expect({ status, details }).toEqual({ status: 200 });
  return data as Answers;
}

/** What one check is answered: the answer, each reason with its party, and each warning in parentheses. */
export async function answerOf(owner: string, check: object, others: object = {}) {
  const [one] = (await answersOf(owner, [check], others)).checks;
  return [
    one?.answer,
    ...(one?.reasons ?? []).map(({ party, code }) => `${party} ${code}`),
    ...(one?.warnings ?? []).map(({ party, code }) => `(${party} ${code})`),
  ];
}
