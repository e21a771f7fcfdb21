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
