import * as z from 'zod/mini';
import { queueBatchMessages, smallestMaximumConcurrency } from '../../../shared/platform/aws/limits.ts';
import { propertiesOf, type Resource } from '../template/template.ts';
import { type Matches, readEventPattern } from './event-pattern.ts';
import type { Position } from './stream-records.ts';

// Supported properties of mappings; others are refused because they may change what is delivered.

const common = {
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  MaximumBatchingWindowInSeconds: z._default(z.number(), 0),
  FunctionResponseTypes: z._default(z.array(z.literal('ReportBatchItemFailures')), []),
  Enabled: z.optional(z.literal(true)),
  Tags: z.optional(z.unknown()),
};

const queueProperties = z.strictObject({
  ...common,
  // Lambda accepts more only with a window.
  BatchSize: z.number().check(z.lte(queueBatchMessages)),
  ScalingConfig: z.strictObject({
    MaximumConcurrency: z.number().check(z.gte(smallestMaximumConcurrency)),
  }),
});

const filters = z.strictObject({ Filters: z._default(z.array(z.strictObject({ Pattern: z.string() })), []) });

const streamProperties = z.strictObject({
  ...common,
  BatchSize: z.number(),
  StartingPosition: z.enum(['TRIM_HORIZON', 'LATEST']),
  FilterCriteria: z._default(filters, { Filters: [] }),
  BisectBatchOnFunctionError: z._default(z.boolean(), false),
  MaximumRetryAttempts: z._default(z.number(), -1),
  MaximumRecordAgeInSeconds: z._default(z.number(), -1),
  DestinationConfig: z.optional(
    z.strictObject({
      OnFailure: z.strictObject({ Destination: z.string().check(z.startsWith('arn:aws:sqs:')) }),
    }),
  ),
});

/** How a source's records are passed to a function. */
export interface Mapping {
  readonly sourceArn: string;
  /** Name or ARN. */
  readonly functionName: string;
  readonly batchSize: number;
  readonly batchingWindowMs: number;
  /** Whether the function reports which records failed; otherwise a batch fails as a whole. */
  readonly reportsFailures: boolean;
}

export interface QueueMapping extends Mapping {
  readonly maximumConcurrency: number;
}

export interface StreamMapping extends Mapping {
  readonly startingPosition: Position;
  /** Whether a record is passed to the function. */
  readonly filter: Matches;
  /** Whether a failed batch is retried in halves. */
  readonly bisects: boolean;
  /** Infinite without a limit. */
  readonly maximumRetries: number;
  readonly maximumAgeMs: number;
  /** The queue that receives a message about discarded records. */
  readonly onFailureArn: string | undefined;
}

/** The service of a source: `sqs`. */
export const serviceOf = (resource: Resource): string | undefined =>
  String(resource.properties()['EventSourceArn']).split(':')[2];

const readCommon = (
  properties: Pick<z.output<typeof queueProperties>, keyof typeof common | 'BatchSize'>,
): Mapping => ({
  sourceArn: properties.EventSourceArn,
  functionName: properties.FunctionName,
  batchSize: properties.BatchSize,
  batchingWindowMs: properties.MaximumBatchingWindowInSeconds * 1_000,
  reportsFailures: properties.FunctionResponseTypes.length > 0,
});

export function readQueueMapping(resource: Resource): QueueMapping {
  const properties = propertiesOf(resource, queueProperties);
  return {
    ...readCommon(properties),
    maximumConcurrency: properties.ScalingConfig.MaximumConcurrency,
  };
}

/** A limit of which Lambda writes -1 for none. */
const limit = (value: number): number => (value < 0 ? Number.POSITIVE_INFINITY : value);

export function readStreamMapping(resource: Resource): StreamMapping {
  const properties = propertiesOf(resource, streamProperties);
  const patterns = properties.FilterCriteria.Filters.map(({ Pattern }) =>
    readEventPattern(JSON.parse(Pattern)),
  );
  return {
    ...readCommon(properties),
    startingPosition: properties.StartingPosition,
    filter: (record) => patterns.length === 0 || patterns.some((matches) => matches(record)),
    bisects: properties.BisectBatchOnFunctionError,
    maximumRetries: limit(properties.MaximumRetryAttempts),
    maximumAgeMs: limit(properties.MaximumRecordAgeInSeconds) * 1_000,
    onFailureArn: properties.DestinationConfig?.OnFailure.Destination,
  };
}
