import { execFileSync } from 'node:child_process';
import type { JsonSchema } from '../../infra/openapi/document.ts';
import { documentedGroups, openApiDocument } from '../../infra/openapi/publish.ts';
import { presentIndexes, presentKeys, presentSchemas } from '../../infra/release/present.ts';
import {
  type Indexes,
  presentCommit,
  previousIndexes,
  previousKeys,
  previousSchemas,
} from '../../infra/release/previous.ts';
import { indexChanges } from '../../shared/platform/aws/limits.ts';
import { acknowledgedBreaks, type Reader } from '../support/acknowledged-breaks.ts';
import { type Break, breaksOf } from '../support/schema-compatibility.ts';
import { narrowed, widened } from '../support/schema-mutations.ts';
import { synthesized, wholeTemplates } from './synthesized.ts';
import { release } from './variants.ts';

interface NamedBreak extends Break {
  readonly name: string;
  readonly reader: Reader;
}

/** What operators and the agencies' application write: only the present code has to read it. */
const isWrittenByOthers = (name: string): boolean => name.startsWith('invocations/');

/** What the two versions do not understand of each other while both run, and the present one of what is stored. */
function breaksBetween(
  previous: ReadonlyMap<string, JsonSchema>,
  present: ReadonlyMap<string, JsonSchema>,
): NamedBreak[] {
  return Array.from(previous).flatMap(([name, before]) => {
    const now = present.get(name);
    if (now === undefined) {
      return [{ name, reader: 'the previous release' as const, path: '', why: 'has no schema any more' }];
    }
    const written = isWrittenByOthers(name) ? [] : breaksOf(now, before);
    return [
      ...written.map((one) => ({ name, reader: 'the previous release' as const, ...one })),
      ...breaksOf(before, now).map((one) => ({ name, reader: 'the present code' as const, ...one })),
    ];
  });
}

/**
 * Tables with more indexes to create and delete than one update of a table can. An index with another key or projection is
 * deleted and created; a table that is new is created with all of its indexes.
 */
const overloadedTables = (previous: Indexes, present: Indexes): string[] =>
  Object.keys(previous).filter((table) => {
    const [before = [], now = []] = [previous, present].map((one) =>
      Object.entries(one[table] ?? {}).map(([name, design]) => `${name} ${design}`),
    );
    const changes = [
      ...before.filter((one) => !now.includes(one)),
      ...now.filter((one) => !before.includes(one)),
    ];
    return table in present && changes.length > indexChanges;
  });

const isAcknowledged = (one: NamedBreak): boolean =>
  acknowledgedBreaks.some(
    ({ name, reader, path }) => name === one.name && reader === one.reader && path === one.path,
  );

describe('beside the previous release, the present code', () => {
  let breaks: NamedBreak[];
  beforeAll(async () => {
    const keys = await presentKeys();
    const otherKeys = Array.from(previousKeys()).filter(([name, format]) => keys.get(name) !== format);
    breaks = [
      ...breaksBetween(previousSchemas(), await presentSchemas()),
      ...otherKeys.map(([name, before]) => ({
        name,
        reader: 'the previous release' as const,
        path: '',
        why: `was ${before} and is ${keys.get(name) ?? 'not made any more'}`,
      })),
    ];
  });

  // How to change a stored shape or a message is in CONTRIBUTING.md, "Releases".
  it('writes what the parsers of that release read, reads what it wrote, and makes the same keys', () => {
    expect(breaks.filter((one) => !isAcknowledged(one))).toEqual([]);
  });

  // CloudFormation would refuse: `Cannot perform more than one GSI creation or deletion in a single update`.
  it('creates or deletes one index of a table at most', () => {
    expect(Object.keys(previousIndexes()).length).toBeGreaterThan(10);
    expect(overloadedTables(previousIndexes(), presentIndexes())).toEqual([]);
  });

  it('has every difference that is acknowledged', () => {
    const gone = acknowledgedBreaks.filter(
      ({ name, reader, path }) =>
        !breaks.some((one) => name === one.name && reader === one.reader && path === one.path),
    );
    expect(gone).toEqual([]);
  });
});

