// S3 as the local run has it: CORS, links that are signed, and the scan for malware, in front of the engine.
import { timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { S3Client } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod/mini';
import { propertiesOf, type Resource } from '../template/template.ts';
import type { AccessRequest } from './policy-evaluation.ts';
import { AwsError, type AwsRequest, type AwsService, forward, isOver, unsupportedCall } from './service.ts';

const anything = z.tuple([z.literal('*')]);

/** A bucket's property `CorsConfiguration`: one rule, for pages of every origin and all headers. */
export const corsConfiguration = z.strictObject({
  CorsRules: z.tuple([
    z.strictObject({
      AllowedMethods: z.array(z.enum(['GET', 'HEAD', 'PUT', 'POST', 'DELETE'])),
      AllowedOrigins: anything,
      AllowedHeaders: anything,
      ExposedHeaders: z.array(z.string()),
      MaxAge: z.number(),
    }),
  ]),
});

export type CorsRule = z.output<typeof corsConfiguration>['CorsRules'][0];

const allows = (rule: CorsRule | undefined, method: string): rule is CorsRule =>
  rule?.AllowedMethods.some((allowedMethod) => allowedMethod === method) === true;

const common = ({ AllowedMethods, ExposedHeaders }: CorsRule): Record<string, string> => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': AllowedMethods.join(', '),
  'access-control-expose-headers': ExposedHeaders.join(', '),
  vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
});

/** Response headers for a request from a page; none where the rule does not allow it, so that the page cannot read the response. */
const corsHeaders = (rule: CorsRule | undefined, { headers, method }: AwsRequest) =>
  headers.origin !== undefined && allows(rule, method) ? common(rule) : {};

/**
 * Response headers of a preflight request.
 *
 * @throws AwsError `AccessForbidden` when no rule allows the request; `BadRequest` without an origin or a method
 */
function preflightHeaders(rule: CorsRule | undefined, { headers }: AwsRequest): Record<string, string> {
  const { 'access-control-request-method': method, 'access-control-request-headers': names } = headers;
  if (headers.origin === undefined || method === undefined) {
    throw new AwsError('BadRequest', 'Insufficient information. Origin request header needed.');
  }
  if (!allows(rule, method)) {
    throw new AwsError('AccessForbidden', 'CORSResponse: This CORS request is not allowed.', 403);
  }
  return {
    ...common(rule),
    ...(names === undefined ? {} : { 'access-control-allow-headers': names }),
    'access-control-max-age': String(rule.MaxAge),
  };
}

/**
 * The EICAR test file, which every scanner reports although it is harmless. In two parts, so that no scanner reports this
 * one. https://www.eicar.org/download-anti-malware-testfile/
 */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

const planProperties = z.strictObject({
  Role: z.string(),
  ProtectedResource: z.strictObject({
    S3Bucket: z.strictObject({ BucketName: z.string(), ObjectPrefixes: z.array(z.string()) }),
  }),
  Actions: z.strictObject({ Tagging: z.strictObject({ Status: z.literal('ENABLED') }) }),
});

const tagKey = 'GuardDutyMalwareScanStatus';

/** The scans of the deployment's buckets, whose results are the tags of their objects, by path (`/bucket/key`). */
export type MalwareScans = ReturnType<typeof createMalwareScans>;

/** Duration of an object's scan: milliseconds, or reads of its result. */
export type ScanDuration = (bytes: Buffer) => number | { readonly resultReads: number };

/** GuardDuty takes seconds: a caller that uploads and attaches at once is refused. */
export const usualScan: ScanDuration = () => 1_000 + 2_000 * Math.random();

/**
 * Results of the process's scans, by path; undefined while the object is scanned. A run on the engine of one that has stopped finds
 * its objects with their tags.
 */
const results = new Map<string, string | undefined>();

