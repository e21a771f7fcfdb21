import { timingSafeEqual } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import { AwsError, type AwsRequest } from './service.ts';
import { isOver } from './session-token.ts';

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
  const signed = parameter('X-Amz-SignedHeaders').split(';');
  const { 'X-Amz-Signature': _, ...query } = Object.fromEntries(searchParams);
  const headers = Object.fromEntries(signed.map((name) => [name, String(request.headers[name] ?? '')]));
  headers[payloadHeader] = parameter('X-Amz-Content-Sha256') || 'UNSIGNED-PAYLOAD';
  const credentials = { accessKeyId, secretAccessKey };
  const signer = new SignatureV4({ credentials, region, service, sha256, uriEscapePath: false });
  const presigned = await signer.presign(
    { method: request.method, protocol, hostname, path: pathname, headers, query },
    {
      signingDate: instant(parameter('X-Amz-Date')),
      expiresIn: Number(parameter('X-Amz-Expires')),
      signableHeaders: new Set(signed),
      // The header carries the payload hash to the signer; in the request it is a query parameter.
      unsignableHeaders: new Set([payloadHeader]),
      unhoistableHeaders: new Set([payloadHeader, ...signed]),
    },
  );
  return presigned.query?.['X-Amz-Signature'];
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
  const signed = new Set(parameter('X-Amz-SignedHeaders').split(';'));
  const unsigned = Object.keys(request.headers).filter(
    (name) => name.startsWith('x-amz-') && !signed.has(name),
  );
  // They would set what the signer did not: tags, access rights, metadata.
  if (unsigned.length > 0) {
    throw new AwsError(
      'AccessDenied',
      'There were headers present in the request which were not signed',
      403,
    );
  }
  const expected = Buffer.from(String(await signatureOf(request, secretAccessKey)));
  const given = Buffer.from(parameter('X-Amz-Signature'));
  // A parameter that is repeated would be signed once.
  const { searchParams } = request.url;
  const isRepeated = new Set(searchParams.keys()).size < searchParams.size;
  if (isRepeated || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new AwsError(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
      403,
    );
  }
}
