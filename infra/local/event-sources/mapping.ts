import * as z from 'zod/mini';
import type { Resource } from '../template.ts';

/** Properties of a mapping that the local run understands; another one, a filter say, would change what is delivered. */
const mappingProperties = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z._default(z.number(), 10),
  MaximumBatchingWindowInSeconds: z._default(z.number(), 0),
  FunctionResponseTypes: z._default(z.array(z.literal('ReportBatchItemFailures')), []),
  ScalingConfig: z.optional(z.strictObject({ MaximumConcurrency: z.number() })),
  Enabled: z.optional(z.literal(true)),
  Tags: z.optional(z.unknown()),
});

/** Lambda begins with five pollers; where the template sets no limit, this is as far as one machine goes. */
const usualConcurrency = 5;

/** How a source's records come to a function. */
export interface Mapping {
  readonly sourceArn: string;
  /** Name or ARN. */
  readonly functionName: string;
  readonly batchSize: number;
  readonly batchingWindowMs: number;
  /** Whether the function says which records failed; otherwise all do or none. */
  readonly reportsFailures: boolean;
  readonly maximumConcurrency: number;
}

export function readMapping(resource: Resource): Mapping {
  const parsed = z.safeParse(mappingProperties, resource.properties());
  if (!parsed.success) {
    throw new Error(
      `The local run does not understand the mapping ${resource.logicalId}: ${z.prettifyError(parsed.error)}`,
    );
  }
  const properties = parsed.data;
  return {
    sourceArn: properties.EventSourceArn,
    functionName: properties.FunctionName,
    batchSize: properties.BatchSize,
    batchingWindowMs: properties.MaximumBatchingWindowInSeconds * 1_000,
    reportsFailures: properties.FunctionResponseTypes.length > 0,
    maximumConcurrency: properties.ScalingConfig?.MaximumConcurrency ?? usualConcurrency,
  };
}
