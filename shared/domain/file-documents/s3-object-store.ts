import {
  CopyObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { clientDefaults } from '../../platform/aws/client-defaults.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { contentDisposition, type ObjectStore, type ScanResult } from './object-store.ts';
import { createSignLink } from './s3-links.ts';

const defaults = clientDefaults('s3');

/** The S3 client of a function. */
export const createS3Client = (options: S3ClientConfig = {}): S3Client =>
  new S3Client({
    ...defaults,
    // An answer may stop half way through its bytes.
    requestHandler: { ...defaults.requestHandler, socketTimeout: defaults.requestHandler.requestTimeout },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...options,
  });

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

async function called<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    const status = statusOf(error);
    if (status !== undefined && status < 500) throw error;
    throw new DomainError('storage_unavailable', { cause: error });
  }
}

/**
 * The objects of a bucket. Every call may be repeated.
 * @throws DomainError `storage_unavailable` when S3 fails or can't be reached.
 */
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
      await called(client.send(new PutObjectCommand(object)));
    },

    async readStart(objectKey, length) {
      const range = { Bucket: bucket, Key: objectKey, Range: `bytes=0-${length - 1}` };
      const read = async () => {
        const { Body, ContentRange, ETag } = await client.send(new GetObjectCommand(range));
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
        return { bytes, sizeInBytes: Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1]), etag: ETag ?? '' };
      };
      try {
        return await called(read());
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },

    async scanResult(objectKey) {
      const object = { Bucket: bucket, Key: objectKey };
      const { TagSet = [] } = await called(client.send(new GetObjectTaggingCommand(object)));
      const tag = TagSet.find(({ Key }) => Key === scanTag);
      return tag && (scanResults.get(tag.Value) ?? 'unscannable');
    },

    async copy(from, to, etag) {
      const copy = { Bucket: bucket, Key: to, CopySource: `/${bucket}/${from}`, CopySourceIfMatch: etag };
      try {
        await called(client.send(new CopyObjectCommand(copy)));
        return true;
      } catch (error) {
        if (statusOf(error) === 412) return false;
        throw error;
      }
    },
  };
}
