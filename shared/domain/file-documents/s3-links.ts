import { HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl, S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { type Link, linkLifetime, percentEncode } from './object-store.ts';

/** A request that anyone who has the link may make. */
export interface LinkedRequest {
  readonly method: 'GET' | 'PUT';
  readonly objectKey: string;
  /** Headers that are part of the signature: the request must carry them unchanged. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export type SignLink = (request: LinkedRequest, now: Date) => Promise<Link>;

/**
 * Creates links to the objects of a bucket. The presigner's `getSignedUrl` runs every link through the client's whole
 * middleware, six times the work of the signature, and a filing can hold 500 files: it only resolves the bucket's
 * address once, by the client's own rules.
 */
export function createSignLink(client: S3Client, bucket: string): SignLink {
  const presigner = new S3RequestPresigner(client.config);
  let known: Promise<URL> | undefined;
  const bucketAddress = (): Promise<URL> => {
    known ??= getSignedUrl(client, new HeadBucketCommand({ Bucket: bucket })).then(
      (link) => new URL(link),
      (error: unknown) => {
        known = undefined;
        throw error;
      },
    );
    return known;
  };

  /**
   * Seconds for which a link that is signed now is valid: it ends with the credentials that signed it, whatever it says
   * itself (https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html). Lambda does not say when a
   * function's credentials end, so there it is the hour; the OpenAPI document says what to do when S3 refuses.
   */
  const lifetime = async (now: Date): Promise<number> => {
    const { expiration } = await client.config.credentials();
    if (expiration === undefined) return linkLifetime;
    const left = Math.floor((expiration.getTime() - now.getTime()) / 1_000);
    return Math.max(1, Math.min(linkLifetime, left));
  };

  return async ({ method, objectKey, headers = {}, query = {} }, now) => {
    const { protocol, hostname, port, host, origin, pathname } = await bucketAddress();
    const expiresIn = await lifetime(now);
    const { path, query: signed = {} } = await presigner.presign(
      {
        method,
        protocol,
        hostname,
        ...(port === '' ? {} : { port: Number(port) }),
        path: `${pathname.replace(/\/$/, '')}/${objectKey}`,
        headers: { host, ...headers },
        query: { ...query },
      },
      {
        expiresIn,
        signingDate: now,
        // By default the presigner leaves a file's type out of the signature.
        signableHeaders: new Set(['host', ...Object.keys(headers)]),
      },
    );
    const parameters = Object.entries(signed).map(
      ([name, value]) => `${percentEncode(name)}=${percentEncode(String(value))}`,
    );
    return {
      url: `${origin}${path}?${parameters.join('&')}`,
      expiresAt: new Date(now.getTime() + expiresIn * 1_000).toISOString(),
    };
  };
}
