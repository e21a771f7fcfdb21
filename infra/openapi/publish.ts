// The OpenAPI document, made of the route groups and their words.
import '#platform/contract/docs.ts';
import { existsSync, readdirSync } from 'node:fs';
import * as z from 'zod/mini';
import { cursorDocs, errorBody, pageDocs, requestIdDocs, timestampDocs } from '#platform/contract/docs.ts';
import type { GroupDocs, RouteDocs } from '#platform/contract/documented.ts';
import { type ErrorStatus, errorRegistry } from '#platform/contract/errors.ts';
import { dataSchema, envelope, oauthErrorBody } from '#platform/contract/responses.ts';
import {
  expectedCategory,
  hasCsv,
  pathParameters,
  pathSchema,
  type Route,
  type RouteGroup,
  rateOf,
  takesIdempotencyKey,
} from '#platform/contract/route.ts';
import { schemasOfV1 } from '#platform/contract/v1.ts';
import { csvTableOf } from '#platform/request/response.ts';
import { namedMembers } from '#platform/request/validation.ts';
import { license } from '../../package.json';
import type { Environment } from '../environments.ts';
import { functionUses, routeGroups, routeGroupsOf } from '../function-uses.ts';
import { isObject, sentenceCase } from '../text.ts';
import { codeList } from './compliance.ts';
import {
  headersOf,
  type Operation,
  parametersOf,
  type Response,
  requestBodyOf,
  schemes,
  securitySchemes,
  type Tag,
  type UsedComponents,
  usedComponents,
  withSharedParameters,
} from './components.ts';
import { errorResponses } from './errors.ts';
import { introductionOf } from './introduction.ts';
import { type PublishedSchemas, publishSchemas } from './schemas.ts';
import { eventSchemas, eventsTag, webhooksOf } from './webhooks.ts';

// What resources are is said once their files are read.
for (const name of readdirSync('shared/domain')) {
  if (existsSync(`shared/domain/${name}/docs.ts`)) require(`../../shared/domain/${name}/docs.ts`);
}

/** Every route group of the service with its words. */
export const documentedGroups = routeGroups.map((group) => ({
  group,
  docs: (require(`../../functions/${group.name}/docs.ts`) as { readonly docs: GroupDocs }).docs,
}));

/** A group with the words for it. */
type DocumentedGroup = (typeof documentedGroups)[number];

/** The groups of an environment. */
export const documentedGroupsOf = (environment: Pick<Environment, 'sandbox'>): readonly DocumentedGroup[] =>
  documentedGroups.filter(({ group }) => routeGroupsOf(environment).includes(group));

/** The address that integrators ask; each environment's own address stands in its place where the document is served. */
const contact = { name: 'API support', url: 'https://support.example.com' };

/** The version of the API: that of the paths that grow, since v1 is frozen. */
const version = '2.0.0';

/** The OpenAPI 3.1 document. */
export type Document = ReturnType<typeof openApiDocument>;

/** Words for a row, whichever it is. */
type RouteWords = RouteDocs<Route> & {
  readonly query?: object;
  readonly with?: object;
};

/** A row of a route table with its words and schemas. */
type Row = ReturnType<typeof rowsOf>[number];

/**
 * The OpenAPI 3.1 document that callers read. It has an operation for every row of the route tables, except rows whose
 * response is a document without the envelope, such as the OpenAPI document itself. A commit is named by its version.
 */
export function openApiDocument(groups: readonly DocumentedGroup[], commit?: string) {
  const rows = groups.flatMap(rowsOf);
  writeWordsOfV1();
  const schemas = publishSchemas({
    input: rows.flatMap(({ route, query }) => [
      query,
      ...[route.body, route.form].filter((schema) => schema !== undefined),
      ...pathParameters(route.path).map((name) => pathSchema(route, name)),
    ]),
    output: [
      errorBody,
      ...(rows.some(({ route }) => route.standard !== undefined) ? [oauthErrorBody] : []),
      ...eventSchemas,
      ...rows.map(({ answer }) => answer),
    ],
  });
  const components = usedComponents();

  const paths: Record<string, Record<string, Operation>> = {};
  for (const row of rows) {
    paths[row.route.path] = {
      ...paths[row.route.path],
      [row.route.method.toLowerCase()]: namingRow(row, () => operationOf(row, schemas, components)),
    };
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Insurance Compliance API',
      summary:
        'Insurance compliance data over HTTP and JSON, for carriers (upstream) and agencies (downstream).',
      description: introductionOf(groups.some(({ group }) => functionUses.get(group.name)?.sandbox === true)),
      version: commit === undefined ? version : `${version}+${commit}`,
      contact,
      license: { name: license, identifier: license },
    },
    servers: [{ url: '/', description: 'The host that serves this document.' }],
    security: Object.values(schemes).map((name) => ({ [name]: [] })),
    tags: [...new Map(rows.map(({ tag }) => [tag.name, tag])).values(), eventsTag],
    paths: withSharedParameters(paths, components),
    webhooks: webhooksOf(schemas, components),
    components: { securitySchemes, ...components.components(schemas.components) },
  };
}

/** Gives the schemas of v1 the words for those of v2 that they are made of. */
function writeWordsOfV1(): void {
  for (const [schema, schemaOfV1] of schemasOfV1) {
    const { id, examples, ...words } = z.globalRegistry.get(schema) ?? {};
    z.globalRegistry.add(schemaOfV1, {
      ...words,
      ...(id !== undefined && { id: `${id}V1` }),
      ...(Array.isArray(examples) && { examples: examples.map((one) => namedMembers(schemaOfV1, one)) }),
    });
  }
}

