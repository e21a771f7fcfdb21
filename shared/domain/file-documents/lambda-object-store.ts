// Apart from `object-store.ts`, which describes what this imports later.
import { importOnUse } from '#platform/contract/lazily.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * The object store of a function, with the credentials of its role. The S3 client is imported when the first file is
 * touched: importing it takes as long as the rest of the function.
 *
 * @param scans whether the environment scans files for malware
 */
export const lambdaObjectStore = (bucket: string, scans: 'yes' | 'no'): ObjectStore => ({
  scans: scans === 'yes',
  ...importOnUse(
    async () => {
      const [{ createS3Client }, { createS3ObjectStore }] = await Promise.all([
        import('#platform/aws/s3-client.ts'),
        import('./s3-object-store.ts'),
      ]);
      return createS3ObjectStore(createS3Client(), bucket, scans === 'yes');
    },
    'downloadLink',
    'uploadLink',
    'put',
    'readStart',
    'scanResult',
    'copy',
  ),
});
