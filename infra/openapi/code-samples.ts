import { type Route, takesIdempotencyKey } from '../../shared/platform/contract/route.ts';
import { isObject } from '../text.ts';
import type { CodeSample, Operation, Parameter } from './document.ts';
import type { PublishedSchemas } from './schemas.ts';

type SampleBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | {
      readonly kind: 'form' | 'parameters';
      readonly fields: readonly (readonly [name: string, value: string])[];
    };

/** The file that samples of forms send. */
const sampleFile = 'certificate.pdf';

/** What a request is repeated on while a file is being scanned for malware: a status of the response, or one of the document. */
type RepeatedOn = 409 | 'scanning' | undefined;

type Documented = Pick<Operation, 'parameters' | 'requestBody'>;

/** What all samples of an operation send, in terms of both languages. */
const commonOf = (
  route: Route,
  operation: Documented,
  schemas: PublishedSchemas,
  query: Readonly<Record<string, string>>,
) => ({
  method: route.method,
  /** Path and query, filled with examples. */
  target: targetOf(route, operation, schemas, query),
  credential: credentialOf(route),
  hasIdempotencyKey: takesIdempotencyKey(route),
  /** Whether its answer has no envelope. */
  isBare: 'bare' in route.answer,
  repeatedOn: (route.method === 'GET' && (route.errors ?? []).includes('conflict')
    ? 409
    : undefined) as RepeatedOn,
});

type SampleRequest = ReturnType<typeof commonOf> & { readonly body: SampleBody };

/**
 * Requests to an operation as a shell and TypeScript send them, with the examples of the document and a credential of the
 * organization that may call it. An upload has a sample of each way, which ends when the file can be downloaded.
 * @param query of a request whose parameters depend on each other: those that it sends beside the required ones.
 */
export function codeSamples(
  route: Route,
  operation: Documented,
  schemas: PublishedSchemas,
  query: Readonly<Record<string, string>> = {},
): CodeSample[] {
  const common = commonOf(route, operation, schemas, query);
  const {
    'application/json': json,
    'multipart/form-data': form,
    'application/x-www-form-urlencoded': parameters,
  } = operation.requestBody?.content ?? {};
  const isUpload = form !== undefined;
  const samples = (body: SampleBody, way: string): CodeSample[] => {
    const request = { ...common, body };
    return [
      { lang: 'Shell', label: `curl${way}`, source: isUpload ? curlUpload(request) : curl(request) },
      {
        lang: 'TypeScript',
        label: `TypeScript${way}`,
        source: isUpload ? typeScriptUpload(request) : typeScript(request),
      },
    ];
  };
  return [
    ...samples(
      json !== undefined
        ? { kind: 'json', value: json.example }
        : parameters !== undefined
          ? { kind: 'parameters', fields: fieldsOf(parameters.example) }
          : { kind: 'none' },
      '',
    ),
    ...(isUpload ? samples({ kind: 'form', fields: fieldsOf(form.example) }, ' (form)') : []),
  ];
}

/**
 * The request that is repeated until an uploaded file is scanned, whose id is an expression of the sample's language: for the
 * document, or under v1, which does not have that, for a link.
 */
function scanOf(upload: SampleRequest, id: string): SampleRequest {
  const isV1 = upload.target.startsWith('/v1/');
  return {
    ...upload,
    method: 'GET',
    target: `${upload.target}/${id}${isV1 ? '/download-url' : ''}`,
    hasIdempotencyKey: false,
    body: { kind: 'none' },
    repeatedOn: isV1 ? 409 : 'scanning',
  };
}

function targetOf(
  route: Route,
  { parameters = [] }: Documented,
  schemas: PublishedSchemas,
  more: Readonly<Record<string, string>>,
): string {
  const named = parameters.flatMap((parameter) => ('in' in parameter ? [parameter] : []));
  const example = ({ schema }: Parameter) => encodeURIComponent(String(schemas.exampleOf(schema)));
  const path = named
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (filled, parameter) => filled.replace(`{${parameter.name}}`, example(parameter)),
      route.path as string,
    );
  const query = [
    ...Object.entries(more).map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
    ...named
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map((parameter) => `${parameter.name}=${example(parameter)}`),
    ...('page' in route.answer ? ['page=1', 'limit=50'] : []),
  ];
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function credentialOf({ access }: Route) {
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

function curl({ method, target, credential, hasIdempotencyKey, body, repeatedOn }: SampleRequest): string {
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
    ...(body.kind === 'parameters'
      ? body.fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
      : []),
    ...(repeatedOn === 409 ? ['--fail --retry 10 --retry-delay 2 --retry-all-errors'] : []),
  ];
  const command = `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${target}"`;
  const request = [command, ...options].join(' \\\n  ');
  return repeatedOn === 'scanning'
    ? `while status=$(${request} |\n  jq -r .data.status) && [ "$status" = scanning ]; do sleep 2; done`
    : request;
}

