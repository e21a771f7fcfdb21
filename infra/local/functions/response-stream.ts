import { Readable } from 'node:stream';
import { streamedAnswerBytes } from '#platform/aws/limits.ts';

/** Receives what the function's worker reports about one invocation. */
export interface Invocation {
  onChunk(chunk: Uint8Array): void;
  onDone(payload: string): void;
  onFailed(error: Error): void;
  timer?: NodeJS.Timeout;
}

/** What the reader of a streamed response reports to the function. */
export type ReaderMessage =
  | { readonly kind: 'consumed'; readonly bytes: number }
  | { readonly kind: 'closed' };

/**
 * Begins an invocation and returns the bytes that it streams, with backpressure. The stream fails when the invocation does.
 *
 * @param begin begins the invocation; resolves with the function that sends it messages
 * @param exceeded the error for a response beyond the size limit
 */
export function openResponseStream(
  begin: (invocation: Invocation) => Promise<(message: ReaderMessage) => void>,
  exceeded: () => Error,
): Readable {
  let send: ((message: ReaderMessage) => void) | undefined;
  let ended = false;
  /** Bytes in the buffer of the reader, to be acknowledged once it reads on. */
  let held = 0;
  let streamed = 0;
  const acknowledge = (bytes: number): void => send?.({ kind: 'consumed', bytes });
  const readable = new Readable({
    read() {
      if (held === 0) return;
      acknowledge(held);
      held = 0;
    },
    destroy(error, callback) {
      if (!ended) send?.({ kind: 'closed' });
      callback(error);
    },
  });
  const fail = (error: Error): void => {
    ended = true;
    readable.destroy(error);
  };
  begin({
    onChunk: (chunk) => {
      if (readable.destroyed) return;
      streamed += chunk.byteLength;
      if (streamed > streamedAnswerBytes) readable.destroy(exceeded());
      else if (readable.push(chunk)) acknowledge(chunk.byteLength);
      else held += chunk.byteLength;
    },
    onDone: () => {
      ended = true;
      readable.push(null);
    },
    onFailed: fail,
  }).then((sender) => {
    send = sender;
    if (readable.destroyed) send({ kind: 'closed' });
  }, fail);
  return readable;
}
