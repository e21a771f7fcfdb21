import * as z from 'zod/mini';
import { classWords } from '#domain/decision/classes.ts';
import { dispositionWords } from '#domain/decision/orders.ts';
import { rulesNumber } from '#domain/decision/reasons.ts';
import { rules } from '#domain/decision/rules.ts';
import { amendableFieldNames } from '#domain/registry/resources.ts';
import { statusWords } from '#domain/registry/words.ts';
import { saleCheck } from '#domain/sale-checks/resource.ts';
import { documented } from '#platform/contract/documented.ts';
import { stateCodes } from '#platform/contract/primitives.ts';
import { documentedGroups, openApiDocument } from '../../infra/openapi/publish.ts';
import { publishSchemas } from '../../infra/openapi/schemas.ts';
import { isObject, objectsIn } from '../../infra/text.ts';
import { document, nodesOf, operationsOf, parametersOf, responsesOf, writing } from '../support/openapi.ts';

describe.each([
  ['of the service', document],
  ['of a write', writing],
])('The schemas and components %s', (_name, api) => {
  it('are all used, and every reference resolves to one', () => {
    const references = new Set(
      [...objectsIn(api)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])),
    );
    const { securitySchemes, ...components } = api.components;
    const published = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...references].sort()).toEqual(published.sort());
    expect(api.security.flatMap((alternative) => Object.keys(alternative))).toEqual(
      Object.keys(securitySchemes),
    );
  });

  it('refuse unknown keys in requests and allow them in responses', () => {
    const contents = operationsOf(api).map(([, , operation]) => ({
      sent: operation.requestBody?.content['application/json']?.schema,
      answered: [...responsesOf(api, operation).values()].map(
        ({ content }) => content['application/json'].schema,
      ),
    }));
    const sent = nodesOf(
      api,
      contents.map((each) => each.sent),
    ).filter(({ type }) => type === 'object');
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((node) => node['additionalProperties'] !== false)).toEqual([]);
    const answered = nodesOf(
      api,
      contents.map((each) => each.answered),
    );
    expect(answered.filter((node) => node['additionalProperties'] === false)).toEqual([]);
  });

  it("contain neither zod's internal keys nor a pattern beside a format", () => {
    const found = [...objectsIn(api)].filter(
      (node) =>
        '$schema' in node || '$id' in node || '$defs' in node || ('format' in node && 'pattern' in node),
    );
    expect(found).toEqual([]);
  });
});

describe('The OpenAPI document', () => {
  it('is byte for byte the same every time', () => {
    expect(JSON.stringify(openApiDocument(documentedGroups))).toBe(JSON.stringify(document));
  });
});

describe('A response', () => {
  const state = z.enum(['TX', 'OK']);
  documented(state, { isPlain: true, isClosed: true });
  const ticket = z.object({
    headers: z.record(z.string(), z.int()),
    status: z.enum(['open', 'done']),
    state,
  });
  documented<z.core.$ZodType>(ticket, { id: 'Ticket' });
  const { components } = publishSchemas({ input: [], output: [ticket] });
  const { headers, status, state: closed } = components['Ticket']?.properties ?? {};

  it('keeps the type of a map’s values', () => {
    expect(headers).toMatchObject({ type: 'object', additionalProperties: { type: 'integer' } });
    expect(headers).not.toHaveProperty('propertyNames');
    expect(document.components.schemas['FileUpload']?.properties?.['headers']).toMatchObject({
      additionalProperties: { type: 'string' },
    });
  });

  it('lists the values of an enum as those so far, unless there can be no other', () => {
    expect(status).toEqual({ type: 'string', 'x-extensible-enum': ['open', 'done'] });
    expect(closed).toEqual({ type: 'string', enum: ['TX', 'OK'] });
    const sent = z.strictObject({ kind: z.enum(['a']) });
    const { properties } = publishSchemas({ input: [sent], output: [] }).of(sent, 'input');
    expect(properties).toEqual({ kind: { type: 'string', enum: ['a'] } });
  });

  it('of the gateway has a time in another form, which the schema of errors accepts', () => {
    const { timestamp } = document.components.schemas['ErrorResponse']?.properties ?? {};
    expect(timestamp).toMatchObject({ type: 'string' });
    expect(timestamp).not.toHaveProperty('format');
  });

  it('of the service leaves room for further values, except for states and the status of an error', () => {
    const answered = operationsOf(document).flatMap(([, , operation]) =>
      [...responsesOf(document, operation).values()].map(({ content }) => content['application/json'].schema),
    );
    const nodes = nodesOf(document, answered);
    const closed = nodes.filter(
      ({ type, enum: values }) => Array.isArray(values) && type !== 'integer' && !values.includes('TX'),
    );
    expect(closed).toEqual([]);
    expect(nodes.filter((node) => 'x-extensible-enum' in node).length).toBeGreaterThan(20);
  });
});

