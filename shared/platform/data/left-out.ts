import { AsyncLocalStorage } from 'node:async_hooks';
import { StoredItemError } from './stored.ts';

// A list that can't show one record shows the others. What reads it says which reads are of its records: anything else that can't
// be read fails, since a record that is shown without it would be wrong.

/** Takes note of what a list leaves out: one call for each record. */
export type LeaveOut = (error: StoredItemError) => void;

const lists = new AsyncLocalStorage<LeaveOut>();

/** Reads a list, or makes what is streamed of it later; `pagesOfList` reads that. */
export const readList = <Result>(leaveOut: LeaveOut, read: () => Result): Result => lists.run(leaveOut, read);

/** The pages of a streamed list, read in the context of the request, which may end before the list. */
export async function* pagesOfList<Page>(
  leaveOut: LeaveOut,
  pages: AsyncIterable<Page>,
  inContext = AsyncLocalStorage.snapshot(),
): AsyncGenerator<Page, void> {
  const iterator = pages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const page = await inContext(() => readList(leaveOut, () => iterator.next()));
      if (page.done === true) return;
      yield page.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * What is made of each record. A list leaves out those of which an item breaks its schema.
 * @throws StoredItemError where no list is read.
 */
export const ofReadable = <Item, Made>(items: readonly Item[], make: (item: Item) => Made): Made[] =>
  items.flatMap((item) => {
    try {
      return [make(item)];
    } catch (error) {
      return leftOut(error) ?? [];
    }
  });

/** Nothing, instead of a record that an item which breaks its schema is of. @throws the error, if it is another, or no list is read. */
export function leftOut(error: unknown): undefined {
  const leaveOut = lists.getStore();
  if (leaveOut === undefined || !(error instanceof StoredItemError)) throw error;
  leaveOut(error);
}
