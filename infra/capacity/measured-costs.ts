import * as z from 'zod/mini';

const some = z._default(z.number(), 0);

/** What an operation asks of one table or index, in capacity units and items; what is left out is 0. */
const tableCost = z.object({
  /** Read and write units as DynamoDB Local counts them. */
  read: some,
  write: some,
  /** Items that queries answered, and their bytes. */
  listed: some,
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

const routeCost = z.object({
  ...cost.shape,
  requestBytes: z.number(),
  answerBytes: z.number(),
  /** Records in the answer of a list. */
  records: some,
});

export type RouteCost = z.output<typeof routeCost>;

/** What one operation of some work costs in each function that takes part in it. */
const workCost = z.object({
  /** How many operations were measured together. */
  operations: z.number(),
  functions: z.record(z.string(), cost),
});

export type WorkCost = z.output<typeof workCost>;

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
  'visit',
] as const;

export type WorkName = (typeof workNames)[number];

/** The content of `measured-costs.json`, which `npm run capacity:measure` writes. */
export const measuredCosts = z.object({
  measuredOn: z.string(),
  commit: z.string(),
  /** What the authorizer asks for when it does not know a credential yet. */
  authorizer: cost,
  /** Average bytes of items by kind. */
  itemBytes: z.object({
    policy: z.number(),
    policyTransaction: z.number(),
    license: z.number(),
    event: z.number(),
    delivery: z.number(),
  }),
  work: z.record(z.enum(workNames), workCost),
  /** By operationId; those of v1 cost what those of v2 cost. */
  routes: z.record(z.string(), routeCost),
});

export type MeasuredCosts = z.output<typeof measuredCosts>;