describe('A named schema', () => {
  const size = z._default(z.int(), 5).check(z.meta({ id: 'Size', examples: [5] }));
  const box = z.object({ size }).check(z.meta({ id: 'Box' }));
  const asked = z.strictObject({ box });
  const answered = z.object({ box });

  it('is one component if requests and responses agree, and two otherwise', () => {
    const { components } = publishSchemas({ input: [asked], output: [answered] });
    expect(Object.keys(components)).toEqual(['Box', 'BoxInput', 'Size']);
  });

  it('keeps its name if only requests use it', () => {
    const { components } = publishSchemas({ input: [asked], output: [] });
    expect(Object.keys(components)).toEqual(['Box', 'Size']);
  });

  it('without an example stops the build, which names the operation and the field', () => {
    const nameless = z.object({ people: z.array(z.object({ name: z.string() })) });
    const groups = documentedGroups
      .filter(({ group }) => group.name === 'carriers')
      .map(({ group, docs }) => ({
        group: {
          ...group,
          routes: {
            listCarriers: { ...group.routes['listCarriers'], answer: { status: 200, one: nameless } },
          },
        } as unknown as typeof group,
        docs,
      }));
    expect(() => openApiDocument(groups)).toThrow(
      'listCarriers: The OpenAPI document lacks: example of data.people[].name, ',
    );
  });
});

