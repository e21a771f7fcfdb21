import { readdirSync } from 'node:fs';
import { storedSchemas } from '#platform/data/stored.ts';
import '#platform/request/idempotency.ts';
import * as z from 'zod/mini';
import { isMultiline } from '#platform/contract/primitives.ts';
import { takesIdempotencyKey } from '#platform/contract/route.ts';
import { parseWritten, writtenText } from '#platform/request/validation.ts';
import { type CommandName, commandNames, inputOf } from '../../functions/admin/commands.ts';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { routeGroups } from '../../infra/function-uses.ts';

// What no function imports is not stored.
beforeAll(() =>
  Promise.all(readdirSync('functions').map((name) => import(`../../functions/${name}/function.ts`))),
);

describe('stored numbers', () => {
  /** Every number of a schema, by its path. */
  function numbersIn(
    value: unknown,
    path: string,
    seen = new Set<unknown>(),
  ): (readonly [string, z.core.$ZodType])[] {
    if (typeof value !== 'object' || value === null || seen.has(value)) return [];
    if (value instanceof z.core.$ZodType) {
      const { def } = (value as z.core.$ZodTypes)._zod;
      if (def.type === 'number') return [[path, value]];
      seen.add(value);
      const members = def.type === 'object' ? def.shape : def;
      return Object.entries(members).flatMap(([name, member]) => numbersIn(member, `${path}.${name}`, seen));
    }
    if (value.constructor !== Object && !Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([name, member]) => numbersIn(member, `${path}.${name}`, seen));
  }

  it('no stored number is one that DynamoDB or JavaScript does not keep', () => {
    const numbers = [...storedSchemas, ...Object.entries(recordSchemas)].flatMap(([name, schema]) =>
      numbersIn(schema, name),
    );
    const paths = numbers.map(([path]) => path);
    for (const path of ['premiumAmountInUSD', 'grossPremium', 'matchConfidence', 'lengthOfOrderInDays']) {
      expect(paths.join(' ')).toContain(path);
    }
    const taken = numbers.flatMap(([path, schema]) =>
      [1e308, -1e308, 2 ** 53, 1e-200, -1e-200].flatMap((value) =>
        z.safeParse(schema, value).success ? [`${path} ${value}`] : [],
      ),
    );
    expect(taken).toEqual([]);
  });
});

describe('stored text', () => {
  /** A string of a schema: where it is, and a function that puts a value there and nowhere else. */
  interface Place {
    readonly path: readonly PropertyKey[];
    readonly schema: z.core.$ZodType;
    readonly holding: (value: unknown) => unknown;
  }

  /** Types whose values are no free text. */
  const withoutText = ['boolean', 'number', 'int', 'literal', 'enum', 'null', 'file', 'transform', 'custom'];

  /** What the import of filings ignores, since files are uploaded and the rest is computed. */
  const ignored = [
    'attachments',
    'checklistItemLabel',
    'completionArtifacts',
    'actionRequired',
    'checklistProgress',
    'escalations',
  ];

  /** Every string of a schema. A type that it doesn't know fails the test: its strings might be stored as they come. */
  function placesIn(
    schema: z.core.$ZodType,
    path: PropertyKey[] = [],
    holding: Place['holding'] = (value) => value,
  ): Place[] {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case 'optional':
      case 'nullable':
      case 'default':
        return placesIn(def.innerType, path, holding);
      case 'pipe':
        return placesIn(def.in, path, holding);
      case 'union':
        return def.options.flatMap((option) => placesIn(option, path, holding));
      case 'array':
        return placesIn(def.element, [...path, 0], (value) => holding([value]));
      case 'object':
        return Object.entries(def.shape).flatMap(([key, member]) =>
          placesIn(member, [...path, key], (value) => holding({ [key]: value })),
        );
      case 'string':
        return [{ path, schema, holding }];
      default:
        if (withoutText.includes(def.type)) return [];
        if (def.type === 'unknown' && ignored.some((key) => path.includes(key))) return [];
        throw new Error(`${path.map(String).join('.')} is of the type ${def.type}.`);
    }
  }

  const bodies = routeGroups.flatMap(({ routes }) =>
    Object.entries(routes)
      .filter(([, route]) => takesIdempotencyKey(route))
      .flatMap(([operationId, { body, form }]) =>
        [body, form].flatMap((schema) => (schema === undefined ? [] : [[operationId, schema] as const])),
      ),
  );

  const commands = commandNames.map((name: CommandName) => [name, inputOf(name)] as const);

  const records = Object.entries(recordSchemas);

  const places = [...bodies, ...commands, ...records].flatMap(([owner, schema]) =>
    placesIn(schema).map(({ path, ...place }) => ({
      name: `${owner} ${path.map(String).join('.')}`,
      path,
      root: schema,
      ...place,
    })),
  );

  /**
   * Line and paragraph separators, zero-width space, word joiner, soft hyphen, Mongolian vowel separator, right-to-left override,
   * Hangul filler, combining grapheme joiner, variation selector, and blank Braille pattern.
   */
  const invisible = '\u2028\u2029\u200B\u2060\u00AD\u180E\u202E\u3164\u034F\uFE0F\u2800';

  const faultsOf = (root: z.core.$ZodType, input: unknown): string[] => {
    const faults: string[] = [];
    writtenText(root, input, (path) => faults.push(path.map(String).join('.')));
    return faults;
  };

  it('there are texts that are stored', () => {
    expect(places.length).toBeGreaterThan(150);
  });

  /** The places of which something does not hold. */
  const placesWhere = (fails: (place: (typeof places)[number], at: string) => boolean): string[] =>
    places.filter((place) => fails(place, place.path.map(String).join('.'))).map(({ name }) => name);

  it.each([
    ['a control character', 'a\u0000b'],
    ['a backspace', 'a\bb'],
    ['half of a surrogate pair', 'a\uD83Cb'],
    ['U+FFFF', 'a\uFFFFb'],
    ['U+1FFFE', 'a\u{1FFFE}b'],
  ])('each refuses %s', (_, text) => {
    expect(placesWhere(({ root, holding }, at) => !faultsOf(root, holding(text)).includes(at))).toEqual([]);
  });

  it.each([
    ...[...invisible].map((character) => [
      `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      `a${character}b`,
    ]),
    ['an end of a line', 'a\r\nb'],
  ])('those of several lines take %s, and the others refuse it', (_, text) => {
    const fails = placesWhere(
      ({ root, schema, holding }, at) => faultsOf(root, holding(text)).includes(at) === isMultiline(schema),
    );
    expect(fails).toEqual([]);
  });

  it('those of one line are not blank', () => {
    const blank = placesWhere(({ schema }) => {
      if (isMultiline(schema)) return false;
      try {
        parseWritten(schema, ' \u00A0 ');
        return true;
      } catch {
        return false;
      }
    });
    expect(blank).toEqual([]);
  });

  it('each is trimmed and normalized', () => {
    const changed = places.map(({ name, root, holding }) => [
      name,
      writtenText(root, holding(' cafe\u0301 🏢 👩‍💼 ❤️ '), () => undefined),
    ]);
    expect(changed).toEqual(places.map(({ name, holding }) => [name, holding('café 🏢 👩‍💼 ❤️')]));
  });
});
