import * as z from 'zod/mini';
import { errorBody } from '#platform/contract/docs.ts';
import { routeGroup } from '#platform/contract/route.ts';
import type { MediaType, Operation, Parameter, Response } from '../../infra/openapi/components.ts';
import { type Document, documentedGroups, openApiDocument } from '../../infra/openapi/publish.ts';
import { isObject, objectsIn } from '../../infra/text.ts';

/** The document that the API publishes. */
export const document = openApiDocument(documentedGroups);

/** A document with one write, so that the tests of writes depend on no route group. */
export const writing = openApiDocument([
  {
    group: routeGroup('surplus-lines-filings', {
      attachDocument: {
        method: 'PUT',
        path: '/v2/downstream/filings/{filingId}/policy-document',
        access: { kind: 'downstream', feature: 'surplus_lines' },
        body: z.strictObject({ name: z.string().check(z.meta({ examples: ['Policy'] })) }),
        answer: {
          status: 200,
          one: z.object({ name: z.string().check(z.meta({ examples: ['Policy'] })) }),
        },
        errors: ['transient_transaction_error'],
      },
    }),
    docs: {
      description: 'Filings.',
      routes: {
        attachDocument: {
          summary: 'Attach',
          description: 'Attach.',
        },
      },
    },
  },
]);

/** A document's operations with their methods and paths. */
export const operationsOf = (api: Document): [string, string, Operation][] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  );

/** The operation of an id. */
export function operationOf(api: Document, operationId: string): Operation {
  const found = operationsOf(api).find(([, , operation]) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`No operation ${operationId}.`);
  return found[2];
}

/** The part of a document that a reference points to. */
export function resolved(api: Document, reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), api);
}

/** The body that an operation takes; of an upload the one in JSON. */
/** The parameters of an operation, those that it shares with others too. */
export const parametersOf = (api: Document, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((parameter) =>
    'in' in parameter ? parameter : (resolved(api, parameter.$ref) as Parameter),
  );

export const bodyOf = ({ requestBody }: Operation): MediaType | undefined =>
  Object.values(requestBody?.content ?? {})[0];

/** Every object of a schema and of the schemas that it refers to. */
export function nodesOf(api: Document, schema: unknown): Record<string, unknown>[] {
  const nodes = [...objectsIn(schema)];
  return nodes.flatMap((node) =>
    typeof node['$ref'] === 'string' ? nodesOf(api, resolved(api, node['$ref'])) : [node],
  );
}

/** An operation's responses by status, references resolved. */
export function responsesOf(api: Document, operation: Operation): Map<number, Response> {
  const { responses } = api.components;
  return new Map(
    Object.entries(operation.responses).map(([status, response]) => {
      const shared =
        '$ref' in response ? responses[response.$ref.slice('#/components/responses/'.length)] : response;
      if (shared === undefined) throw new Error(`${operation.operationId} ${status} points nowhere.`);
      return [Number(status), shared];
    }),
  );
}

const example = z.object({ value: z.unknown() });

/** The values of the examples of a request or response, references resolved. */
export const examplesOf = (api: Document, content: MediaType): unknown[] =>
  content.examples === undefined
    ? [content.example]
    : Object.values(content.examples).map(({ $ref }) => z.parse(example, resolved(api, $ref)).value);

/** The error examples of an operation, each parsed by the error shape. */
export const errorExamplesOf = (api: Document, operation: Operation) =>
  [...responsesOf(api, operation)]
    .filter(([status]) => status >= 400)
    .flatMap(([status, response]) =>
      Object.entries(response.content['application/json'].examples ?? {}).map(([name, { $ref }]) => ({
        status,
        name,
        body: z.parse(errorBody, z.parse(example, resolved(api, $ref)).value),
      })),
    );

/** Names of the headers of an operation's response. */
export const headersOf = (api: Document, operationId: string, status: number): string[] =>
  Object.keys(responsesOf(api, operationOf(api, operationId)).get(status)?.headers ?? {});

/** Headers of the routes whose requests are counted. */
export const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
