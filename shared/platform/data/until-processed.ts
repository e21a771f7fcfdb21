import { backOff } from '../aws/backoff.ts';
import { UnfinishedCallError } from '../aws/transient-errors.ts';

/** Responses in a row that leave everything unprocessed. */
const emptyAnswers = 6;

/**
 * Makes a batch call again, after a pause, for what DynamoDB leaves unprocessed because a response is full or a table is
 * throttled.
 * @param call answers what it left.
 * @throws UnfinishedCallError when it keeps leaving all; SDK errors.
 */
export async function untilProcessed<One>(
  table: string,
  all: One[],
  call: (waiting: One[]) => Promise<One[] | undefined>,
): Promise<void> {
  let waiting = all;
  for (let empty = 0; waiting.length > 0; ) {
    const left = (await call(waiting)) ?? [];
    if (left.length === 0) return;
    empty = left.length === waiting.length ? empty + 1 : 0;
    if (empty === emptyAnswers) {
      throw new UnfinishedCallError(
        `${table} left all ${left.length} items, ${emptyAnswers} times in a row.`,
      );
    }
    waiting = left;
    await backOff(empty + 1);
  }
}