const text = { type: 'string' } as const;
const item: JsonSchema = {
  type: 'object',
  properties: {
    _id: { ...text, pattern: '^[0-9a-f]{24}$' },
    status: { ...text, enum: ['active', 'inactive'] },
    notes: { anyOf: [{ ...text, maxLength: 100 }, { type: 'null' }] },
    tags: { type: 'array', items: text },
    email: text,
  },
  required: ['_id', 'status', 'notes', 'tags'],
};
const message: JsonSchema = { ...item, additionalProperties: false };
const withMember = (schema: JsonSchema, name: string, member: JsonSchema, required = false): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, [name]: member },
  required: [...(schema.required ?? []), ...(required ? [name] : [])],
});
const without = (name: string): JsonSchema => {
  const { [name]: _, ...properties } = item.properties ?? {};
  return { ...item, properties, required: item.required?.filter((other) => other !== name) ?? [] };
};

/** A schema and those that it consists of. */
const partsOf = (schema: JsonSchema): JsonSchema[] => [
  schema,
  ...[
    schema.items,
    schema.additionalProperties,
    ...(schema.anyOf ?? []),
    ...Object.values(schema.properties ?? {}),
  ]
    .filter((part): part is JsonSchema => typeof part === 'object')
    .flatMap(partsOf),
];

describe('the comparison of two releases', () => {
  const changes: [string, JsonSchema, JsonSchema, string[]][] = [
    ['nothing', item, item, []],
    ['a new optional member', item, withMember(item, 'phone', text), []],
    [
      'a new member that new items always have',
      item,
      withMember(item, 'phone', text, true),
      ['the present code phone may be missing'],
    ],
    [
      'a new optional member of a message that takes no others',
      message,
      withMember(message, 'phone', text),
      ['the previous release phone is a member that the reader does not know'],
    ],
    ['a removed optional member', item, without('email'), []],
    [
      'a removed member that the previous release needs',
      item,
      without('tags'),
      ['the previous release tags may be missing'],
    ],
    [
      'a member that may be missing from now on',
      item,
      { ...item, required: ['_id', 'status', 'notes'] },
      ['the previous release tags may be missing'],
    ],
    [
      'a new value of an enum',
      item,
      withMember(item, 'status', { ...text, enum: ['active', 'inactive', 'archived'] }),
      ['the previous release status may be archived'],
    ],
    [
      'a removed value of an enum',
      item,
      withMember(item, 'status', { ...text, enum: ['active'] }),
      ['the present code status may be inactive'],
    ],
    [
      'another form of a text',
      item,
      withMember(item, '_id', { ...text, pattern: '^[0-9a-f-]{36}$' }),
      ['the previous release _id its pattern is another', 'the present code _id its pattern is another'],
    ],
    [
      'a longer text',
      item,
      withMember(item, 'notes', { anyOf: [{ ...text, maxLength: 200 }, { type: 'null' }] }),
      ['the previous release notes its maxLength is another'],
    ],
    [
      'no null any more',
      item,
      withMember(item, 'notes', { ...text, maxLength: 100 }),
      ['the present code notes may be of the type null, and not string'],
    ],
    [
      'a set instead of a list',
      item,
      withMember(item, 'tags', { type: 'array', uniqueItems: true, items: text }),
      [
        'the previous release tags its uniqueItems is another',
        'the present code tags its uniqueItems is another',
      ],
    ],
    [
      'another type within a list',
      item,
      withMember(item, 'tags', { type: 'array', items: { type: 'number' } }),
      [
        'the previous release tags[] may be of the type number, and not string',
        'the present code tags[] may be of the type string, and not number',
      ],
    ],
  ];

  it.each(changes)('of %s', (_, before, now, expected) => {
    const breaks = breaksBetween(new Map([['items', before]]), new Map([['items', now]]));
    expect(breaks.map(({ reader, path, why }) => `${reader} ${path} ${why}`)).toEqual(expected);
  });

  it('finds every change of every part of the recorded schemas that the other version would not understand', () => {
    const parts = new Map(
      Array.from(previousSchemas().values())
        .flatMap(partsOf)
        .map((part) => [JSON.stringify(part), part]),
    );
    const changes = Array.from(parts).flatMap(([part, schema]) => [
      ...Object.entries(widened(schema)).map(([name, now]) => ({
        part,
        name,
        breaks: breaksOf(now, schema),
      })),
      ...Object.entries(narrowed(schema)).map(([name, now]) => ({
        part,
        name,
        breaks: breaksOf(schema, now),
      })),
    ]);
    expect(changes.length).toBeGreaterThan(1_000);
    expect(changes.filter(({ breaks }) => breaks.length === 0)).toEqual([]);
  });

  it('reports a schema that is gone, and takes what others write as far as it took it before', () => {
    const invocation = new Map([['invocations/import', item]]);
    const wider = new Map([['invocations/import', withMember(item, 'status', text)]]);
    expect(breaksBetween(invocation, wider)).toEqual([]);
    expect(breaksBetween(wider, invocation)).not.toEqual([]);
    expect(breaksBetween(new Map([['items', item]]), new Map())).toHaveLength(1);
  });

  it.each<[string, Indexes[string], boolean]>([
    ['a new index', { one: 'a, b S, keys', two: 'c, d S, keys' }, false],
    ['two new indexes', { one: 'a, b S, keys', two: 'c, d S, keys', three: 'e, f S, keys' }, true],
    ['a deleted index', {}, false],
    ['a new index and a deleted one', { two: 'a, b S, keys' }, true],
    ['another projection of an index', { one: 'a, b S, all' }, true],
  ])('says whether %s is too much for one update of a table', (_, indexes, isTooMuch) => {
    const previous = { agents: { one: 'a, b S, keys' }, gone: { one: 'a, b S, keys', two: 'c, d S, keys' } };
    const present = { agents: indexes, added: { one: 'a, b S, keys', two: 'c, d S, keys' } };
    expect(overloadedTables(previous, present)).toEqual(isTooMuch ? ['agents'] : []);
  });

  it('refuses a keyword that it does not compare', () => {
    expect(() => breaksOf({ not: {} }, {})).toThrow('not');
  });
});

