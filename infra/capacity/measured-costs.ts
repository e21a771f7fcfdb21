import * as z from 'zod/mini';

const some = z._default(z.number(), 0);

/** What an operation asks of one table or index, in capacity units and items; what is left out is 0. */
const tableCost = z.object({
  /** Read and write units as DynamoDB Local counts them. */
  read: some,
  write: some,
  /** Bytes of the items that queries answered. */
  listedBytes: some,
  /** Items that were read by their keys in batches, and their bytes. */
  fetched: some,
  fetchedBytes: some,
});

export type TableCost = z.output<typeof tableCost>;

const cost = z.object({
  /** Invocations by a queue or a stream; 0 for a function that answers a request. */
  invocations: some,
  /** Events that were put on the bus. */
  events: some,
  /** Calls by action: `dynamodb:Query`. */
  calls: z.record(z.string(), z.number()),
  /** By table, or `<table>/<index>`. */
  tables: z.record(z.string(), tableCost),
});

export type Cost = z.output<typeof cost>;

/** The answer's bytes and records, of which only a list has some. */
const routeCost = z.object({ ...cost.shape, answerBytes: z.number(), records: some });

export type RouteCost = z.output<typeof routeCost>;

/** Work beside requests. */
export const workNames = [
  'event',
  'eventReleased',
  'policyTransactionImported',
  'policyTransactionImportedUnchanged',
  'agentImportedWithEvent',
  'licenseImported',
  'complianceChange',
  'synchronization',
  'licenseSwept',
  'poll',
] as const;

export type WorkName = (typeof workNames)[number];

const itemBytes = z.number();

/** The content of `measured-costs.json`, which `npm run capacity:measure` writes. */
export const measuredCosts = z.object({
  measuredOn: z.string(),
  commit: z.string(),
  /** What the authorizer asks for when it does not know a credential yet. */
  authorizer: cost,
  /** Average bytes of items by kind. */
  itemBytes: z.object({
    policy: itemBytes,
    policyTransaction: itemBytes,
    license: itemBytes,
    event: itemBytes,
    delivery: itemBytes,
    saleReceipt: itemBytes,
  }),
  /** One operation, by the functions that take part in it. */
  work: z.record(z.enum(workNames), z.record(z.string(), cost)),
  /** The routes that the workload calls, by operationId. */
  routes: z.record(z.string(), routeCost),
});

export type MeasuredCosts = z.output<typeof measuredCosts>;
