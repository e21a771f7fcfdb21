interface ChunkLimits<Item> {
  /** Items of a chunk. */
  readonly count: number;
  /** Bytes of a chunk's items together, and how to measure an item; without it only the number of items counts. */
  readonly size?: { readonly bytes: number; readonly of: (item: Item) => number };
}

/**
 * The items in order, in chunks that fit into one call. An item that is larger than a chunk may be is a chunk by itself:
 * the called service decides about it.
 */
export function chunks<Item>(items: readonly Item[], { count, size }: ChunkLimits<Item>): Item[][] {
  const result: Item[][] = [];
  let last: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const itemBytes = size?.of(item) ?? 0;
    const isFull = last.length === count || (size !== undefined && bytes + itemBytes > size.bytes);
    if (last.length === 0 || isFull) {
      last = [];
      bytes = 0;
      result.push(last);
    }
    last.push(item);
    bytes += itemBytes;
  }
  return result;
}
