// Apart from `idempotency.ts`, which imports it, and S3's client, with the first answer that does not fit an item.
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

/** Remembered answers that do not fit an item, by the keys that their records name. */
export interface AnswerObjects {
  put(objectKey: string, sealed: Uint8Array): Promise<void>;
  /** @throws `NoSuchKey`. */
  get(objectKey: string): Promise<Uint8Array>;
}

/** The folder of a bucket that keeps objects for a day, longer than a record names them. */
export const createAnswerObjects = (client: S3Client, bucket: string | undefined): AnswerObjects => {
  const placeOf = (objectKey: string) => ({ Bucket: bucket, Key: `answers/${objectKey}` });
  return {
    async put(objectKey, sealed) {
      await client.send(new PutObjectCommand({ ...placeOf(objectKey), Body: sealed }));
    },
    async get(objectKey) {
      const { Body } = await client.send(new GetObjectCommand(placeOf(objectKey)));
      if (Body === undefined) throw new Error(`The answer ${objectKey} has no content.`);
      return Body.transformToByteArray();
    },
  };
};
