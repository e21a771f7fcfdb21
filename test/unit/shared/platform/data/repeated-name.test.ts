import * as fc from 'fast-check';
import { repeatedName } from '../../../../../shared/platform/data/repeated-name.ts';

it.each<[string, readonly (string | number)[] | undefined]>([
  ['{}', undefined],
  ['"a"', undefined],
  ['{"a":1,"b":"a","c":["a","a",{"a":{}},{"a":1}]}', undefined],
  ['{"a":{"a":{"a":1}},"b":{"a":1}}', undefined],
  ['[{}, "a", {}, "a"]', undefined],
  ['{"a":"\\"a\\":1,\\\\","b":"{\\"b\\":1"}', undefined],
  ['{"a":1,"a":1}', ['a']],
  ['{"":1,"":2}', ['']],
  ['{"__proto__":1,"__proto__":2}', ['__proto__']],
  ['{"a" : 1 , "\\u0061" : 2}', ['a']],
  ['{"a\\\\":1,"b":2,"a\\\\":3}', ['a\\']],
  ['{"a":[],"b":{"c":[1,[],{"x":"}","y":[{"d":1},{"e":{},"e":1}]}]}}', ['b', 'c', 2, 'y', 1, 'e']],
  ['[{"a":1},{"b":1,"c":{"b":1},"b":2}]', [1, 'b']],
])('of %s is %p', (text, path) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(repeatedName(text)).toEqual(path);
});

it('is found in a text that is nested too deep for recursion', () => {
  const depth = 100_000;
  const text = `${'[{"a":'.repeat(depth)}{"b":1,"b":2}${'}]'.repeat(depth)}`;
  expect(repeatedName(text)).toHaveLength(2 * depth + 1);
  expect(repeatedName(text.replace('"b":2', '"c":2'))).toBeUndefined();
});

/** A value as its text has it: the members of an object may have one name. */
type Node =
  | string
  | { readonly members: readonly (readonly [string, Node])[] }
  | { readonly elements: readonly Node[] };

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue({ maxDepth: 0 }).map((value) => JSON.stringify(value)),
    fc.record({
      members: fc.array(fc.tuple(fc.oneof(fc.constantFrom('a', 'b', '"', '\\'), fc.string()), tie('node')), {
        maxLength: 4,
      }),
    }),
    fc.record({ elements: fc.array(tie('node'), { maxLength: 3 }) }),
  ),
}));

const textOf = (one: Node, space: string): string => {
  if (typeof one === 'string') return one;
  const list =
    'members' in one
      ? one.members.map(([name, value]) => `${JSON.stringify(name)}${space}:${space}${textOf(value, space)}`)
      : one.elements.map((value) => textOf(value, space));
  return `${'members' in one ? '{' : '['}${space}${list.join(`${space},${space}`)}${space}${'members' in one ? '}' : ']'}`;
};

/** The first repetition in the order of the text. */
function repetitionIn(one: Node): (string | number)[] | undefined {
  if (typeof one === 'string') return undefined;
  const names = new Set<string>();
  const children = 'members' in one ? one.members : [...one.elements.entries()];
  for (const [key, value] of children) {
    if (typeof key === 'string' && names.has(key)) return [key];
    if (typeof key === 'string') names.add(key);
    const within = repetitionIn(value);
    if (within !== undefined) return [key, ...within];
  }
  return undefined;
}

it('is the first one, whatever the text', () =>
  fc.assert(
    fc.property(node, fc.constantFrom('', ' ', '\n\t'), (one, space) => {
      expect(repeatedName(textOf(one, space))).toEqual(repetitionIn(one));
    }),
    { numRuns: 500 },
  ));
