import { retry } from '../aws/backoff.ts';

/** Another writer changed what was read before it could be written; the change must be decided again. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';

  constructor(message = 'A concurrent write changed the item.', options?: ErrorOptions) {
    super(message, options);
  }
}

/** Other writers of the same items were faster each time. The same request may succeed later. */
export class TransactionContention extends Error {
  override readonly name = 'TransactionContention';
}

/** Attempts by default; the pauses between them take some seconds at most. */
const defaultAttempts = 8;

/**
 * The time of a write that is decided upon what is recorded: not before that, however the clocks of instances differ.
 * @param lastRecorded ISO time in UTC; empty where nothing is recorded.
 */
export function timeAfter(now: Date, lastRecorded: string): Date {
  const last = Date.parse(lastRecorded);
  return now.getTime() < last ? new Date(last + 1) : now;
}

/**
 * Runs work that reads, decides and writes, again whenever another writer came first. Work may contain such work
 * itself: contention of the inner one is not retried by the outer one, so attempts do not multiply.
 *
 * @param work raises VersionConflict to be run again; it gets the number of its attempt, from 1.
 * @throws TransactionContention with the last VersionConflict as its cause; everything else that the work throws.
 */
export async function retryOnConflict<Result>(
  work: (attempt: number) => Promise<Result>,
  { attempts = defaultAttempts }: { readonly attempts?: number } = {},
): Promise<Result> {
  const isConflict = (error: unknown): boolean => error instanceof VersionConflict;
  try {
    return await retry(work, { attempts, isRetryable: isConflict });
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new TransactionContention(`Other writers were faster ${attempts} times.`, { cause: error });
  }
}
