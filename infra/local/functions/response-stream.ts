import { Readable } from 'node:stream';
import { streamedAnswerBytes } from '#platform/aws/limits.ts';

/** Receives what the function's worker reports about one invocation. */
export interface Invocation {
  onChunk(chunk: Uint8Array): void;
  onResult(payload: string): void;
  onFailure(error: Error): void;
  timer?: NodeJS.Timeout;
}

/** Message from the reader of a streamed response to the function. */
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
  sizeError: () => Error,
): Readable {
  let send: ((message: ReaderMessage) => void) | undefined;
  let hasEnded = false;
  /** Bytes in the buffer of the reader, to be acknowledged once it reads on. */
  let heldBytes = 0;
  let streamedBytes = 0;
  const acknowledge = (bytes: number): void => send?.({ kind: 'consumed', bytes });
  const readable = new Readable({
    read() {
      if (heldBytes === 0) return;
      acknowledge(heldBytes);
      heldBytes = 0;
    },
    destroy(error, callback) {
      if (!hasEnded) send?.({ kind: 'closed' });
      callback(error);
    },
  });
  const fail = (error: Error): void => {
    hasEnded = true;
    readable.destroy(error);
  };
  begin({
    onChunk: (chunk) => {
      if (readable.destroyed) return;
      streamedBytes += chunk.byteLength;
      if (streamedBytes > streamedAnswerBytes) readable.destroy(sizeError());
      else if (readable.push(chunk)) acknowledge(chunk.byteLength);
      else heldBytes += chunk.byteLength;
    },
    onResult: () => {
      hasEnded = true;
      readable.push(null);
    },
    onFailure: fail,
  }).then((sender) => {
    send = sender;
    if (readable.destroyed) send({ kind: 'closed' });
  }, fail);
  return readable;
}
