// Shared by the tests of compliance: a carrier with two agencies, a producer of each, and two products.

import { type AgencyReference, agencySort, policyKeys, policyPartitions } from '#domain/policies/stored.ts';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { agent, license, namedAgency, product, transaction } from './import-lines.ts';

export const { routes } = complianceRoutes;

const id = (number: number) => String(number).padStart(24, '0');

export const [loneMain, loneAustin, gulf] = [id(11), id(12), id(21)];
export const [maria, daniel] = [id(31), id(32)];
export const [liability, cyber] = [id(41), id(42)];

const agency = (downstreamEntityId: string, npn: string, legalName: string) =>
  namedAgency(downstreamEntityId, legalName, { npn });

export const inTexas = { issueDate: '2020-01-01', nextRenewalDate: '2028-01-01' };

/** A policy of 1,000 dollars that an agency sold on the first of March. */
export const sold = (policyNumber: string, fields: object) =>
  transaction(policyNumber, {
    policyTransactionDate: '2026-02-20',
    effectiveDate: '2026-03-01',
    premiumAmountInUSD: 1_000,
    productCode: 'CGL',
    ...fields,
  });

/** What the product of `sold` requires. */
export const generalLiability = product(liability, {
  productName: 'General Liability',
  productCode: 'CGL',
  validFrom: '2020-01-01',
  states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }],
});

/**
 * The agencies, agents, and products of a carrier: Lone Star with two branches and Maria has licenses in Texas; Gulf Shore, with
 * Daniel, has none since May.
 */
export const carrierLines = [
  agency(id(1), '17654321', 'Lone Star Brokerage'),
  agency(id(2), '19001763', 'Gulf Shore Insurance Agency'),
  { type: 'association', _id: loneMain, downstreamEntityId: id(1), externalId: 'main' },
  { type: 'association', _id: loneAustin, downstreamEntityId: id(1), externalId: 'a', branchName: 'Austin' },
  { type: 'association', _id: gulf, downstreamEntityId: id(2), externalId: 'gulf' },
  license({ npn: '17654321', ...inTexas }),
  license({ npn: '8123456', licenseNumber: '101', ...inTexas }),
  license({ npn: '19001763', licenseNumber: '102', ...inTexas, nextRenewalDate: '2026-05-31' }),
  agent({ _id: maria, downstreamEntityAssociationIds: [loneMain] }),
  agent({
    _id: daniel,
    npn: '9034417',
    firstName: 'Daniel',
    lastName: 'Okafor',
    downstreamEntityAssociationIds: [gulf],
  }),
  generalLiability,
  {
    ...generalLiability,
    productId: cyber,
    productName: 'Cyber',
    productCode: 'CY',
    states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'required' }],
  },
];

/** The item of a policy of Texas, as the import leaves it. */
export function policyItem(owner: string, index: number, agency: AgencyReference, fields: object = {}) {
  const policyNumber = `P-${String(index).padStart(6, '0')}`;
  const at = '2026-01-01T00:00:00.000Z';
  return {
    ...policyKeys.policy(owner, id(index)),
    _id: id(index),
    policyNumber,
    currentStatus: 'active',
    riskStateCode: 'TX',
    entityMatchStatus: 'auto matched',
    productMatchStatus: 'auto matched',
    productId: liability,
    transactionCount: 1,
    createdAt: at,
    updatedAt: at,
    listKey: policyPartitions.all(owner),
    agencySort: agencySort(agency, policyNumber),
    ...fields,
  };
}
