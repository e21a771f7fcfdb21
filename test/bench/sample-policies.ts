import {
  entityMatchStatuses,
  type Policy,
  type PolicyTransaction,
  policyStatuses,
  policyTransactionTypes,
  productMatchStatuses,
} from '../../shared/domain/policies/resource.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';

/** The member of a list that an index falls on; lists go round. */
const pick = <Item>(list: readonly [Item, ...Item[]], index: number): Item =>
  list[index % list.length] ?? list[0];

const linesOfBusiness = ['General Liability', 'Commercial Property', 'Excess Casualty', 'Cyber'] as const;
const trades = ['Roofing', 'Logistics', 'Dental Group', 'Breweries', 'Property Management'] as const;

const day = (index: number): string =>
  new Date(Date.UTC(2026, 0, 1 + (index % 365))).toISOString().slice(0, 10);

const policyNumberOf = (index: number): string => `GL-2026-${String(index).padStart(6, '0')}`;

/** What a carrier typically knows of a policy: some twenty fields beside the statuses. */
const businessFields = (index: number) => ({
  agencyName: `Lone Star Brokerage ${index % 40}`,
  agencyNpn: String(17_000_000 + (index % 40)),
  agencyFein: `74-${String(2_000_000 + (index % 40))}`,
  agencyLicenseNumber: `AG${String(100_000 + (index % 40))}`,
  agencyLicensedStateCode: pick(stateCodes, index),
  agentName: `Jordan Miller ${index % 200}`,
  agentNpn: String(18_000_000 + (index % 200)),
  agentLicenseNumber: `LA${String(200_000 + (index % 200))}`,
  agentLicensedState: pick(stateCodes, index),
  insuredEntityName: `Acme ${pick(trades, index)} ${index} LLC`,
  carrierName: 'Example Specialty Insurance Company',
  lineOfBusiness: pick(linesOfBusiness, index),
  producerCode: `P-${String(index % 40).padStart(5, '0')}`,
  productName: `${pick(linesOfBusiness, index)} Package`,
  productCode: `PKG-${index % 4}`,
  uploadSource: 'bordereau',
  effectiveDate: day(index),
  expiryDate: day(index).replace('2026', '2027'),
  premiumAmountInUSD: 1_000 + (index % 50_000) / 4,
  aggregateCoverageInUSD: 2_000_000,
  coveragePerClaimInUSD: 1_000_000,
});

export const samplePolicy = (index: number): Policy => ({
  _id: derivedObjectId('policy', String(index)),
  policyNumber: policyNumberOf(index),
  currentStatus: pick(policyStatuses, index),
  riskStateCode: pick(stateCodes, index),
  entityMatchStatus: pick(entityMatchStatuses, index),
  productMatchStatus: pick(productMatchStatuses, index),
  transactionCount: 1 + (index % 4),
  ...businessFields(index),
  createdAt: '2026-03-01T14:05:09.123Z',
  updatedAt: '2026-06-01T09:00:00.000Z',
});

export const samplePolicyTransaction = (policyIndex: number, index: number): PolicyTransaction => ({
  _id: derivedObjectId('transaction', String(policyIndex), String(index)),
  policyId: derivedObjectId('policy', String(policyIndex)),
  upstreamEntityId: derivedObjectId('organization'),
  policyNumber: policyNumberOf(policyIndex),
  policyTransactionType: pick(policyTransactionTypes, index),
  policyTransactionDate: day(policyIndex + index),
  riskStateCode: pick(stateCodes, policyIndex),
  entityMatchStatus: 'auto matched',
  matchedAgents: [
    {
      agentId: derivedObjectId('agent', String(policyIndex % 200)),
      matchSource: 'npn',
      matchConfidence: 0.98,
      matchedAt: '2026-06-01T09:00:00.000Z',
    },
  ],
  agentMatchStatus: 'auto matched',
  transactionFingerprint: derivedObjectId('fingerprint', String(policyIndex), String(index)),
  isDeleted: false,
  dedupResult: 'new',
  ...businessFields(policyIndex),
  createdAt: '2026-06-01T09:00:00.000Z',
  updatedAt: '2026-06-01T09:00:00.000Z',
});
