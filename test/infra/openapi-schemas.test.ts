import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { objectsIn } from '../../infra/json.ts';
import { documentedGroups } from '../../infra/openapi/docs.ts';
import { openApiDocument } from '../../infra/openapi/publish.ts';
import { publishSchemas } from '../../infra/openapi/schemas.ts';
import { documented } from '../../shared/platform/contract/documented.ts';
import { document, nodesOf, operationsOf, responsesOf, writing } from '../support/openapi.ts';
import { longestMs } from '../support/until.ts';

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

/** What Redocly reports about a document. @throws Error if it ends without a report. */
async function lint(file: string): Promise<unknown> {
  const cli = ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--extends', 'recommended-strict'];
  const options = {
    // Otherwise it looks for a newer version and reports the run to its vendor.
    env: { ...process.env, CI: 'true', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    timeout: longestMs,
  };
  const report = await new Promise<string>((resolve, reject) => {
    // It fails with problems, which the report names.
    execFile(process.execPath, [...cli, '--format', 'json', file], options, (error, stdout) => {
      if (error?.killed === true) reject(new Error(`Redocly timed out after ${longestMs / 1_000} seconds.`));
      else if (error !== null && stdout === '') reject(error);
      else resolve(stdout);
    });
  });
  return JSON.parse(report);
}

describe('The OpenAPI document', () => {
  it('is byte for byte the same every time', () => {
    expect(JSON.stringify(openApiDocument(documentedGroups))).toBe(JSON.stringify(document));
  });

  it.each([
    ['of the service', document],
    ['of a write', writing],
  ])('%s passes Redocly’s strict rules without an error or a warning', async (_name, api) => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(api));
      expect(await lint(file)).toMatchObject({
        totals: { errors: 0, warnings: 0, ignored: 0 },
        problems: [],
      });
    } finally {
      await rm(folder, { recursive: true });
    }
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

  it('without an example stops the build', () => {
    const nameless = z.object({ name: z.string() });
    const published = publishSchemas({ input: [], output: [nameless] });
    expect(() => published.exampleOf(published.of(nameless, 'output'))).toThrow('lacks: example');
  });
});
