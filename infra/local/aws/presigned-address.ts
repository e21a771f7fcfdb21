import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AwsError, type AwsRequest } from './service.ts';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** RFC 3986's encoding, which Signature Version 4 wants. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const signatureParameter = 'X-Amz-Signature';

/** `20260401T120000Z` as Unix milliseconds. */
const instant = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

function canonicalRequest(request: AwsRequest, signedHeaders: readonly string[]): string {
  const query = Array.from(request.url.searchParams)
    .filter(([name]) => name !== signatureParameter)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = signedHeaders.map((name) => {
    const value = request.headers[name];
    return `${name}:${(Array.isArray(value) ? value.join(',') : (value ?? '')).trim()}\n`;
  });
  return [
    request.method,
    request.url.pathname,
    query,
    headers.join(''),
    signedHeaders.join(';'),
    request.url.searchParams.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
}

/**
 * Checks a presigned address of S3 as S3 does: that it is still good, and that the request is the one that was signed.
 * A header that was signed, the length and the type of a file, can be no other.
 *
 * @throws AwsError `AccessDenied` or `SignatureDoesNotMatch`
 */
export function verifyPresignedAddress(request: AwsRequest, secretAccessKey: string, now: number): void {
  const parameter = (name: string): string => request.url.searchParams.get(name) ?? '';
  const signedAt = parameter('X-Amz-Date');
  if (!(instant(signedAt) + Number(parameter('X-Amz-Expires')) * 1_000 > now)) {
    throw new AwsError('AccessDenied', 'Request has expired', 403);
  }
  const scope = parameter('X-Amz-Credential').split('/').slice(1);
  const text = [
    'AWS4-HMAC-SHA256',
    signedAt,
    scope.join('/'),
    sha256(canonicalRequest(request, parameter('X-Amz-SignedHeaders').split(';'))),
  ].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const expected = hmac(key, text);
  const given = Buffer.from(parameter(signatureParameter), 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new AwsError(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
      403,
    );
  }
}
