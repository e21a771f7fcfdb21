import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { isTransform } from '#platform/request/validation.ts';
import { anyText } from '../support/any-text.ts';
import { place } from './full-records.ts';

/** One of several arbitraries, each as often as its weight says. */
export const weighted = <Value>(...choices: readonly [weight: number, arbitrary: fc.Arbitrary<Value>][]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** An id of something that exists, where the API has answered one of that name, or of nothing. */
export const idOf = (name: string): fc.Arbitrary<string> =>
  weighted<string>(
    [20, fc.nat(200).map((index) => `{${name.replace(/s$/, '')}:${index}}`)],
    [1, fc.stringMatching(/^[0-9a-fA-F]{24}$/)],
  );

/** Texts that programs trip over: halves of pairs, non-characters, controls, names of JavaScript's, and long ones. */
export const oddText = weighted<string>(
  [
    6,
    fc.constantFrom(
      ...[
        '',
        ' ',
        '\u0000',
        'a\u0000b',
        '\r\n',
        '\uD83C',
        '\uDFE2x',
        '\uFFFE',
        '\uFFFF',
        '\u{1FFFE}',
        'Agency 🏢',
      ],
      ...[
        'e\u0301',
        '\u202Etxt.exe',
        '\uFEFF',
        '__proto__',
        'constructor',
        'toString',
        '{{7*7}}',
        "' OR 1=1",
        '%00',
      ],
    ),
  ],
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
  sourceCategoryId: fc.constant(place.sourceCategoryId),
  sourceTaskId: fc.constant(place.sourceTaskId),
  page: fc.constantFrom('1', '2', '999999999'),
  limit: fc.constantFrom('1', '50', '100'),
};

/** A name that a field's value is an id of. */
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

/** Values that a schema mostly accepts. */
export function validFor(schema: z.core.$ZodType, name = ''): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'default':
      return fc.option(validFor(def.innerType, name), { nil: undefined, freq: 2 });
    case 'nullable':
      return fc.option(validFor(def.innerType, name), { nil: null });
    case 'pipe':
      return validFor(isTransform(def.in) ? def.out : def.in, name);
    case 'union':
      return fc.oneof(...def.options.map((option) => validFor(option, name)));
    case 'array':
      return fc.uniqueArray(validFor(def.element, name), {
        minLength: 1,
        maxLength: 3,
        selector: (one) => JSON.stringify(one),
      });
    case 'object':
      return objectOf(def.shape);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'boolean':
      return fc.boolean();
    case 'number':
      return weighted<number>(
        [8, fc.integer({ min: 1, max: 300 })],
        [4, fc.integer({ min: 1, max: Math.min(1_000_000, mostOf(schema) ?? 1_000_000) })],
        [1, fc.double()],
      );
    case 'string':
      return textFor(name);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** How many elements lists have, at each depth, and of which character texts are. */
interface Fullness {
  readonly fills: readonly boolean[];
  readonly character: string;
}

/** Elements of a list, or characters of a text, at most. */
function mostOf(schema: z.core.$ZodType): number | undefined {
  const { checks = [] } = (schema as z.core.$ZodTypes)._zod.def;
  const most = checks.flatMap(({ _zod: { def } }) => ('maximum' in def ? Number(def.maximum) : []));
  return most.length === 0 ? undefined : Math.min(...most);
}

function full(schema: z.core.$ZodType, name: string, at: number, fullness: Fullness): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const within = (inner: z.core.$ZodType) => full(inner, name, at, fullness);
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'nullable':
      return within(def.innerType);
    case 'pipe':
      return within(isTransform(def.in) ? def.out : def.in);
    case 'union':
      return def.options.map(within).at(at % def.options.length);
    case 'array': {
      const [fills = true, ...others] = fullness.fills;
      const length = fills ? (mostOf(schema) ?? 50) : 1;
      return Array.from({ length }, (_, index) =>
        full(def.element, name, index, { ...fullness, fills: others }),
      );
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).map(([key, member]) => [key, full(member, key, at, fullness)]),
      );
    case 'enum':
      return Object.values(def.entries).at(at % Object.values(def.entries).length);
    case 'boolean':
      return true;
    case 'number':
      return mostOf(schema) ?? 300;
    case 'string': {
      const [given] = fc.sample(fieldValues[name] ?? (isId(name) ? idOf(name) : fc.constant('')), {
        seed: at,
        numRuns: 1,
      });
      const start = `${at} `;
      return given || start + fullness.character.repeat(Math.max(0, (mostOf(schema) ?? 50) - start.length));
    }
    default:
      return null;
  }
}

/** Values as large as a schema accepts: some of their lists have as many elements, and texts as many characters, as they can. */
export const fullFor = (schema: z.core.$ZodType): fc.Arbitrary<unknown> =>
  fc
    .record({
      fills: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      character: fc.constantFrom('x', '名'),
    })
    .map((fullness) => full(schema, '', 0, fullness));