/** GuardDuty Malware Protection for S3, which finds one thing: the EICAR test file. */
export function createMalwareScans(plans: readonly Resource[], duration: ScanDuration) {
  const coveredPrefixes = plans.flatMap((plan) => {
    const { BucketName, ObjectPrefixes } = propertiesOf(plan, planProperties).ProtectedResource.S3Bucket;
    return ObjectPrefixes.map((prefix) => `/${BucketName}/${prefix}`);
  });
  /** Scans that end after reads of their result. */
  const scans = new Map<string, { readsLeft: number; readonly end: () => void }>();
  return {
    /** Whether an object is scanned when it is written. */
    covers: (path: string): boolean => coveredPrefixes.some((start) => path.startsWith(start)),
    /** Begins to scan what was written; until the scan ends, the object has no tag. */
    scan(path: string, bytes: Buffer): void {
      const result = bytes.includes(eicar) ? 'THREATS_FOUND' : 'NO_THREATS_FOUND';
      const lasts = duration(bytes);
      const end = () => void results.set(path, result);
      results.set(path, undefined);
      if (typeof lasts === 'object') scans.set(path, { readsLeft: lasts.resultReads, end });
      else if (lasts === 0) end();
      else setTimeout(end, lasts).unref();
    },
    /** The object's tags as keys of conditions. */
    conditions: (path: string): Readonly<Record<string, string>> => {
      const result = results.get(path);
      return result === undefined ? {} : { [`s3:ExistingObjectTag/${tagKey}`]: result };
    },
    /** The object's tags, as S3 answers them. */
    tagging: (path: string): string => {
      const scan = scans.get(path);
      if (scan?.readsLeft === 0) scan.end();
      else if (scan !== undefined) scan.readsLeft -= 1;
      const result = results.get(path);
      const tag = result && `<Tag><Key>${tagKey}</Key><Value>${result}</Value></Tag>`;
      return `<?xml version="1.0" encoding="UTF-8"?>\n<Tagging><TagSet>${tag ?? ''}</TagSet></Tagging>`;
    },
  };
}

/** `20260401T120000Z` as a date. */
const instant = (text: string): Date =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const payloadHeader = 'x-amz-content-sha256';

const { sha256 } = new S3Client({ region: 'us-east-1' }).config;

/** The signature that belongs to the request, given the scope, the date and the headers that its query names. */
async function signatureOf(request: AwsRequest, secretAccessKey: string): Promise<unknown> {
  const { searchParams, pathname, protocol, hostname } = request.url;
  const parameter = (name: string): string => searchParams.get(name) ?? '';
  const [accessKeyId = '', , region = '', service = ''] = parameter('X-Amz-Credential').split('/');
  const signedHeaders = parameter('X-Amz-SignedHeaders').split(';');
  const { 'X-Amz-Signature': _, ...query } = Object.fromEntries(searchParams);
  const headers = Object.fromEntries(
    signedHeaders.map((name) => [name, String(request.headers[name] ?? '')]),
  );
  headers[payloadHeader] = parameter('X-Amz-Content-Sha256') || 'UNSIGNED-PAYLOAD';
  const credentials = { accessKeyId, secretAccessKey };
  const signer = new SignatureV4({ credentials, region, service, sha256, uriEscapePath: false });
  const presignedRequest = await signer.presign(
    { method: request.method, protocol, hostname, path: pathname, headers, query },
    {
      signingDate: instant(parameter('X-Amz-Date')),
      expiresIn: Number(parameter('X-Amz-Expires')),
      signableHeaders: new Set(signedHeaders),
      // The header carries the payload hash to the signer; in the request it is a query parameter.
      unsignableHeaders: new Set([payloadHeader]),
      unhoistableHeaders: new Set([payloadHeader, ...signedHeaders]),
    },
  );
  return presignedRequest.query?.['X-Amz-Signature'];
}

/**
 * Verifies a presigned URL of S3 as S3 does: that neither it nor the credentials that signed it have expired, and that the request
 * is the one that was signed, including signed headers such as the length and the type of a file.
 *
 * @throws AwsError `InvalidArgument`, `AccessDenied`, `ExpiredToken`, or `SignatureDoesNotMatch`
 */
