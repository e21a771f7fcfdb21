import { invocationBytes } from '../../../shared/aws/limits.ts';

/** Bytes of an event without its records: `{"Records":[]}`. */
const envelopeBytes = Buffer.byteLength(JSON.stringify({ Records: [] }));

/**
 * A batch in parts that fit into an invocation each: Lambda ends a batch where its payload would be too large
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventsourcemapping.html).
 */
export function partsOf<One>(batch: readonly One[], recordOf: (one: One) => unknown): One[][] {
  const parts: One[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const one of batch) {
    const more = Buffer.byteLength(JSON.stringify(recordOf(one))) + 1;
    if (bytes + more > invocationBytes) {
      parts.push([]);
      bytes = envelopeBytes;
    }
    parts.at(-1)?.push(one);
    bytes += more;
  }
  return parts;
}
