import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { dataSchema } from '#platform/contract/responses.ts';
import type { Route } from '#platform/contract/route.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import type { Operation, Parameter } from '../../infra/openapi/components.ts';
import { errorsByStatus } from '../../infra/openapi/errors.ts';
import type { JsonSchema } from '../../infra/openapi/schemas.ts';
import { isObject } from '../../infra/text.ts';
import {
  document,
  examplesOf,
  operationOf,
  operationsOf,
  resolved,
  responsesOf,
} from '../support/openapi.ts';

const file = 'test/contract/v1.json';

const whatToDo = `v1 is frozen, and ${file} records it. Give v2 alone what is new: \`field: sinceV2(schema)\` where a resource, a
body, or a query has it, and the rows of v1 leave it out; or \`v1(route, { answer: … })\`, where they differ in more.
Only where v1's clients are to see the change: RECORD_V1=yes npx jest test/infra/v1.test.ts`;

/** Parts of an operation that a client sees: words for each, such as `200.data[].npn`; one with \`?\` may be left out. */
type Shape = Record<string, string>;

/** A schema or a parameter in place of a reference to it. */
function inPlace<Part>(part: Part): Part {
  const { $ref, ...rest } = part as Part & { readonly $ref?: string };
  return $ref === undefined ? part : { ...inPlace(resolved(document, $ref) as Part), ...(rest as Part) };
}

/** Keywords for people, and those that are written in another way. */
const left = ['description', 'examples', 'deprecated', 'type', 'properties', 'required', 'items', 'anyOf'];

function wordsOf(schema: JsonSchema): string {
  const { type, anyOf } = inPlace(schema);
  const keywords = Object.entries(inPlace(schema)).filter(([keyword]) => !left.includes(keyword));
  return [
    anyOf?.map((option) => wordsOf(option as JsonSchema)).join(' or ') ?? type ?? '',
    ...keywords.map(([name, value]) => `${name} ${isObject(value) ? JSON.stringify(value) : value}`),
  ].join(' ');
}

function write(shape: Shape, path: string, schema: JsonSchema): void {
  const words = wordsOf(schema);
  // The parts of an object or a list say that it is one.
  if (words !== 'object' && words !== 'array') {
    shape[path] = path in shape ? `${shape[path]} or ${words}` : words;
  }
  writeParts(shape, path, schema);
}

function writeParts(shape: Shape, path: string, schema: JsonSchema): void {
  const { properties = {}, required = [], items, anyOf = [] } = inPlace(schema);
  for (const [name, property] of Object.entries(properties)) {
    write(shape, `${path}.${name}${required.includes(name) ? '' : '?'}`, property as JsonSchema);
  }
  if (items !== undefined) write(shape, `${path}[]`, items as JsonSchema);
  for (const option of anyOf) writeParts(shape, path, option as JsonSchema);
}

const routeOf = new Map(routeGroups.flatMap((group) => Object.entries<Route>(group.routes)));

/** `400 \`validation_error\`, 403 \`forbidden\` or \`invalid_organization_category\`.` */
function errorsOf(operationId: string): string {
  const route = routeOf.get(operationId);
  if (route === undefined) throw new Error(`No route is called ${operationId}.`);
  const parts = [...errorsByStatus(route)].map(
    ([status, types]) => `${status} ${types.map((type) => `\`${type}\``).join(' or ')}`,
  );
  return `${parts.join(', ')}.`;
}

function shapeOf(method: string, path: string, operation: Operation): Shape {
  const { operationId, parameters = [], requestBody, security = document.security } = operation;
  const credentials = security.map((together) => Object.keys(together).join(' and '));
  const shape: Shape = { [method]: path, credential: credentials.join(' or ') || 'none' };
  for (const parameter of parameters) {
    const { name, in: place, required, schema } = inPlace(parameter as Parameter);
    write(shape, `${place} ${name}${required ? '' : '?'}`, schema);
  }
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
    write(shape, `${type}${requestBody?.required ? '' : '?'}`, schema);
  }
  for (const [status, { headers, content }] of responsesOf(document, operation)) {
    if (status >= 400) continue;
    shape[`${status} headers`] = Object.keys(headers).join(', ');
    writeParts(shape, String(status), content['application/json'].schema);
  }
  shape['errors'] = errorsOf(operationId);
  return shape;
}

const rows = [...routeOf].filter(([, { path }]) => path.startsWith('/v1/'));
const present: Record<string, Shape> = Object.fromEntries(
  operationsOf(document)
    .filter(([, path]) => path.startsWith('/v1/'))
    .map(([method, path, operation]) => [operation.operationId, shapeOf(method, path, operation)]),
);
present['errors'] = {};
const { ErrorResponse: errors } = document.components.schemas;
writeParts(present['errors'], '', errors ?? {});
// Which of them v1 has is recorded with each operation.
delete present['errors']['.errorType'];

if (process.env['RECORD_V1'] !== undefined) writeFileSync(file, `${JSON.stringify(present, null, 2)}\n`);
const recorded = z.parse(
  z.record(z.string(), z.record(z.string(), z.string())),
  JSON.parse(readFileSync(file, 'utf8')),
);

test('v1 is as it is recorded', () => {
  const changes = Object.keys({ ...recorded, ...present }).flatMap((id) =>
    Object.keys({ ...recorded[id], ...present[id] }).flatMap((part) => {
      const [before = 'nothing', now = 'nothing'] = [recorded[id]?.[part], present[id]?.[part]];
      return before === now ? [] : [`${id}: ${part} was ${before} and is ${now}.`];
    }),
  );
  if (changes.length > 0) throw new Error([whatToDo, ...changes].join('\n\n'));
});

/** A value as an operation of both versions may return it one day. */
function grown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grown);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    // Those of an upload are a map: a client sends them as they are.
    name === 'headers' ? member : grown(member),
  ]);
  return { ...Object.fromEntries(members), gainedInV2: true };
}

test.each(rows)('%s answers without what v2 gains', (operationId, { answer }) => {
  const schema = dataSchema(answer) ?? z.never();
  const content = responsesOf(document, operationOf(document, operationId)).get(answer.status)?.content;
  const examples = content === undefined ? [] : examplesOf(document, content['application/json']);
  expect(examples).not.toEqual([]);
  for (const example of examples) {
    const { data } = z.parse(z.object({ data: z.unknown() }), example);
    expect(z.parse(schema, grown(data))).toEqual(data);
  }
});
