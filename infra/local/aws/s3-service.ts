import type { ServerResponse } from 'node:http';
import { type CorsRule, corsHeaders, preflightHeaders } from './cors.ts';
import { forward } from './forward.ts';
import type { MalwareScans } from './malware-scan.ts';
import type { AccessRequest } from './policy-evaluation.ts';
import { verifyPresignedAddress } from './presigned-address.ts';
import { AwsError, type AwsRequest, type AwsService, unsupported } from './service.ts';

/** Query parameters of the supported operations; others select other operations. */
const knownParameter =
  /^(X-Amz-.*|x-id|x-amz-.*|response-.*|list-type|prefix|delimiter|continuation-token|start-after|max-keys|tagging|encoding-type)$/;

/** What a call of S3 must be allowed to do, by its method and path (`/bucket/key`). */
export function s3Accesses(request: AwsRequest): AccessRequest[] {
  const { method, url } = request;
  const [bucket = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const key = rest.join('/');
  const unknownParameter = Array.from(url.searchParams.keys()).find((name) => !knownParameter.test(name));
  if (unknownParameter !== undefined) throw unsupported(`the parameter ${unknownParameter} of S3`);
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
      if (url.searchParams.has('tagging')) return [{ action: 's3:GetObjectTagging', resource }];
      return [{ action: 's3:GetObject', resource }];
    case 'PUT': {
      if (url.searchParams.has('tagging')) throw unsupported('changing the tags of an object');
      const source = request.headers['x-amz-copy-source'];
      const written = { action: 's3:PutObject', resource };
      if (typeof source !== 'string') return [written];
      const read = `arn:aws:s3:::${decodeURIComponent(source).replace(/^\//, '')}`;
      return [written, { action: 's3:GetObject', resource: read }];
    }
    default:
      throw unsupported(`S3's ${method} of an object`);
  }
}

function refuseAsXml(error: AwsError, response: ServerResponse): void {
  // S3 uses a different code.
  const code = error.code === 'AccessDeniedException' ? 'AccessDenied' : error.code;
  const status = code === 'AccessDenied' ? 403 : error.status;
  const message = error.message.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  );
}

/** The metadata of an object in the engine. */
const head = (port: number, path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD' });

/** Response headers that a presigned URL's `response-*` parameters override. */
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
  readonly corsRules: ReadonlyMap<string, CorsRule | undefined>;
  readonly scans: MalwareScans;
}

/**
 * S3, backed by the engine on this port. What the engine does not support is done here: signatures and expiry of
 * presigned URLs, conditions of copies, CORS, tags, and overridden response headers.
 */
export const s3Service = ({ port, secretAccessKey, corsRules, scans }: S3Options): AwsService => ({
  async accesses(request) {
    // A preflight is not signed and needs no permission.
    if (request.method === 'OPTIONS') return [];
    if (request.url.searchParams.has('X-Amz-Signature')) {
      await verifyPresignedAddress(request, secretAccessKey, Date.now());
    }
    const accesses = s3Accesses(request);
    const isRead = accesses[0]?.action === 's3:GetObject';
    // Only callers who may list the bucket learn that an object does not exist.
    if (isRead && (await head(port, request.url.pathname)).status === 404) {
      accesses.push({ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucketOf(request)}` });
    }
    return accesses.map((access) =>
      access.action === 's3:GetObject'
        ? { ...access, context: scans.conditions(access.resource.replace('arn:aws:s3:::', '/')) }
        : access,
    );
  },
  async answer(request, response) {
    const rule = corsRules.get(bucketOf(request));
    if (request.method === 'OPTIONS') {
      response.writeHead(200, preflightHeaders(rule, request)).end();
      return;
    }
    const { pathname } = request.url;
    if (request.url.searchParams.has('tagging')) {
      response.writeHead(200, { 'content-type': 'application/xml' }).end(scans.tagging(pathname));
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
    if (request.method === 'PUT' && scans.covers(pathname)) {
      const copied =
        typeof source === 'string' ? await fetch(`http://127.0.0.1:${port}${source}`) : undefined;
      scans.scan(pathname, copied === undefined ? request.body : Buffer.from(await copied.arrayBuffer()));
    }
    await forward(request, response, port, { ...overriding(request.url), ...corsHeaders(rule, request) });
  },
  refuse: refuseAsXml,
});
