import type * as z from 'zod/mini';
import { type CommandName, commandNames, inputOf } from '../../functions/admin/commands.ts';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import { takesIdempotencyKey } from '../../shared/platform/contract/route.ts';
import { isMultiline } from '../../shared/platform/contract/text.ts';
import { parseWritten } from '../../shared/platform/request/validation.ts';
import { writtenText } from '../../shared/platform/request/written-text.ts';

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

describe.each(places)('$name', ({ path, root, schema, holding }) => {
  const at = path.map(String).join('.');

  it.each([
    ['a control character', 'a\u0000b'],
    ['a backspace', 'a\bb'],
    ['half of a surrogate pair', 'a\uD83Cb'],
    ['U+FFFF', 'a\uFFFFb'],
    ['U+1FFFE', 'a\u{1FFFE}b'],
  ])('refuses %s', (_, text) => {
    expect(faultsOf(root, holding(text))).toContain(at);
  });

  it(isMultiline(schema) ? 'takes invisible characters' : 'refuses invisible characters', () => {
    for (const character of invisible) {
      expect(faultsOf(root, holding(`a${character}b`)).includes(at)).toBe(!isMultiline(schema));
    }
  });

  it(isMultiline(schema) ? 'takes lines' : 'refuses lines', () => {
    expect(faultsOf(root, holding('a\r\nb')).includes(at)).toBe(!isMultiline(schema));
  });

  it('is not blank', () => {
    if (!isMultiline(schema)) expect(() => parseWritten(schema, ' \u00A0 ')).toThrow();
  });

  it('is trimmed and normalized', () => {
    expect(writtenText(root, holding(' cafe\u0301 🏢 👩‍💼 ❤️ '), () => undefined)).toEqual(
      holding('café 🏢 👩‍💼 ❤️'),
    );
  });
});
