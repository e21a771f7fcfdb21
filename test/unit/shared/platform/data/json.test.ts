import fc from 'fast-check';
import * as z from 'zod/mini';
import { jsonText, messageJson, stepsOf, withValue } from '#platform/data/json.ts';
import { compare, newObjectId, shardAmong } from '#platform/data/keys.ts';

describe('JSON', () => {
  const row = { npn: '8123456', linesOfAuthority: [{ code: '16' }, { code: '8' }] };

  it.each(['linesOfAuthority[1].code', 'linesOfAuthority.1.code'])('the value at %s', (path) => {
    expect(stepsOf(path)).toEqual(['linesOfAuthority', '1', 'code']);
    expect(withValue(row, stepsOf(path), '9')).toEqual({
      npn: '8123456',
      linesOfAuthority: [{ code: '16' }, { code: '9' }],
    });
    expect(row.linesOfAuthority[1]?.code).toBe('8');
  });

  it('a path may end with an index', () => {
    expect(stepsOf('linesOfAuthority[0]')).toEqual(['linesOfAuthority', '0']);
  });

  it('where there is nothing at a path, objects on the way to it are made', () => {
    expect(withValue({ npn: null }, ['npn', 'of'], 'agent')).toEqual({ npn: { of: 'agent' } });
    expect(withValue({ npn: 'text' }, ['npn', 'of'], 'agent')).toEqual({ npn: { of: 'agent' } });
    expect(withValue(undefined, ['npn'], '8123456')).toEqual({ npn: '8123456' });
  });

  it('is read from text, and anything else says that it is not JSON', () => {
    expect(z.parse(jsonText, '{"npn":"8123456"}')).toEqual({ npn: '8123456' });
    const { error } = z.safeParse(jsonText, '{');
    expect(error?.issues).toMatchObject([{ message: 'is not JSON', path: [] }]);
  });

  it('in a message of a queue is what a queue accepts', () => {
    const [text, number] = ['a\uD83Cb\uFFFEc\uFFFFd🏢', 7];
    expect(JSON.parse(messageJson({ text, list: [text, number] }))).toEqual({
      text: 'a\uFFFDb\uFFFDc\uFFFDd🏢',
      list: ['a\uFFFDb\uFFFDc\uFFFDd🏢', 7],
    });
  });
});

describe('ids and keys', () => {
  it('an id begins with the seconds of its time, in eight hexadecimal digits, and is like no other', () => {
    for (const [time, begin] of [
      ['2026-06-01T09:00:00.999Z', '6a1d4a10'],
      ['1970-01-01T00:00:16.000Z', '00000010'],
    ] as const) {
      const ids = [newObjectId(new Date(time)), newObjectId(new Date(time))];
      for (const id of ids) expect(id).toMatch(new RegExp(`^${begin}[\\da-f]{16}$`));
      expect(ids[0]).not.toBe(ids[1]);
    }
  });

  it('a text is always in one shard, and texts are in all of them', () => {
    const shards = Array.from({ length: 400 }, (_, index) => shardAmong(`npn ${index}`, 10));
    expect([...new Set(shards)].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(shardAmong('npn 7', 10)).toBe(shards[7]);
  });

  it('keys are ordered by their characters', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary-ascii' })), (texts) => {
        expect(texts.toSorted(compare)).toEqual(texts.toSorted());
        for (const text of texts) expect(compare(text, text)).toBe(0);
      }),
    ));
});
