import { tables as designs } from '../../shared/domain/tables.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import { callerOf } from '../support/api-event.ts';
import { agent, license, transaction } from '../support/import-lines.ts';
import { recordsInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { createTables } from '../support/tables.ts';
import { every } from './measuring.ts';

export const agencyNpn = (agency: number): string => String(10_000_000 + agency);
export const sellerNpn = (seller: number): string => String(20_000_000 + seller);
export const productId = (product: number): string => derivedObjectId('product', String(product));

/** States in which everybody has a license. */
export const states = ['TX', 'OK'] as const;

const line = { code: '16', name: 'Property', status: 'active', issueDate: '2020-01-01' };
const inForce = { issueDate: '2020-01-01', nextRenewalDate: '2028-03-31', linesOfAuthority: [line] };
const appointed = { lineOfAuthorityCode: '16', status: 'active', statusChangeDate: '2021-01-01' };

/** Two licenses and an appointment. */
const recordsOf = (npn: string): object[] => [
  ...states.map((stateCode) => license({ npn, stateCode, licenseNumber: npn, ...inForce })),
  { type: 'appointment', npn, stateCode: 'TX', carrierName: 'Beacon Specialty', ...appointed },
];

/** A transaction of a policy with what a carrier typically knows of one: some twenty fields. */
export const sale = (policyNumber: string, fields: object = {}): object =>
  transaction(policyNumber, {
    agencyName: 'Lone Star Brokerage',
    agencyFein: '74-2000000',
    agencyLicenseNumber: 'AG100000',
    agencyLicensedStateCode: 'TX',
    agentName: 'Jordan Miller',
    agentLicenseNumber: 'LA200000',
    agentLicensedState: 'TX',
    insuredEntityName: 'Acme Property Management 17 LLC',
    carrierName: 'Example Specialty Insurance Company',
    lineOfBusiness: 'Commercial Property',
    productName: 'Commercial Property Package',
    uploadSource: 'bordereau',
    effectiveDate: '2026-01-01',
    expiryDate: '2027-01-01',
    premiumAmountInUSD: 1_000.25,
    aggregateCoverageInUSD: 2_000_000,
    coveragePerClaimInUSD: 1_000_000,
    ...fields,
  });

/** Lines that import a carrier: products, and agencies with as many sellers and policies each, which the sellers sold in turns. */
export const carrierLines = (of: {
  readonly products: number;
  readonly agencies: number;
  readonly sellersEach: number;
  readonly policiesEach?: number;
}): object[] => [
  ...every(of.products, (product) => ({
    type: 'compliance-config',
    productId: productId(product),
    productName: `Product ${product}`,
    productCode: `CODE-${product}`,
    states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
    validFrom: '2020-01-01',
  })),
  ...every(of.agencies, (agency) => {
    const npn = agencyNpn(agency);
    const associationId = derivedObjectId('association', String(agency));
    const sellers = every(of.sellersEach, (seller) => sellerNpn(agency * of.sellersEach + seller));
    return [
      {
        type: 'association',
        _id: associationId,
        producerCode: `P-${agency}`,
        downstreamEntity: { legalName: `Agency ${agency}`, npn },
      },
      ...sellers.map((seller) => agent({ npn: seller, downstreamEntityAssociationIds: [associationId] })),
      ...[npn, ...sellers].flatMap(recordsOf),
      ...every(of.policiesEach ?? 0, (policy) =>
        sale(`GL-${String(policy).padStart(3, '0')}-${npn}`, {
          // Nothing says that it is somebody else’s.
          ...{ agencyName: undefined, agencyFein: undefined, agentName: undefined },
          ...{ agencyNpn: npn, agencyLicenseNumber: npn },
          ...{
            agentNpn: sellers[policy % sellers.length],
            agentLicenseNumber: sellers[policy % sellers.length],
          },
          productCode: `CODE-${policy % of.products}`,
        }),
      ),
    ];
  }).flat(),
];

/** Imports a carrier's lines into new tables. */
export async function importCarrier(lines: readonly object[]) {
  const tables = await createTables(designs);
  const owner = await organizationsIn(tables.organizations)();
  const { rejected } = await recordsInto(tables)(owner, lines);
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected[0]));
  return { tables, owner, identity: callerOf(owner) };
}
