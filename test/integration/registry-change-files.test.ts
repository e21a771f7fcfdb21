import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type Fauxqs, startFauxqs } from '../../infra/local/engines/fauxqs.ts';
import { RegistryUnavailable } from '../../shared/domain/registry/registry.ts';
import { createS3Changes } from '../../shared/domain/registry/s3-change-files.ts';

// The registry's lists of changes, in a bucket.

let engine: Fauxqs;
const options = () => ({
  endpoint: `http://127.0.0.1:${engine.port}`,
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

const put = (Key: string, Body: string) =>
  new S3Client(options()).send(new PutObjectCommand({ Bucket: 'changes', Key, Body }));

beforeAll(async () => {
  engine = await startFauxqs();
  await new S3Client(options()).send(new CreateBucketCommand({ Bucket: 'changes' }));
});

afterAll(async () => {
  await engine.stop();
});

test('files of a bucket are read once, and again where they were replaced', async () => {
  const changes = createS3Changes('changes', options());
  await put('2026-05-29.txt', '7\n');
  await put('2026-06-01.txt', '1\n2\n');
  const first = await changes(undefined, new Date('2026-06-01T21:00:00-04:00'));
  expect(first).toMatchObject({ npns: ['1', '2'], missing: [] });
  await put('2026-06-02.txt', '3\n');
  await put('2026-06-01.txt', '1\n4\n');
  const second = await changes(first.cursor, new Date('2026-06-02T21:00:00-04:00'));
  expect(second).toMatchObject({ npns: ['1', '4', '3'], missing: [] });
  const third = await changes(second.cursor, new Date('2026-06-02T22:00:00-04:00'));
  expect(third.npns).toEqual([]);
});

test('a bucket that cannot be read says so, and not that nothing changed', async () => {
  const changes = createS3Changes('none', { ...options(), maxAttempts: 1 });
  await expect(changes(undefined, new Date())).rejects.toThrow(RegistryUnavailable);
});
