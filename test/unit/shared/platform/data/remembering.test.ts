import { remembering } from '../../../../../shared/platform/data/remembering.ts';

test('a value is read once in a stretch, and again after many others', async () => {
  const asked: string[][] = [];
  const find = remembering(async (keys) => {
    asked.push([...keys]);
    return keys.filter((key) => key !== 'nobody').map((key) => [key, `value of ${key}`]);
  });
  expect((await find(['a', 'a', 'nobody'])).get('a')).toBe('value of a');
  expect((await find(['a', 'b'])).get('b')).toBe('value of b');
  await find(['b']);
  expect(asked).toEqual([['a', 'nobody'], ['b']]);
  await find(Array.from({ length: 2_000 }, (_, index) => String(index)));
  expect((await find(['b'])).get('b')).toBe('value of b');
  expect(asked.at(-1)).toEqual(['b']);
});

test('calls at the same time read a value once, and what one found stays when others make the list forget', async () => {
  const asked: string[][] = [];
  const find = remembering(async (keys) => {
    asked.push([...keys]);
    return keys.map((key) => [key, `value of ${key}`]);
  });
  const [one, other] = await Promise.all([find(['a', 'b']), find(['b', 'c'])]);
  expect(asked).toEqual([['a', 'b'], ['c']]);
  expect([...one.keys(), ...other.keys()]).toEqual(['a', 'b', 'b', 'c']);
  await find(Array.from({ length: 2_000 }, (_, index) => String(index)));
  await find(['d']);
  expect(one.get('a')).toBe('value of a');
});