function rowsOf({ group, docs }: DocumentedGroup) {
  return Object.entries(group.routes).flatMap(([operationId, route]) => {
    const { routes } = docs;
    const ownWords = routes[operationId];
    const words = { ...routes[operationId.replace(/V1$/, '')], ...ownWords } as RouteWords;
    const data = dataSchema(
      words.item === undefined ? route.answer : { ...route.answer, cursor: words.item },
    );
    if (data === undefined) return [];
    if ('page' in route.answer) z.globalRegistry.add(data, { fields: { ...pageDocs, ...words.with } });
    if ('cursor' in route.answer) z.globalRegistry.add(data, { fields: cursorDocs });
    const query = z.strictObject({ ...route.query?.shape });
    z.globalRegistry.add(query, { fields: words.query });
    const answer = 'bare' in route.answer ? data : envelope(route, data);
    return [{ operationId, route, words, ownWords, tag: tagOf(group, docs, route), query, answer }];
  });
}

/** The tag of a group for an organization category. */
function tagOf(group: RouteGroup, { description: about }: GroupDocs, { access }: Route): Tag {
  const title = sentenceCase(group.name.replaceAll('-', ' '));
  if (access === 'public') {
    return { name: `${title} (no credential)`, description: `${about} No credential is needed.` };
  }
  if (access.kind === 'any') {
    return { name: `${title} (any category)`, description: `${about} Organization category: any.` };
  }
  const category = expectedCategory(access.kind);
  return { name: `${title} (${category})`, description: `${about} Organization category: \`${category}\`.` };
}

/** Makes something of a row; an error names the row. */
function namingRow<Made>({ operationId }: Row, make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    throw new Error(`${operationId}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function operationOf(row: Row, schemas: PublishedSchemas, components: UsedComponents): Operation {
  const { operationId, route, words, tag } = row;
  const { access } = route;
  const parameters = parametersOf(row, schemas, components);
  const requestBody = requestBodyOf(route, schemas);
  const answer = schemas.of(row.answer, 'output');
  const answerExample = schemas.exampleOf(answer);

  const examples = namedExamples(operationId, words, answerExample, components);
  const success: Response = {
    description: 'Success.',
    headers: headersOf(
      {
        isCounted: rateOf(route) !== 'none',
        isReplayable: takesIdempotencyKey(route),
        followHeaders: route.followHeaders?.(new Date(0)),
        isDeprecated: route.successor !== undefined,
      },
      components,
    ),
    content: {
      'application/json': {
        schema: answer,
        ...(examples === undefined ? { example: answerExample } : { examples }),
      },
      ...csvContent(route, answerExample),
    },
  };
  return {
    operationId,
    tags: [tag.name],
    ...(route.successor === undefined ? {} : { deprecated: true }),
    summary: `${words.summary}${route.path.startsWith('/v1/') ? ' (v1)' : ''}`,
    description: [about(row), featureOf(route), ownErrorsOf(route)]
      .filter((part) => part !== '')
      .join('\n\n'),
    ...(access === 'public' ? { security: [] } : {}),
    ...(access !== 'public' && access.credential !== undefined
      ? { security: [{ [schemes[access.credential]]: [] }] }
      : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [String(route.answer.status)]: success,
      ...errorResponses(route, { stamp, schemas, components }),
    },
  };
}

/** Description of an operation. One of v1 without words of its own does what its successor does. */
const about = ({ route: { method, successor }, words, ownWords }: Row): string =>
  successor === undefined || ownWords?.description !== undefined
    ? words.description
    : `As \`${method} ${successor}\`, with the filters and the fields below.`;

const featureOf = ({ access }: Route): string =>
  access === 'public' || access.feature === null ? '' : `Feature: \`${access.feature}\`.`;

/** The examples of an answer that has several, each in the envelope of `example`. */
function namedExamples(
  operationId: string,
  { examples }: RouteWords,
  example: unknown,
  components: UsedComponents,
) {
  if (examples === undefined || !isObject(example)) return undefined;
  const references = Object.entries(examples).map(([name, { summary, value }]) => [
    name,
    components.example(`${operationId}.${name}`, { summary, value: { ...example, data: value } }),
  ]);
  return Object.fromEntries(references);
}

/** A list as a table, with the rows of its example. */
function csvContent(route: Route, example: unknown) {
  if (!hasCsv(route) || !('all' in route.answer) || !isObject(example)) return {};
  const { header, rows } = csvTableOf(route.answer.all);
  const items = Array.isArray(example['data']) ? example['data'] : [];
  return { 'text/csv': { schema: { type: 'string' }, example: header + rows(items) } } as const;
}

/** Statuses of several errors, which do not tell which of them an operation returns. */
const sharedStatuses: ReadonlySet<ErrorStatus> = new Set<ErrorStatus>([403, 409]);

/** `Errors of its own: \`invite_limit_reached\``: errors that neither a status nor the columns of the row tell. */
function ownErrorsOf({ errors = [] }: Route): string {
  const ownErrors = errors.filter(
    (type) => type !== 'conflict' && sharedStatuses.has(errorRegistry[type].status),
  );
  return ownErrors.length === 0 ? '' : `Errors of its own: ${codeList(ownErrors)}.`;
}

/** The fields that all examples of an operation share. */
const stamp = z.parse(z.object({ requestId: z.string(), timestamp: z.string() }), {
  requestId: requestIdDocs.examples?.[0],
  timestamp: timestampDocs.examples?.[0],
});
