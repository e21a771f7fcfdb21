import { newObjectId } from '../../../shared/data/object-id.ts';
import { addDays } from '../../../shared/dates/calendar.ts';
import { agencies } from './producers.ts';

/** Policies of the demo carrier with their transactions. */

const insured = [
  'Acme Roofing LLC',
  'Blue Heron Marina Inc.',
  'Cedar Ridge Apartments LP',
  'Desert Sun Solar Co.',
  'Eastgate Cold Storage LLC',
  'Granite Peak Brewing Co.',
] as const;

/** Code, line of business, product and base premium in USD. */
const lines = [
  ['GL', 'General Liability', 'Contractors General Liability', 12_500],
  ['PR', 'Commercial Property', 'Coastal Property', 38_400],
  ['PL', 'Professional Liability', 'Miscellaneous Professional', 7_850],
  ['CY', 'Cyber', 'Cyber Secure', 5_200],
] as const;

const statuses = ['active', 'active', 'bound', 'expired', 'cancelled', 'non renewed'] as const;
const matches = ['auto matched', 'user confirmed', 'unmatched', 'manual review'] as const;
const policyCount = 28;

/** The element at an index, starting over after the last one. */
function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('The list is empty.');
  return value;
}

/** One policy followed by its one to four transactions, oldest first, as a carrier's system would report them. */
function policy(index: number, _id: string, upstreamEntityId: string): object[] {
  const { legalName, npn, home, producer } = at(agencies, index);
  const [code, lineOfBusiness, productName, premium] = at(lines, Math.floor(index / agencies.length) + index);
  const effectiveDate = addDays('2025-10-01', index * 9);
  const last = index % 7 === 3 ? 'Cancellation' : 'Audit';
  const types = ['New', 'Endorsement', 'Endorsement', last].slice(0, 1 + (index % 4));
  const common = {
    policyNumber: `${code}-2026-${100_100 + index * 37}`,
    riskStateCode: home,
    entityMatchStatus: at(matches, index),
  };
  const transactions = types.map((policyTransactionType, ordinal) => ({
    type: 'policy-transaction',
    _id: newObjectId(new Date()),
    upstreamEntityId,
    ...common,
    policyTransactionType,
    policyTransactionDate: addDays(effectiveDate, ordinal * 45),
    uniqueTransactionId: `${common.policyNumber}-${ordinal + 1}`,
    matchedAgents: [],
    agentMatchStatus: 'unmatched',
    agencyName: legalName,
    agencyNpn: npn,
    agencyLicensedStateCode: home,
    agentName: `${producer.firstName} ${producer.lastName}`,
    agentNpn: producer.npn,
    insuredEntityName: at(insured, index),
    carrierName: 'Beacon Specialty Insurance Company',
    lineOfBusiness,
    productName,
    effectiveDate,
    expiryDate: addDays(effectiveDate, 365),
    premiumAmountInUSD: Math.round((premium * (1 + (index % 5) / 10) + ordinal * 175.5) * 100) / 100,
    aggregateCoverageInUSD: 2_000_000,
    coveragePerClaimInUSD: 1_000_000,
  }));
  const own = { ...common, currentStatus: at(statuses, index), productMatchStatus: 'auto matched' };
  return [{ type: 'policy', _id, ...own }, ...transactions];
}

/** All policies of the demo carrier; the first one has the given id. */
export const policyRecords = (policyId: string, upstreamEntityId: string): object[] =>
  Array.from({ length: policyCount }, (_, index) =>
    policy(index, index === 0 ? policyId : newObjectId(new Date()), upstreamEntityId),
  ).flat();