function curlUpload(request: SampleRequest): string {
  const answered = (member: string) => `$(printf %s "$document" | jq -r .data.${member})`;
  return [
    `document=$(${curl(request)})`,
    ...(request.body.kind === 'json'
      ? [
          `curl -X PUT "${answered('upload.url')}" \\`,
          `  -H "content-type: ${answered('contentType')}" \\`,
          `  --data-binary @${sampleFile}`,
        ]
      : []),
    `# ${scanned}`,
    curl(scanOf(request, answered('_id'))),
  ].join('\n');
}

function typeScript(request: SampleRequest): string {
  return [
    ...fetchLines(request, 'response'),
    request.isBare
      ? 'const data: unknown = await response.json();'
      : 'const { data } = (await response.json()) as { data: unknown };',
  ].join('\n');
}

function typeScriptUpload(request: SampleRequest): string {
  const { body } = request;
  const isAnnounced = body.kind === 'json';
  const answered = isAnnounced
    ? '{ _id: string; contentType: string; upload: { url: string } }'
    : '{ _id: string }';
  return [
    `import { openAsBlob } from 'node:fs';`,
    '',
    ...(body.kind === 'form' ? formLines(body.fields) : []),
    ...fetchLines(request, 'response'),
    `const { data } = (await response.json()) as { data: ${answered} };`,
    ...(isAnnounced
      ? [
          'const sent = await fetch(data.upload.url, {',
          `  method: 'PUT',`,
          `  headers: { 'content-type': data.contentType },`,
          `  body: await openAsBlob('${sampleFile}'),`,
          '});',
          'if (!sent.ok) throw new Error(await sent.text());',
        ]
      : []),
    `// ${scanned}`,
    ...fetchLines(scanOf(request, `\${data._id}`), 'scan'),
  ].join('\n');
}

const scanned = 'The file is scanned for malware before it can be downloaded or attached.';

/** Sends a request, and keeps its response in a variable. */
function fetchLines(
  { method, target, credential, hasIdempotencyKey, body, repeatedOn }: SampleRequest,
  variable: string,
): string[] {
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
    ...(body.kind === 'parameters'
      ? [
          `  body: new URLSearchParams(${jsonText(Object.fromEntries(body.fields)).replaceAll('\n', '\n  ')}),`,
        ]
      : []),
  ];
  const url = `\`\${process.env['BASE_URL']}${target}\``;
  const start = repeatedOn === undefined ? `const ${variable} = await ` : 'const ask = () => ';
  const isRepeated =
    repeatedOn === 'scanning'
      ? `(await statusOf(${variable})) === 'scanning'`
      : `${variable}.status === 409 && ${variable}.headers.has('retry-after')`;
  return [
    ...(options.length === 0 ? [`${start}fetch(${url});`] : [`${start}fetch(${url}, {`, ...options, '});']),
    ...(repeatedOn === 'scanning'
      ? [
          'const statusOf = async (answer: Response) =>',
          '  ((await answer.clone().json()) as { data?: { status: string } }).data?.status;',
        ]
      : []),
    ...(repeatedOn !== undefined
      ? [
          `let ${variable} = await ask();`,
          `while (${isRepeated}) {`,
          '  await new Promise((resolve) => setTimeout(resolve, 2_000));',
          `  ${variable} = await ask();`,
          '}',
        ]
      : []),
    `if (!${variable}.ok) throw new Error(await ${variable}.text());`,
  ];
}

const formLines = (fields: readonly (readonly [string, string])[]): string[] => [
  'const form = new FormData();',
  `form.set('file', await openAsBlob('${sampleFile}'), '${sampleFile}');`,
  ...fields.map(([name, value]) => `form.set('${name}', ${JSON.stringify(value)});`),
];
