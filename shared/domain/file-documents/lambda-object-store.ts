import type { ObjectStore } from './object-store.ts';

/**
 * The object store of a function, with the credentials of its role. The S3 client is imported when the first file is
 * touched: importing it takes as long as the rest of the function.
 *
 * @param scans whether the environment scans files for malware
 */
export function lambdaObjectStore(bucket: string, scans: 'yes' | 'no'): ObjectStore {
  let loaded: Promise<ObjectStore> | undefined;
  const store = (): Promise<ObjectStore> => {
    loaded ??= import('./s3-object-store.ts').then(({ createS3Client, createS3ObjectStore }) =>
      createS3ObjectStore(createS3Client(), bucket, scans === 'yes'),
    );
    return loaded;
  };
  return {
    scans: scans === 'yes',
    downloadLink: async (...call) => (await store()).downloadLink(...call),
    uploadLink: async (...call) => (await store()).uploadLink(...call),
    put: async (...call) => (await store()).put(...call),
    readStart: async (...call) => (await store()).readStart(...call),
    scanResult: async (...call) => (await store()).scanResult(...call),
    copy: async (...call) => (await store()).copy(...call),
  };
}
