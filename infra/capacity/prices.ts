/** When the prices were noted. They change rarely, and mostly downward; look before a decision depends on one. */
export const notedOn = '2026-11-21';

const million = 1_000_000;

const gateway = ['Gateway, firewall', 'https://aws.amazon.com/api-gateway/pricing/'] as const;
const firewall = ['Gateway, firewall', 'https://aws.amazon.com/waf/pricing/'] as const;
const lambda = ['Lambda', 'https://aws.amazon.com/lambda/pricing/'] as const;
const dynamodb = ['DynamoDB', 'https://aws.amazon.com/dynamodb/pricing/on-demand/'] as const;
const queue = ['Queues', 'https://aws.amazon.com/sqs/pricing/'] as const;
const bus = ['Bus', 'https://aws.amazon.com/eventbridge/pricing/'] as const;
const signing = ['KMS', 'https://aws.amazon.com/kms/pricing/'] as const;
const logs = ['Logs, traces', 'https://aws.amazon.com/cloudwatch/pricing/'] as const;
const traces = ['Logs, traces', 'https://aws.amazon.com/xray/pricing/'] as const;
const files = ['S3', 'https://aws.amazon.com/s3/pricing/'] as const;
const transfer = ['Sent', 'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer'] as const;

/**
 * A price of AWS's in us-east-1, for so many units: the first tier, without free tiers, savings plans, or reserved capacity.
 *
 * @param paid what it is paid for, and AWS's page with the price
 */
const priced = (usd: number, per: number, unit: string, paid: readonly [service: string, page: string]) => ({
  usd,
  per,
  unit,
  service: paid[0],
  page: paid[1],
});

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
  signatures: priced(0.15, 10_000, 'signatures of receipts', signing),
  loggedGigabytes: priced(0.5, 1, 'GB of logs', logs),
  logGigabytes: priced(0.03, 1, 'GB of compressed logs kept, a month', logs),
  tracesRecorded: priced(5, million, 'traces', traces),
  fileWrites: priced(0.005, 1_000, 'files written or listed', files),
  fileReads: priced(0.0004, 1_000, 'files read', files),
  sentGigabytes: priced(0.09, 1, 'GB sent to the internet', transfer),
};

type PriceName = keyof typeof prices;

/** How much is used of everything that has a price; what is left out is not used. */
export type Usage = Readonly<Partial<Record<PriceName, number>>>;

/** What is used, each with its price and the dollars for it. */
export const paid = (usage: Usage) =>
  Object.entries(usage).map(([name, amount]) => {
    const price = prices[name as PriceName];
    return { ...price, amount, dollars: (amount * price.usd) / price.per };
  });

/** Dollars of everything that is used. */
export const dollarsOf = (usage: Usage): number =>
  paid(usage).reduce((total, { dollars }) => total + dollars, 0);

/** Usage together, each as often as its number says. */
export function together(usages: readonly (readonly [usage: Usage, times: number])[]): Usage {
  const all: Partial<Record<PriceName, number>> = {};
  for (const [usage, times] of usages) {
    for (const [name, amount] of Object.entries(usage) as [PriceName, number][]) {
      all[name] = (all[name] ?? 0) + amount * times;
    }
  }
  return all;
}