describe('openapi descriptions', () => {
  interface Property {
    /** Where it is, for a reader of a failure: `Policy.currentStatus`. */
    readonly at: string;
    readonly name: string;
    readonly schema: Record<string, unknown>;
  }

  /** The schemas that are written in place: components, bodies, successes, and events. */
  const roots: readonly (readonly [string, unknown])[] = [
    ...Object.entries(document.components.schemas),
    ...operationsOf(document).flatMap(([, , operation]) => [
      ...Object.values(operation.requestBody?.content ?? {}).map(
        ({ schema }) => [`${operation.operationId} request`, schema] as const,
      ),
      ...[...responsesOf(document, operation)]
        .filter(([status]) => status < 300)
        .map(
          ([, { content }]) =>
            [`${operation.operationId} response`, content['application/json'].schema] as const,
        ),
    ]),
    ...Object.entries(document.webhooks).map(
      ([type, { post }]) => [type, post.requestBody.content['application/json'].schema] as const,
    ),
  ];

  const propertiesOf = ([at, root]: readonly [string, unknown]): Property[] =>
    [...objectsIn(root)].flatMap(({ type, properties }) =>
      type === 'object' && isObject(properties)
        ? Object.entries(properties).map(([name, schema]) => ({
            at: `${at}.${name}`,
            name,
            schema: isObject(schema) ? schema : {},
          }))
        : [],
    );

  const parameters = operationsOf(document).flatMap(([, , operation]) =>
    parametersOf(document, operation).map((parameter) => ({
      ...parameter,
      at: `${operation.operationId}?${parameter.name}`,
    })),
  );

  const wordsOf = (text: string): string[] =>
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];

  const fillers = new Set(
    'a an and are as at for has id if in is it its of on or that the this to was'.split(' '),
  );

  /** Whether a description says something that the name does not. */
  function saysMore(name: string, description: unknown): boolean {
    const known = new Set(wordsOf(name));
    const told = wordsOf(typeof description === 'string' ? description : '');
    return told.filter((word) => !known.has(word) && !fillers.has(word)).length >= 2;
  }

  /** Enums whose values need no explanation: the codes of the Postal Service, and names of fields beside them. */
  const plain: readonly string[] = [stateCodes, amendableFieldNames].map((values) => JSON.stringify(values));

  const unexplained = (values: readonly unknown[], description: unknown): unknown[] =>
    plain.includes(JSON.stringify(values))
      ? []
      : values.filter(
          (value) => typeof description !== 'string' || !description.includes(`- \`${value}\`: `),
        );

  describe('The descriptions of the OpenAPI document', () => {
    it('say of a property or a query parameter something that its name does not, or nothing', () => {
      const properties = roots
        .flatMap(propertiesOf)
        .map(({ at, name, schema }) => ({ at, name, description: schema['description'] }));
      const described = [...properties, ...parameters.filter((one) => one.in === 'query')].filter(
        ({ description }) => description !== undefined,
      );
      expect(described.length).toBeGreaterThan(500);
      expect(described.filter((one) => !saysMore(one.name, one.description)).map(({ at }) => at)).toEqual([]);
    });

    it('give every value of an enum of v2 a meaning', () => {
      const enums = roots
        .filter(([at]) => !at.endsWith('V1'))
        .flatMap(([at, root]) =>
          [...objectsIn(root)].flatMap(
            ({ enum: closed, 'x-extensible-enum': values = closed, description }) =>
              Array.isArray(values) ? [{ at, values: unexplained(values, description) }] : [],
          ),
        );
      const filters = parameters.map(({ at, schema, description }) => ({
        at,
        values: unexplained(schema.enum ?? [], description),
      }));
      expect(enums.length).toBeGreaterThan(50);
      expect([...enums, ...filters].filter(({ values }) => values.length > 0)).toEqual([]);
    });

    it('are all that stands beside a reference', () => {
      const crowded = [...objectsIn(JSON.parse(JSON.stringify(document)))].filter(
        (node) =>
          '$ref' in node && ['type', 'format', 'pattern', 'enum', 'properties'].some((word) => word in node),
      );
      expect(crowded).toEqual([]);
    });

    it('say of whole numbers in queries that they are integers', () => {
      const texts = parameters.filter(({ schema }) => schema.pattern === '^\\d{1,15}$');
      expect(texts.map(({ at }) => at)).toEqual([]);
    });

    it('have at most one type beside null, as generators for Go demand', () => {
      const several = [...objectsIn(JSON.parse(JSON.stringify(document)))].filter(
        ({ type }) => Array.isArray(type) && type.filter((name) => name !== 'null').length > 1,
      );
      expect(several).toEqual([]);
    });

    it('describe every component', () => {
      const silent = Object.entries(document.components.schemas).filter(
        ([, { description = '' }]) => wordsOf(description).length < 2,
      );
      expect(silent.map(([name]) => name)).toEqual([]);
    });
  });

  test('The document begins with the quickstart, and tells early of the compliance of policies', () => {
    const headings = Array.from(document.info.description.matchAll(/^## (.*)$/gm), ([, heading]) => heading);
    expect(headings[0]).toBe('Quickstart');
    const after = headings.slice(headings.indexOf('Credentials') + 1);
    expect(after.slice(0, 3)).toEqual(['May she sell?', 'Receipts', 'Compliance of policies']);
  });

  describe('How compliance is decided', () => {
    const [, text = ''] = /\n## How compliance is decided\n(.*?)\n## /s.exec(document.info.description) ?? [];
    const [, ...sections] = text.split('\n### ');

    it('has every rule under its heading, with its anchor and its example', () => {
      const printed = new Map(
        sections.map((section): [string, string] => {
          const [heading = '', ...lines] = section.trim().split('\n');
          return [heading, lines.join('\n')];
        }),
      );
      for (const [heading, ofSection] of Object.entries(rules)) {
        const lines = Object.entries<string>(ofSection).map(
          ([id, rule]) => `- <a id="rule-${id}"></a>**${id}**: ${rule}`,
        );
        expect([heading, printed.get(heading)]).toEqual([heading, lines.join('\n')]);
      }
    });

    it('links to no rule that it does not have', () => {
      const anchors = new Set(Array.from(text.matchAll(/<a id="(.+?)">/g), ([, anchor]) => anchor));
      const links = Array.from(
        document.info.description.matchAll(/\(#(rule-.+?)\)/g),
        ([, anchor]) => anchor,
      );
      expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
      expect(links.length).toBeGreaterThan(0);
    });

    interface WordsOfKind {
      readonly kind: string;
      readonly words: readonly string[];
      readonly ofAppointments?: readonly string[];
    }

    it.each<[string, readonly WordsOfKind[]]>([
      ['words', statusWords],
      ['class words', classWords],
      ['dispositions', dispositionWords],
    ])('has the table of %s, row by row', (of, table) => {
      const printed = sections.find((section) => section.startsWith(`Table of ${of}\n`)) ?? '';
      const rows = [...printed.matchAll(/^\| \*(.+?)\* \|(.*)\|$/gm)].map(([, kind, cells = '']) => [
        kind,
        [...cells.matchAll(/`(.+?)`/g)].map(([, word]) => word),
      ]);
      expect(rows).toEqual(
        table.map(({ kind, words, ofAppointments = [] }) => [kind, [...words, ...ofAppointments]]),
      );
    });

    it('has the number of the rules', () => {
      expect(text).toContain(`the number ${rulesNumber}`);
    });
  });

  describe('May she sell?', () => {
    const [, text = ''] = /\n## May she sell\?\n(.*?)\n## /s.exec(document.info.description) ?? [];

    it('has samples as sale checks answer them', () => {
      const samples = [...text.matchAll(/```json\n(.*?)\n```/gs)].map(
        ([, sample = '']) => JSON.parse(sample) as Record<string, unknown>,
      );
      expect(samples.map(({ answer }) => answer)).toEqual(['no', 'unknown', 'yes']);
      for (const sample of samples) {
        expect(z.partial(saleCheck).parse(sample)).toEqual(sample);
      }
    });
  });

  test('the examples of names are those of one person', () => {
    const examples = (name: string) =>
      new Set(
        [...objectsIn(document)].flatMap((node) => {
          const property = isObject(node['properties']) ? node['properties'][name] : undefined;
          const given = isObject(property) && Array.isArray(property['examples']) ? property['examples'] : [];
          return [...given, ...(typeof node[name] === 'string' ? [node[name]] : [])];
        }),
      );
    expect(examples('firstName')).toEqual(new Set(['Maria']));
    expect(examples('lastName')).toEqual(new Set(['Delgado']));
  });
});
