// Event source mappings and event patterns, as the templates have them.
import * as z from 'zod/mini';
import {
  invocationBytes,
  mappingFilters,
  queueBatchMessages,
  smallestMaximumConcurrency,
} from '#platform/aws/limits.ts';
import { chunks } from '#platform/data/concurrently.ts';
import { isObject } from '../../text.ts';
import { propertiesOf, type Resource } from '../template/template.ts';

/**
 * Event patterns, with which rules select events and event source mappings filter records: exact values, prefixes, and
 * whether there is a value.
 * Other operators are rejected when the pattern is read.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */

const condition = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ exists: z.boolean() }),
]);

type Condition = z.output<typeof condition>;

/** Whether an event matches the pattern. */
type Matches = (event: unknown) => boolean;

/** @throws Error when the pattern has parts that are not supported */
export function readEventPattern(pattern: unknown): Matches {
  if (!isObject(pattern)) throw new Error(`${JSON.stringify(pattern)} is not an event pattern.`);
  const members = Object.entries(pattern).map(([name, expectedPart]) => {
    if (name.startsWith('$')) throw new Error(`The local run does not support ${name} in event patterns.`);
    return {
      name,
      matches: Array.isArray(expectedPart) ? readLeaf(expectedPart) : readEventPattern(expectedPart),
    };
  });
  return (event) =>
    members.every(({ name, matches }) =>
      // A list of objects matches where one of them does.
      (Array.isArray(event) ? event : [event]).some((element) =>
        matches(isObject(element) ? element[name] : undefined),
      ),
    );
}

/** The alternative conditions on a value; of a list of values, one has to meet one of them. */
function readLeaf(expectedPart: readonly unknown[]): Matches {
  const conditions = expectedPart.map((element) => {
    const result = z.safeParse(condition, element);
    if (!result.success) {
      throw new Error(`The local run does not support ${JSON.stringify(element)} in event patterns.`);
    }
    return result.data;
  });
  if (conditions.length === 0) throw new Error('An event pattern needs a value to look for.');
  return (eventValue) => {
    const values = Array.isArray(eventValue) ? eventValue : [eventValue];
    return conditions.some((element) => values.some((value) => meets(element, value)));
  };
}

function meets(expectedPart: Condition, value: unknown): boolean {
  if (!isObject(expectedPart)) return value === expectedPart;
  if ('exists' in expectedPart) return (value !== undefined) === expectedPart.exists;
  return typeof value === 'string' && value.startsWith(expectedPart.prefix);
}

// Supported properties of mappings; others, and other values, are refused because they may change what is delivered.
const common = {
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
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

const streamProperties = z.strictObject({
  ...common,
  BatchSize: z.number(),
  StartingPosition: z.literal('TRIM_HORIZON'),
  FilterCriteria: z.strictObject({
    Filters: z.array(z.strictObject({ Pattern: z.string() })).check(z.maxLength(mappingFilters)),
  }),
  BisectBatchOnFunctionError: z.literal(true),
  // Longer than a run lasts.
  MaximumRecordAgeInSeconds: z.int().check(z.gte(3_600)),
  /** The queue that receives a message about discarded records. */
  DestinationConfig: z.strictObject({
    OnFailure: z.strictObject({ Destination: z.string().check(z.startsWith('arn:aws:sqs:')) }),
  }),
});

/** Mapping of a queue's messages to a function, by its name or ARN. */
export type QueueMapping = Omit<z.output<typeof queueProperties>, 'FunctionResponseTypes'>;

/** Mapping of a stream's records to a function. */
export type StreamMapping = ReturnType<typeof readStreamMapping>;

export const readQueueMapping = (resource: Resource): QueueMapping => propertiesOf(resource, queueProperties);

export function readStreamMapping(resource: Resource) {
  const { EventSourceArn, FunctionName, BatchSize, FilterCriteria, DestinationConfig } = propertiesOf(
    resource,
    streamProperties,
  );
  const patterns = FilterCriteria.Filters.map(({ Pattern }) => readEventPattern(JSON.parse(Pattern)));
  return {
    EventSourceArn,
    FunctionName,
    BatchSize,
    DestinationConfig,
    /** Whether a record is passed to the function. */
    filter: (record: unknown): boolean => patterns.some((matches) => matches(record)),
  };
}

/** Bytes of an event without its records: `{"Records":[]}`. */
const envelopeBytes = Buffer.byteLength(JSON.stringify({ Records: [] }));

/**
 * Splits a batch into parts that fit into an invocation each, because Lambda limits a batch by its payload size
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventsourcemapping.html).
 */
export const partsOf = <One>(batch: readonly One[], recordOf: (record: One) => unknown): One[][] =>
  chunks(batch, {
    count: batch.length,
    size: {
      bytes: invocationBytes - envelopeBytes,
      of: (record) => Buffer.byteLength(JSON.stringify(recordOf(record))) + 1,
    },
  });

const report = z.nullish(
  z.object({ batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string() }))) }),
);

/** Identifiers of the records that a function reports as failed; undefined when its result is not such a report. */
export function reportedFailures(result: unknown): ReadonlySet<string> | undefined {
  const { success, data } = z.safeParse(report, result);
  if (!success) return undefined;
  return new Set(data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
}
