/** A price of AWS's in us-east-1: the first tier, without free tiers, savings plans, or reserved capacity. */
export interface Price {
  readonly usd: number;
  /** For how many units. */
  readonly per: number;
  readonly unit: string;
  /** AWS's page with the price. */
  readonly page: string;
}

/** When the prices were noted. They change rarely, and mostly downward; look before a decision depends on one. */
export const notedOn = '2026-11-21';

const million = 1_000_000;
const priced = (usd: number, per: number, unit: string, page: string): Price => ({ usd, per, unit, page });

const gateway = 'https://aws.amazon.com/api-gateway/pricing/';
const firewall = 'https://aws.amazon.com/waf/pricing/';
const lambda = 'https://aws.amazon.com/lambda/pricing/';
const dynamodb = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const queue = 'https://aws.amazon.com/sqs/pricing/';
const bus = 'https://aws.amazon.com/eventbridge/pricing/';
const monitoring = 'https://aws.amazon.com/cloudwatch/pricing/';
const traces = 'https://aws.amazon.com/xray/pricing/';
const files = 'https://aws.amazon.com/s3/pricing/';
const transfer = 'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer';

/** Every price that a sum is made from. What is used has the same names; see `Usage`. */
export const prices = {
  gatewayRequests: priced(3.5, million, 'requests to the REST API', gateway),
  firewallRequests: priced(0.6, million, 'requests that the firewall looks at', firewall),
  invocations: priced(0.2, million, 'invocations', lambda),
  gigabyteSeconds: priced(0.0000133334, 1, 'GB-seconds of arm64', lambda),
  readUnits: priced(0.125, million, 'read units', dynamodb),
  writeUnits: priced(0.625, million, 'write units', dynamodb),
  tableGigabytes: priced(0.25, 1, 'GB of tables and indexes, a month', dynamodb),
  recoveryGigabytes: priced(0.2, 1, 'GB with point-in-time recovery, a month', dynamodb),
  queueRequests: priced(0.4, million, 'requests to standard queues', queue),
  busEvents: priced(1, million, 'events of up to 64 KB on the bus', bus),
  archivedGigabytes: priced(0.1, 1, 'GB put into the archive', bus),
  archiveGigabytes: priced(0.023, 1, 'GB kept in the archive, a month', bus),
  loggedGigabytes: priced(0.5, 1, 'GB of logs', monitoring),
  logGigabytes: priced(0.03, 1, 'GB of compressed logs kept, a month', monitoring),
  tracesRecorded: priced(5, million, 'traces', traces),
  fileWrites: priced(0.005, 1_000, 'files written or listed', files),
  fileReads: priced(0.0004, 1_000, 'files read', files),
  sentGigabytes: priced(0.09, 1, 'GB sent to the internet', transfer),
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof prices;

/** How much is used of everything that has a price; what is left out is not used. */
export type Usage = Readonly<Partial<Record<PriceName, number>>>;

/** Dollars of everything that is used. */
export const dollarsOf = (usage: Usage): number => sum(Object.values(dollarsByPrice(usage)));

/** Dollars by what they are paid for. */
export const dollarsByPrice = (usage: Usage): Partial<Record<PriceName, number>> =>
  Object.fromEntries(
    Object.entries(usage).map(([name, amount]) => {
      const { usd, per } = prices[name as PriceName];
      return [name, (amount * usd) / per];
    }),
  );

/** Some usage many times. */
export const times = (usage: Usage, count: number): Usage =>
  Object.fromEntries(Object.entries(usage).map(([name, amount]) => [name, amount * count]));

/** Usage together. */
export function together(usages: readonly Usage[]): Usage {
  const all: Partial<Record<PriceName, number>> = {};
  for (const usage of usages) {
    for (const [name, amount] of Object.entries(usage)) {
      all[name as PriceName] = (all[name as PriceName] ?? 0) + amount;
    }
  }
  return all;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