describe('release', () => {
  test('the service stack says in its outputs which commit is live, and since when', () => {
    expect(synthesized('filledIn').service.outputs).toMatchObject({
      Commit: { Value: release.commit },
      DeployedAt: { Value: release.deployedAt },
    });
  });

  test('no resource but the dashboard names the release: each that did would be updated by every release', () => {
    const { data, service, watch } = synthesized('filledIn');
    const named = [data, service, watch].flatMap(({ all, tags }) => [
      ...(JSON.stringify(tags).includes(release.commit) ? ['tags'] : []),
      ...Object.values(all).flatMap((one) =>
        JSON.stringify(one).includes(release.commit) ? [one.Type] : [],
      ),
    ]);
    expect(named).toEqual(['AWS::CloudWatch::Dashboard']);
  });

  test('every graph of the dashboard has a mark at the deployment, with the commit', () => {
    const body = JSON.stringify(wholeTemplates('filledIn').watch).replaceAll('\\', '');
    const mark = JSON.stringify({ vertical: [{ value: release.deployedAt, label: release.commit }] });
    const graphs = body.split('"view":"timeSeries"').length - 1;
    expect(graphs).toBeGreaterThan(10);
    expect(body.split(`"annotations":${mark}`)).toHaveLength(graphs + 1);
  });

  test('the OpenAPI document names the commit in its version', () => {
    const { version } = openApiDocument(documentedGroups).info;
    expect(openApiDocument(documentedGroups, release.commit).info.version).toBe(
      `${version}+${release.commit}`,
    );
  });

  test('the commit is the one that is checked out', () => {
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
    const commit = presentCommit()?.replace('-dirty', '') ?? '';
    expect(commit.length).toBeGreaterThanOrEqual(12);
    expect(head).toMatch(new RegExp(`^${commit}`));
  });
});
