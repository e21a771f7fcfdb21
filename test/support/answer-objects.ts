import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';

/** Has every client of S3 keep objects in memory, as those are in which functions remember answers that do not fit an item. */
export function keepObjectsInMemory(): void {
  const objects = new Map<unknown, unknown>();
  const s3 = mockClient(S3Client);
  s3.on(PutObjectCommand).callsFake(({ Key, Body }: PutObjectCommand['input']) => {
    objects.set(Key, Body);
    return {};
  });
  s3.on(GetObjectCommand).callsFake(({ Key }: GetObjectCommand['input']) => ({
    Body: { transformToByteArray: () => Promise.resolve(objects.get(Key)) },
  }));
}
