import { inGroups } from '../../../../functions/webhook-delivery/store.ts';
import { until } from '../../../support/until.ts';

describe('in groups', () => {
  test('one group is under way at a time, and what is asked for meanwhile is in the next ones', async () => {
    const begun: (readonly string[])[] = [];
    let end: () => void = () => undefined;
    const work = inGroups(2, async (items: readonly string[]) => {
      begun.push(items);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return items.map((item) => `done: ${item}`);
    });
    const first = work('a');
    await until(() => begun.length === 1);
    const others = ['b', 'c', 'd'].map(work);
    // Twice as long as a group gathers: another one would have begun.
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(begun).toEqual([['a']]);
    end();
    expect(await first).toBe('done: a');
    for (const groups of [2, 3]) {
      await until(() => begun.length === groups);
      end();
    }
    expect(await Promise.all(others)).toEqual(['done: b', 'done: c', 'done: d']);
    expect(begun).toEqual([['a'], ['b', 'c'], ['d']]);

    const later = work('e');
    await until(() => begun.length === 4);
    end();
    expect(await later).toBe('done: e');
  });

  test('an item that is not answered fails', async () => {
    const work = inGroups(2, () => Promise.resolve([]));
    await expect(work('a')).rejects.toThrow('not answered for one of its items');
  });
});
