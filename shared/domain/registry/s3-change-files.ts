import { GetObjectCommand, paginateListObjectsV2, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { clientDefaults } from '../../platform/aws/client-defaults.ts';
import { type ChangeFiles, changesIn } from './change-files.ts';
import { type ListedChanges, RegistryUnavailable } from './registry.ts';

async function read<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (cause) {
    throw new RegistryUnavailable('The lists of changes of the registry could not be read.', { cause });
  }
}

/** Reads the lists of changes in a bucket. */
export function createS3Changes(bucket: string, options: S3ClientConfig = {}): ListedChanges {
  const client = new S3Client({ ...clientDefaults('s3'), ...options });
  const files: ChangeFiles = {
    list: (after) =>
      read(
        (async () => {
          const pages = paginateListObjectsV2({ client }, { Bucket: bucket, StartAfter: after });
          const files = [];
          for await (const { Contents = [] } of pages) {
            for (const { Key = '', ETag = '' } of Contents) files.push({ name: Key, version: ETag });
          }
          return files;
        })(),
      ),
    read: (name) =>
      read(
        client
          .send(new GetObjectCommand({ Bucket: bucket, Key: name }))
          .then(({ Body }) => Body?.transformToString() ?? ''),
      ),
  };
  return (cursor, now) => changesIn(files, cursor, now);
}
