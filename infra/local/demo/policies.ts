import { newObjectId } from '../../../shared/data/object-id.ts';

/** Policies of the demo carrier with their transactions. */

/** Agency name and NPN, state, agent name and NPN. */
const agencies = [
  ['Lone Star Brokerage', '17654321', 'TX', 'Maria Delgado', '8123456'],
  ['Hudson Valley Risk Partners', '18233410', 'NY', 'Daniel Okafor', '9034417'],
  ['Pacific Crest Insurance Services', '16550982', 'CA', 'Grace Lindholm', '7745120'],
  ['Gulf Shore Underwriters', '19001763', 'FL', 'Andre Baptiste', '8812094'],
] as const;

const insured = [
  'Acme Roofing LLC',
  'Blue Heron Marina Inc.',
  'Cedar Ridge Apartments LP',
  'Desert Sun Solar Co.',
  'Eastgate Cold Storage LLC',
  'Foothill Family Dental PC',
  'Granite Peak Brewing Co.',
  'Harbor Freight Lines Inc.',
  'Ironwood Machine Works',
  'Juniper Street Bakery LLC',
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
const days = 86_400_000;
const policyCount = 40;

/** The element at an index, starting over after the last one. */
function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('The list is empty.');
  return value;
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** One policy followed by its one to four transactions, oldest first, as a carrier's system would report them. */
function policy(index: number, _id: string, upstreamEntityId: string): object[] {
  const [agencyName, agencyNpn, state, agentName, agentNpn] = at(agencies, index);
  const line = at(lines, Math.floor(index / agencies.length) + index);
  const [code, lineOfBusiness, productName, premium] = line;
  const effective = Date.UTC(2025, 9, 1) + index * 9 * days;
  const last = index % 7 === 3 ? 'Cancellation' : 'Audit';
  const types = ['New', 'Endorsement', 'Endorsement', last].slice(0, 1 + (index % 4));
  const common = {
    policyNumber: `${code}-2026-${String(100_100 + index * 37)}`,
    riskStateCode: state,
    entityMatchStatus: at(matches, index),
  };
  const transactions = types.map((policyTransactionType, ordinal) => ({
    type: 'policy-transaction',
    _id: newObjectId(new Date()),
    upstreamEntityId,
    ...common,
    policyTransactionType,
    policyTransactionDate: isoDay(effective + ordinal * 45 * days),
    uniqueTransactionId: `${common.policyNumber}-${ordinal + 1}`,
    matchedAgents: [],
    agentMatchStatus: 'unmatched',
    agencyName,
    agencyNpn,
    agencyLicensedStateCode: state,
    agentName,
    agentNpn,
    insuredEntityName: at(insured, index),
    carrierName: 'Beacon Specialty Insurance Company',
    lineOfBusiness,
    productName,
    uploadSource: 'demo',
    effectiveDate: isoDay(effective),
    expiryDate: isoDay(effective + 365 * days),
    premiumAmountInUSD: Math.round((premium * (1 + (index % 5) / 10) + ordinal * 175.5) * 100) / 100,
    aggregateCoverageInUSD: 2_000_000,
    coveragePerClaimInUSD: 1_000_000,
  }));
  return [
    {
      type: 'policy',
      _id,
      ...common,
      currentStatus: at(statuses, index),
      productMatchStatus: 'auto matched',
    },
    ...transactions,
  ];
}

/** All policies of the demo carrier; the first one has the given id. */
export const policyRecords = (policyId: string, upstreamEntityId: string): object[] =>
  Array.from({ length: policyCount }, (_, index) =>
    policy(index, index === 0 ? policyId : newObjectId(new Date()), upstreamEntityId),
  ).flat();