export async function verifyPresignedAddress(
  request: AwsRequest,
  secretAccessKey: string,
  now: number,
): Promise<void> {
  if (request.headers['authorization'] !== undefined) {
    throw new AwsError(
      'InvalidArgument',
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
    );
  }
  const parameter = (name: string): string => request.url.searchParams.get(name) ?? '';
  const signedAt = instant(parameter('X-Amz-Date')).getTime();
  if (!(signedAt + Number(parameter('X-Amz-Expires')) * 1_000 > now)) {
    throw new AwsError('AccessDenied', 'Request has expired', 403);
  }
  if (isOver(parameter('X-Amz-Security-Token'), now)) {
    throw new AwsError('ExpiredToken', 'The provided token has expired.', 403);
  }
  const signedHeaders = new Set(parameter('X-Amz-SignedHeaders').split(';'));
  const unsignedHeaders = Object.keys(request.headers).filter(
    (name) => name.startsWith('x-amz-') && !signedHeaders.has(name),
  );
  // They would set what the signer did not: tags, access rights, metadata.
  if (unsignedHeaders.length > 0) {
    throw new AwsError(
      'AccessDenied',
      'There were headers present in the request which were not signed',
      403,
    );
  }
  const expectedSignature = Buffer.from(String(await signatureOf(request, secretAccessKey)));
  const givenSignature = Buffer.from(parameter('X-Amz-Signature'));
  // A parameter that is repeated would be signed once.
  const { searchParams } = request.url;
  const isRepeated = new Set(searchParams.keys()).size < searchParams.size;
  if (
    isRepeated ||
    givenSignature.length !== expectedSignature.length ||
    !timingSafeEqual(givenSignature, expectedSignature)
  ) {
    throw new AwsError(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
      403,
    );
  }
}

/** Query parameters of the supported operations; others select other operations. */
const knownParameter =
  /^(X-Amz-.*|x-id|x-amz-.*|response-.*|list-type|prefix|delimiter|continuation-token|start-after|max-keys|tagging|encoding-type)$/;

/** Accesses that a call of S3 needs, by its method and path (`/bucket/key`). */
export function s3Accesses(request: AwsRequest): AccessRequest[] {
  const { method, url } = request;
  const [bucket = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const key = rest.join('/');
  const unknownParameter = Array.from(url.searchParams.keys()).find((name) => !knownParameter.test(name));
  if (unknownParameter !== undefined) throw unsupportedCall(`the parameter ${unknownParameter} of S3`);
  const bucketArn = `arn:aws:s3:::${bucket}`;
  if (key === '') {
    if (method === 'GET' || method === 'HEAD') return [{ action: 's3:ListBucket', resource: bucketArn }];
    if (method === 'PUT') return [{ action: 's3:CreateBucket', resource: bucketArn }];
    throw unsupportedCall(`S3's ${method} of a bucket`);
  }
  const resource = `${bucketArn}/${key}`;
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (url.searchParams.has('tagging')) return [{ action: 's3:GetObjectTagging', resource }];
      return [{ action: 's3:GetObject', resource }];
    case 'PUT': {
      if (url.searchParams.has('tagging')) throw unsupportedCall('changing the tags of an object');
      const source = request.headers['x-amz-copy-source'];
      const putAccess = { action: 's3:PutObject', resource };
      if (typeof source !== 'string') return [putAccess];
      const read = `arn:aws:s3:::${decodeURIComponent(source).replace(/^\//, '')}`;
      return [putAccess, { action: 's3:GetObject', resource: read }];
    }
    default:
      throw unsupportedCall(`S3's ${method} of an object`);
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
  /** Rules by bucket. */
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
      const copySource =
        typeof source === 'string' ? await fetch(`http://127.0.0.1:${port}${source}`) : undefined;
      scans.scan(
        pathname,
        copySource === undefined ? request.body : Buffer.from(await copySource.arrayBuffer()),
      );
    }
    await forward(request, response, port, { ...overriding(request.url), ...corsHeaders(rule, request) });
  },
  refuse: refuseAsXml,
});
