// Shared by the tests of sale checks: a carrier with an agency, two of its producers, and a product.

import type { AskedCheck, SaleCheck } from '#domain/sale-checks/resource.ts';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { mostChecks, saleCheckRoutes } from '../../functions/sale-checks/routes.ts';
import { ask, given, id, newOwner } from './carrier-records.ts';
import { newId } from './filings.ts';
import { agent, appointment, associationOf, license, product } from './import-lines.ts';
import { databaseCalls } from './tables.ts';

export const routes = { ...saleCheckRoutes.routes, ...complianceRoutes.routes };

beforeEach(() => {
  associationId = newId();
});

export const agencyNpn = '17654321';
export const producerNpn = '8123456';
/** Of a second producer, who has no license. */
export const unlicensedNpn = '8123457';
/** Of the carrier that a test, or a `beforeAll`, makes: such ids are one carrier's. */
export let associationId = newId();
export const productId = id(9);

export const config = (fields: object = {}) =>
  product(productId, {
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

export const appointed = (npn: string, fields: object = {}) =>
  appointment({ npn, lineOfAuthorityCode: '16', statusChangeDate: '2021-01-01', ...fields });

/** The agency of the carrier that a test makes. */
export const association = () =>
  associationOf(
    associationId,
    { legalName: 'Lone Star Brokerage', npn: agencyNpn },
    { producerCode: 'P-7731' },
  );

/** A carrier whose one agency and its first producer may sell in Texas. */
export async function newCarrier(...more: object[]): Promise<string> {
  const owner = await newOwner();
  await given(
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

/** What checks are answered: of each the answer, each reason with its party, and each warning in parentheses. */
export async function shortAnswersOf(
  owner: string,
  checks: readonly object[],
  others: object = {},
): Promise<readonly string[][]> {
  return (await answersOf(owner, checks, others)).checks.map(({ answer, reasons, warnings }) => [
    answer,
    ...reasons.map(({ party, code }) => `${party} ${code}`),
    ...warnings.map(({ party, code }) => `(${party} ${code})`),
  ]);
}

/** What one check is answered, in the same way. */
export const answerOf = async (owner: string, check: object, others: object = {}): Promise<string[]> =>
  (await shortAnswersOf(owner, [check], others))[0] ?? [];

/** What as many checks as a request may ask read of so many sellers and agencies. */
export async function readsOf(of: { readonly sellers: number; readonly agencies: number }) {
  const npns = Array.from({ length: of.sellers }, (_, index) => String(300 + index));
  const agencies = Array.from({ length: of.agencies }, newId);
  const owner = await newCarrier(
    ...agencies.map((_id, index) =>
      associationOf(
        _id,
        { legalName: `Agency ${index}`, npn: String(900 + index) },
        { producerCode: `P-${index}` },
      ),
    ),
    ...npns.flatMap((npn, index) => [
      agent({
        _id: id(2_000 + index),
        npn,
        downstreamEntityAssociationIds: [agencies[index % of.agencies]],
      }),
      license({ npn }),
    ]),
  );
  const checks = Array.from({ length: mostChecks }, (_, index) =>
    question({
      seller: { npn: npns[index % of.sellers] },
      agency: { producerCode: `P-${index % of.agencies}` },
    }),
  );
  return databaseCalls(() => answersOf(owner, checks));
}
