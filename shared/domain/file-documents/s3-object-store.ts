import {
  CopyObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl, S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { readOnce } from '#platform/data/caches.ts';
import {
  contentDisposition,
  type Link,
  linkLifetime,
  type ObjectStore,
  percentEncode,
  type ScanResult,
} from './object-store.ts';

/** A request that anyone who has the link may make. */
interface LinkedRequest {
  readonly method: 'GET' | 'PUT';
  readonly objectKey: string;
  /** Headers that are part of the signature: the request must carry them unchanged. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

type SignLink = (request: LinkedRequest, now: Date) => Promise<Link>;

/**
 * Creates links to the objects of a bucket. The presigner's `getSignedUrl` runs every link through the client's whole
 * middleware, six times the work of the signature, and a filing can hold 500 files: it only resolves the bucket's
 * address once, by the client's own rules.
 */
function createSignLink(client: S3Client, bucket: string): SignLink {
  const presigner = new S3RequestPresigner(client.config);
  const bucketAddress = readOnce(
    async () => new URL(await getSignedUrl(client, new HeadBucketCommand({ Bucket: bucket }))),
  );

  return async ({ method, objectKey, headers = {}, query = {} }, now) => {
    const { protocol, hostname, port, host, origin, pathname } = await bucketAddress();
    const { path, query: signedQuery = {} } = await presigner.presign(
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
        // It ends with the credentials that signed it, if these end before: Lambda does not say when a function's do, so the OpenAPI
        // document says what to do when S3 refuses. https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
        expiresIn: linkLifetime,
        signingDate: now,
        // By default the presigner leaves a file's type out of the signature.
        signableHeaders: new Set(['host', ...Object.keys(headers)]),
      },
    );
    const parameters = Object.entries(signedQuery).map(
      ([name, value]) => `${percentEncode(name)}=${percentEncode(String(value))}`,
    );
    return {
      url: `${origin}${path}?${parameters.join('&')}`,
      expiresAt: new Date(now.getTime() + linkLifetime * 1_000).toISOString(),
    };
  };
}

/**
 * The tag in which GuardDuty writes the result of its scan, and what its values mean. The other values are `UNSUPPORTED`,
 * `ACCESS_DENIED`, and `FAILED`.
 * https://docs.aws.amazon.com/guardduty/latest/ug/monitoring-malware-protection-s3-scans-gdu.html
 */
const scanTag = 'GuardDutyMalwareScanStatus';
const scanResults = new Map<string | undefined, ScanResult>([
  ['NO_THREATS_FOUND', 'clean'],
  ['THREATS_FOUND', 'threats found'],
]);

/** The status that the SDK adds to what a call throws; undefined when there was no response. */
const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** The objects of a bucket. Every call may be repeated. */
export function createS3ObjectStore(client: S3Client, bucket: string, scans: boolean): ObjectStore {
  const signLink = createSignLink(client, bucket);
  return {
    scans,

    downloadLink: ({ objectKey, fileName, contentType }, disposition, now) => {
      const query = {
        'response-content-disposition': contentDisposition(disposition, fileName),
        'response-content-type': contentType,
      };
      return signLink({ method: 'GET', objectKey, query }, now);
    },

    async uploadLink({ objectKey, contentType, sizeInBytes }, now) {
      const headers = { 'content-length': String(sizeInBytes), 'content-type': contentType };
      return { ...(await signLink({ method: 'PUT', objectKey, headers }, now)), headers };
    },

    async put(objectKey, bytes, contentType) {
      const object = { Bucket: bucket, Key: objectKey, Body: bytes, ContentType: contentType };
      await client.send(new PutObjectCommand(object));
    },

    async readStart(objectKey, length) {
      const range = { Bucket: bucket, Key: objectKey, Range: `bytes=0-${length - 1}` };
      try {
        const { Body, ContentRange, ETag } = await client.send(new GetObjectCommand(range));
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
        return { bytes, sizeInBytes: Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1]), etag: ETag ?? '' };
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },

    async scanResult(objectKey) {
      const object = { Bucket: bucket, Key: objectKey };
      const { TagSet = [] } = await client.send(new GetObjectTaggingCommand(object));
      const tag = TagSet.find(({ Key }) => Key === scanTag);
      return tag && (scanResults.get(tag.Value) ?? 'unscannable');
    },

    async copy(from, to, etag) {
      const copy = { Bucket: bucket, Key: to, CopySource: `/${bucket}/${from}`, CopySourceIfMatch: etag };
      try {
        await client.send(new CopyObjectCommand(copy));
        return true;
      } catch (error) {
        if (statusOf(error) === 412) return false;
        throw error;
      }
    },
  };
}
