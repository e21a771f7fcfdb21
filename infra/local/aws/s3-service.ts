import type { ServerResponse } from 'node:http';
import { type CorsRules, corsHeaders, preflightHeaders } from './cors.ts';
import { forward } from './forward.ts';
import type { Access } from './policy-evaluation.ts';
import { verifyPresignedAddress } from './presigned-address.ts';
import { AwsError, type AwsRequest, type AwsService, unsupported } from './service.ts';

/** Query parameters of the operations below; another one asks for something else of the object or the bucket. */
const knownParameter =
  /^(X-Amz-.*|x-id|x-amz-.*|response-.*|list-type|prefix|delimiter|continuation-token|start-after|max-keys|uploads|uploadId|partNumber|encoding-type)$/;

/** What a call of S3 needs to be allowed, by its method and path (`/bucket/key`). */
export function s3Accesses(request: AwsRequest): Access[] {
  const { method, url } = request;
  const [bucket = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const key = rest.join('/');
  const foreign = Array.from(url.searchParams.keys()).find((name) => !knownParameter.test(name));
  if (foreign !== undefined) throw unsupported(`the parameter ${foreign} of S3`);
  const bucketArn = `arn:aws:s3:::${bucket}`;
  if (key === '') {
    if (method === 'GET' || method === 'HEAD') return [{ action: 's3:ListBucket', resource: bucketArn }];
    if (method === 'PUT') return [{ action: 's3:CreateBucket', resource: bucketArn }];
    throw unsupported(`S3's ${method} of a bucket`);
  }
  const resource = `${bucketArn}/${key}`;
  switch (method) {
    case 'GET':
    case 'HEAD':
      return [{ action: 's3:GetObject', resource }];
    case 'PUT':
    case 'POST': {
      const source = request.headers['x-amz-copy-source'];
      const written = { action: 's3:PutObject', resource };
      if (typeof source !== 'string') return [written];
      const read = `arn:aws:s3:::${decodeURIComponent(source).replace(/^\//, '')}`;
      return [written, { action: 's3:GetObject', resource: read }];
    }
    case 'DELETE': {
      const aborts = url.searchParams.has('uploadId');
      return [{ action: aborts ? 's3:AbortMultipartUpload' : 's3:DeleteObject', resource }];
    }
    default:
      throw unsupported(`S3's ${method} of an object`);
  }
}

function refuseAsXml(error: AwsError, response: ServerResponse): void {
  // S3 has a name of its own for it.
  const code = error.code === 'AccessDeniedException' ? 'AccessDenied' : error.code;
  const status = code === 'AccessDenied' ? 403 : error.status;
  const message = error.message.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  );
}

/** What the engine knows of an object, without its content. */
const head = (port: number, path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD' });

/** Headers that an address's `response-*` parameters put in the place of the object's own. */
const overriding = (url: URL): Record<string, string> =>
  Object.fromEntries(
    Array.from(url.searchParams)
      .filter(([name]) => name.startsWith('response-'))
      .map(([name, value]) => [name.slice('response-'.length), value]),
  );

const bucketOf = ({ url }: AwsRequest): string => url.pathname.slice(1).split('/')[0] ?? '';

interface S3Options {
  /** Port of the engine. */
  readonly port: number;
  readonly secretAccessKey: string;
  /** By bucket. */
  readonly corsRules: ReadonlyMap<string, CorsRules>;
}

/**
 * S3, answered by the engine that listens on this port. The engine checks neither signatures nor expiry, copies
 * whatever the condition, knows no CORS, and leaves the headers of an answer alone: that is done here.
 */
export const s3Service = ({ port, secretAccessKey, corsRules }: S3Options): AwsService => ({
  async accesses(request) {
    // A preflight has no signature of its own, and asks for nothing that would need a permission.
    if (request.method === 'OPTIONS') return [];
    if (request.url.searchParams.has('X-Amz-Signature')) {
      await verifyPresignedAddress(request, secretAccessKey, Date.now());
    }
    const accesses = s3Accesses(request);
    const [bucket = '', ...key] = request.url.pathname.slice(1).split('/');
    const isRead = (request.method === 'GET' || request.method === 'HEAD') && key.join('') !== '';
    // Only who may list a bucket is told that an object does not exist.
    if (isRead && (await head(port, request.url.pathname)).status === 404) {
      accesses.push({ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}` });
    }
    return accesses;
  },
  async answer(request, response) {
    const rules = corsRules.get(bucketOf(request)) ?? [];
    if (request.method === 'OPTIONS') {
      response.writeHead(200, preflightHeaders(rules, request)).end();
      return;
    }
    const condition = request.headers['x-amz-copy-source-if-match'];
    const source = request.headers['x-amz-copy-source'];
    if (typeof source === 'string' && typeof condition === 'string') {
      const etag = (await head(port, source)).headers.get('etag');
      if (etag !== condition) {
        throw new AwsError('PreconditionFailed', 'The pre-condition you specified did not hold.', 412);
      }
    }
    await forward(request, response, port, { ...overriding(request.url), ...corsHeaders(rules, request) });
  },
  refuse: refuseAsXml,
});
