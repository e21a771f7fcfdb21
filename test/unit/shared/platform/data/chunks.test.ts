import * as fc from 'fast-check';
import { chunks } from '../../../../../shared/platform/data/chunks.ts';

const of = (text: string): number => text.length;

it('splits items into chunks of at most that number', () => {
  expect(chunks([1, 2, 3, 4, 5], { count: 2 })).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunks([], { count: 2 })).toEqual([]);
});

it('ends a chunk before it exceeds its bytes, and fills it to the last one', () => {
  const limits = { count: 10, size: { bytes: 4, of } };
  expect(chunks(['aa', 'bb', 'c', 'dddd', 'e'], limits)).toEqual([['aa', 'bb'], ['c'], ['dddd'], ['e']]);
});

it('gives an item that is larger than a chunk a chunk of its own', () => {
  const limits = { count: 10, size: { bytes: 4, of } };
  expect(chunks(['a', 'too large', 'b'], limits)).toEqual([['a'], ['too large'], ['b']]);
});

it('keeps every item and the order, and keeps to both limits', async () => {
  const size = { bytes: 20, of };
  await fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 })), fc.integer({ min: 1, max: 5 }), (items, count) => {
      const made = chunks(items, { count, size });
      expect(made.flat()).toEqual(items);
      for (const chunk of made) {
        expect(chunk.length).toBeLessThanOrEqual(count);
        if (chunk.length > 1) expect(chunk.join('').length).toBeLessThanOrEqual(size.bytes);
      }
    }),
  );
});
