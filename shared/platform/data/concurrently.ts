interface ChunkLimits<Item> {
  /** Items of a chunk. */
  readonly count: number;
  /** For how many an item counts; one by default. */
  readonly countOf?: (item: Item) => number;
  /** Bytes of a chunk's items together, and how to measure an item; without it only the number of items counts. */
  readonly size?: { readonly bytes: number; readonly of: (item: Item) => number };
}

/**
 * The items in order, in chunks that fit into one call. An item that is larger than a chunk may be is a chunk by itself:
 * the called service decides about it.
 */
export function chunks<Item>(
  items: readonly Item[],
  { count, countOf = () => 1, size }: ChunkLimits<Item>,
): Item[][] {
  const result: Item[][] = [];
  let last: Item[] = [];
  let [counted, bytes] = [0, 0];
  for (const item of items) {
    const itemBytes = size?.of(item) ?? 0;
    const isFull = counted + countOf(item) > count || (size !== undefined && bytes + itemBytes > size.bytes);
    if (last.length === 0 || isFull) {
      last = [];
      [counted, bytes] = [0, 0];
      result.push(last);
    }
    last.push(item);
    counted += countOf(item);
    bytes += itemBytes;
  }
  return result;
}

/** Items worked on at the same time, unless a caller says otherwise. */
const concurrency = 16;

/**
 * Works on all items, with limited concurrency; a worker takes the next item when it is done with its last. After a failure
 * no more are started, and those under way finish before it is thrown.
 */
export async function concurrently<Item>(
  source: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<void>,
  limit = concurrency,
): Promise<void> {
  const items = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    try {
      for (let next = await items.next(); next.done !== true; next = await items.next()) {
        if (failures.length > 0) return;
        await work(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failures.length > 0) throw failures[0];
}

/** Results of the work for each item, in the items' order; `concurrently` otherwise. */
export async function mapConcurrently<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  limit?: number,
): Promise<Result[]> {
  const results: Result[] = [];
  const workAt = async ([index, item]: [number, Item]): Promise<void> => {
    results[index] = await work(item);
  };
  await concurrently(Array.from(items).entries(), workAt, limit);
  return results;
}

/** Values read by each of these keys, once however often the key is there; `concurrently` otherwise. */
export async function readEach<Value>(
  keys: Iterable<string>,
  read: (key: string) => Promise<Value>,
  limit?: number,
): Promise<ReadonlyMap<string, Value>> {
  return new Map(await mapConcurrently(new Set(keys), async (key) => [key, await read(key)] as const, limit));
}

/** Items, each requested while the caller works on the one before. */
export async function* readAhead<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  let pending = items.next();
  for (;;) {
    const next = await pending;
    if (next.done === true) return;
    pending = items.next();
    // A caller that stops early never awaits this one; one that goes on gets its failure above.
    pending.catch(() => undefined);
    yield next.value;
  }
}

/**
 * Results made of each item, in order; those of the next two are being made while the caller works on one: with one alone, DynamoDB
 * and this function would wait for each other at the end of each. The first is made alone, so that it is there early.
 */
export async function* mapAhead<Item, Made>(
  source: AsyncIterable<Item>,
  make: (item: Item) => Promise<Made>,
): AsyncGenerator<Made, void> {
  const pending: Promise<Made>[] = [];
  let waiting = 0;
  for await (const item of source) {
    const result = make(item);
    // A caller that stops early never awaits this one; one that goes on gets its failure below.
    result.catch(() => undefined);
    pending.push(result);
    if (pending.length <= waiting) continue;
    yield* pending.splice(0, 1);
    waiting = 2;
  }
  yield* pending;
}

/** Results made of each page, as the pages come. */
export async function* mapPages<Page, Made>(
  pages: AsyncIterable<Page>,
  make: (page: Page) => Made | Promise<Made>,
): AsyncGenerator<Made, void> {
  for await (const page of pages) yield make(page);
}

/** The first page alone, so that it is there early, and then so many at a time as one, whose calls are fewer and fuller. */
export async function* joinPages<One>(pages: AsyncIterable<One[]>, count: number): AsyncGenerator<One[]> {
  let [joined, wanted]: [One[][], number] = [[], 1];
  for await (const page of pages) {
    if (joined.push(page) < wanted) continue;
    yield joined.flat();
    [joined, wanted] = [[], count];
  }
  if (joined.length > 0) yield joined.flat();
}

/** All items of a short list's pages. */
export async function collect<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}
