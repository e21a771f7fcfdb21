import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { isTransform } from '#platform/request/validation.ts';
import { anyText } from '../support/any-text.ts';

/** One of several arbitraries, each as often as its weight says. */
export const weighted = <Value>(...choices: readonly [weight: number, arbitrary: fc.Arbitrary<Value>][]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** An id of something that exists, where the API has answered one of that name (`known-ids.ts`), or of nothing. */
export const idOf = (name: string): fc.Arbitrary<string> =>
  weighted<string>(
    [20, fc.nat(200).map((index) => `{${name.replace(/s$/, '')}:${index}}`)],
    [1, fc.stringMatching(/^[0-9a-fA-F]{24}$/)],
  );

const oddTexts =
  '|\0|\r\n|\uD83C|\uFFFE|\u{1FFFE}|Agency 🏢|e\u0301|\u202Etxt.exe|\uFEFF|__proto__|constructor|{{7*7}}|%00'.split(
    '|',
  );

/** Texts that programs trip over: halves of pairs, non-characters, controls, names of JavaScript's, and long ones. */
export const oddText = weighted<string>(
  [6, fc.constantFrom(...oddTexts)],
  [3, anyText(20)],
  [1, fc.integer({ min: 1, max: 5_000 }).map((length) => 'x'.repeat(length))],
);

/** Values that fields of these names accept; the others take any text. */
const fieldValues: Readonly<Record<string, fc.Arbitrary<string>>> = {
  email: fc.nat(99_999).map((number) => `maria.${number}@example.com`),
  npn: fc.nat(9_999_999).map(String),
  npns: fc.nat(9_999_999).map(String),
  downstreamEntityNpn: fc.nat(9_999_999).map(String),
  ein: fc.constantFrom('75-1234567', '751234567'),
  url: fc.nat(20).map((number) => `https://example.com/hooks/${number}`),
  fileName: fc.constantFrom('a.pdf', 'Beleg März.pdf'),
  since: fc.constant('2026-03-01T00:00:00.000Z'),
  until: fc.constant('2026-03-02T00:00:00.000Z'),
  validFrom: fc.constantFrom('2020-02-29', '2026-03-01'),
  page: fc.constantFrom('1', '2', '999999999'),
  limit: fc.constantFrom('1', '50', '100'),
};

const isId = (name: string): boolean => /Ids?$/.test(name) && !/^(external|clientId)/.test(name);

export const textFor = (name: string): fc.Arbitrary<string> =>
  weighted<string>(
    [30, fieldValues[name] ?? (isId(name) ? idOf(name) : fc.nat(999).map((number) => `${name} ${number}`))],
    [1, oddText],
  );

/** An object with its members; where all may be left out, often one of them alone, as some schemas ask. */
function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>): fc.Arbitrary<unknown> {
  const members = Object.entries(shape).map(([key, member]) => [key, validFor(member, key)] as const);
  const whole = fc.record(Object.fromEntries(members));
  const areOptional = Object.values(shape).every((member) => z.safeParse(member, undefined).success);
  if (members.length < 2 || !areOptional) return whole;
  return fc.oneof(whole, ...members.map(([key, value]) => fc.record({ [key]: value })));
}

/** The most elements of a list, characters of a text, or the highest number that a schema states. */
function mostOf(schema: z.core.$ZodType): number {
  const { checks = [] } = (schema as z.core.$ZodTypes)._zod.def;
  const most = checks.flatMap(({ _zod: { def } }) => ('maximum' in def ? Number(def.maximum) : []));
  return Math.min(1_000_000, ...most);
}

/**
 * Values that a schema mostly accepts.
 * @param isFull whether texts and lists are often as long as they may be.
 * @param longest the most elements of a list: lists within a full one are short, or their text would be longer than a string can be.
 */
export function validFor(
  schema: z.core.$ZodType,
  name = '',
  isFull = false,
  longest = 1_000,
): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const within = (inner: z.core.$ZodType) => validFor(inner, name, isFull, longest);
  switch (def.type) {
    case 'optional':
    case 'default':
      return fc.option(within(def.innerType), { nil: undefined, freq: 2 });
    case 'nullable':
      return fc.option(within(def.innerType), { nil: null });
    case 'pipe':
      return within(isTransform(def.in) ? def.out : def.in);
    case 'union':
      return fc.oneof(...def.options.map(within));
    case 'array': {
      const length = Math.min(isFull ? mostOf(schema) : 3, longest);
      const element = validFor(def.element, name, isFull, 3);
      const selector = (value: unknown) => JSON.stringify(value);
      const few = fc.uniqueArray(element, { minLength: 1, maxLength: 3, selector });
      return isFull
        ? fc.oneof(
            few,
            element.map((value) => Array(length).fill(value)),
          )
        : few;
    }
    case 'object':
      return isFull
        ? fc.record(
            Object.fromEntries(
              Object.entries(def.shape).map(([key, member]) => [key, validFor(member, key, true, longest)]),
            ),
          )
        : objectOf(def.shape);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'boolean':
      return fc.boolean();
    case 'number':
      return weighted<number>(
        [8, fc.integer({ min: 1, max: Math.min(300, mostOf(schema)) })],
        [4, fc.integer({ min: 1, max: mostOf(schema) })],
        [1, fc.double()],
      );
    case 'string':
      if (!isFull || name in fieldValues || isId(name)) return textFor(name);
      return fc
        .constantFrom('x', '名')
        .map((character) => character.repeat(Math.min(mostOf(schema), 10_000)));
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}
