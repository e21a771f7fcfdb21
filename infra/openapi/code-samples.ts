import { type Route, takesIdempotencyKey } from '../../shared/platform/contract/route.ts';
import type { CodeSample, Operation, Parameter } from './document.ts';
import { isObject } from './json.ts';
import type { PublishedSchemas } from './schemas.ts';

/** What a sample sends, in terms of both languages. */
interface SampleRequest {
  readonly method: string;
  /** Path and query, filled with examples. */
  readonly target: string;
  readonly credential:
    | { readonly header: string; readonly prefix: string; readonly variable: string }
    | undefined;
  readonly hasIdempotencyKey: boolean;
  readonly body: SampleBody;
}

type SampleBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] };

/** The file that samples of forms send. */
const sampleFile = 'certificate.pdf';

type Documented = Pick<Operation, 'parameters' | 'requestBody'>;

/**
 * Requests to an operation as a shell and TypeScript send them, with the examples of the document and a credential of the
 * organization that may call it. An upload has a sample of each way.
 */
export function codeSamples(route: Route, operation: Documented, schemas: PublishedSchemas): CodeSample[] {
  const common = {
    method: route.method,
    target: targetOf(route, operation, schemas),
    credential: credentialOf(route),
    hasIdempotencyKey: takesIdempotencyKey(route),
  };
  const json = operation.requestBody?.content['application/json'];
  const form = operation.requestBody?.content['multipart/form-data'];
  const samples = (body: SampleBody, way: string): CodeSample[] => [
    { lang: 'Shell', label: `curl${way}`, source: curl({ ...common, body }) },
    { lang: 'TypeScript', label: `TypeScript${way}`, source: typeScript({ ...common, body }) },
  ];
  return [
    ...samples(json === undefined ? { kind: 'none' } : { kind: 'json', value: json.example }, ''),
    ...(form === undefined ? [] : samples({ kind: 'form', fields: fieldsOf(form.example) }, ' (form)')),
  ];
}

function targetOf(route: Route, { parameters = [] }: Documented, schemas: PublishedSchemas): string {
  const named = parameters.flatMap((parameter) => ('in' in parameter ? [parameter] : []));
  const example = ({ schema }: Parameter) => encodeURIComponent(String(schemas.exampleOf(schema)));
  const path = named
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (filled, parameter) => filled.replace(`{${parameter.name}}`, example(parameter)),
      route.path as string,
    );
  const query = [
    ...named
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map((parameter) => `${parameter.name}=${example(parameter)}`),
    ...('page' in route.answer ? ['page=1', 'limit=50'] : []),
  ];
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function credentialOf({ access }: Route): SampleRequest['credential'] {
  if (access === 'public') return undefined;
  const owner = access.kind === 'any' ? '' : `${access.kind.toUpperCase()}_`;
  return access.credential === 'restricted access token'
    ? { header: 'x-restricted-access-token', prefix: '', variable: `${owner}RESTRICTED_ACCESS_TOKEN` }
    : { header: 'authorization', prefix: 'Bearer ', variable: `${owner}ACCESS_TOKEN` };
}

/** The fields of a form beside its file. */
const fieldsOf = (example: unknown): (readonly [string, string])[] =>
  Object.entries(isObject(example) ? example : {}).flatMap(([name, value]) =>
    name === 'file' ? [] : [[name, String(value)] as const],
  );

const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

/** A text in single quotes, as a shell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ method, target, credential, hasIdempotencyKey, body }: SampleRequest): string {
  const options = [
    ...(credential === undefined
      ? []
      : [`-H "${credential.header}: ${credential.prefix}$${credential.variable}"`]),
    ...(hasIdempotencyKey ? ['-H "idempotency-key: $(uuidgen)"'] : []),
    ...(body.kind === 'json'
      ? [`-H 'content-type: application/json'`, `-d ${quoted(jsonText(body.value))}`]
      : []),
    ...(body.kind === 'form'
      ? [
          `-F ${quoted(`file=@${sampleFile}`)}`,
          ...body.fields.map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
        ]
      : []),
  ];
  const command = `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${target}"`;
  return [command, ...options].join(' \\\n  ');
}

function typeScript({ method, target, credential, hasIdempotencyKey, body }: SampleRequest): string {
  const headers = [
    ...(credential === undefined
      ? []
      : [`    '${credential.header}': \`${credential.prefix}\${process.env['${credential.variable}']}\`,`]),
    ...(hasIdempotencyKey ? [`    'idempotency-key': crypto.randomUUID(),`] : []),
    ...(body.kind === 'json' ? [`    'content-type': 'application/json',`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body.kind === 'json'
      ? [`  body: JSON.stringify(${jsonText(body.value).replaceAll('\n', '\n  ')}),`]
      : []),
    ...(body.kind === 'form' ? ['  body: form,'] : []),
  ];
  const url = `\`\${process.env['BASE_URL']}${target}\``;
  return [
    ...(body.kind === 'form' ? formLines(body.fields) : []),
    ...(options.length === 0
      ? [`const response = await fetch(${url});`]
      : [`const response = await fetch(${url}, {`, ...options, '});']),
    'if (!response.ok) throw new Error(await response.text());',
    'const { data } = (await response.json()) as { data: unknown };',
  ].join('\n');
}

const formLines = (fields: readonly (readonly [string, string])[]): string[] => [
  `import { openAsBlob } from 'node:fs';`,
  '',
  'const form = new FormData();',
  `form.set('file', await openAsBlob('${sampleFile}'), '${sampleFile}');`,
  ...fields.map(([name, value]) => `form.set('${name}', ${JSON.stringify(value)});`),
];
