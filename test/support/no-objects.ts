import type { ObjectStore } from '#domain/file-documents/object-store.ts';

/** Object storage without objects: links are computed, and every upload is still missing. */
export const objectStore: ObjectStore = {
  scans: false,
  scanResult: async () => undefined,
  downloadLink: async ({ objectKey }, disposition, now) => ({
    url: `https://files.example/${objectKey}?${disposition}`,
    expiresAt: now.toISOString(),
  }),
  uploadLink: () => Promise.reject(new Error('nothing is uploaded here')),
  put: () => Promise.reject(new Error('nothing is written here')),
  readStart: async () => undefined,
  copy: () => Promise.reject(new Error('nothing is copied here')),
};
