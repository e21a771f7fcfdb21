import * as z from 'zod/mini';
import { invocationBytes } from '../../../shared/platform/aws/limits.ts';
import { chunks } from '../../../shared/platform/data/grouping.ts';

/** Bytes of an event without its records: `{"Records":[]}`. */
const envelopeBytes = Buffer.byteLength(JSON.stringify({ Records: [] }));

/**
 * Splits a batch into parts that fit into an invocation each, because Lambda limits a batch by its payload size
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventsourcemapping.html).
 */
export const partsOf = <One>(batch: readonly One[], recordOf: (one: One) => unknown): One[][] =>
  chunks(batch, {
    count: batch.length,
    size: {
      bytes: invocationBytes - envelopeBytes,
      of: (one) => Buffer.byteLength(JSON.stringify(recordOf(one))) + 1,
    },
  });

const report = z.nullish(
  z.object({ batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string() }))) }),
);

/** Identifiers of the records that a function reports as failed; undefined when its result is not such a report. */
export function reportedFailures(result: unknown): ReadonlySet<string> | undefined {
  const parsed = z.safeParse(report, result);
  if (!parsed.success) return undefined;
  return new Set(parsed.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
}
