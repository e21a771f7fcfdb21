import { createHash } from 'node:crypto';
import type { ObjectStore, ScanResult } from '#domain/file-documents/object-store.ts';

/**
 * An object store in memory. `beforeCopy` runs between the look at an object and its copy.
 * `scan` says whether files are scanned, what the scan of every object found, and how often that was asked.
 */
export function memoryObjectStore() {
  const objects = new Map<string, Buffer>();
  const scan: { isOn: boolean; result?: ScanResult; asked: number } = { isOn: false, asked: 0 };
  const hooks: { beforeCopy?: () => unknown } = {};
  const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;
  const store: ObjectStore = {
    get scans() {
      return scan.isOn;
    },
    scanResult: () => {
      scan.asked += 1;
      return Promise.resolve(scan.result);
    },
    downloadLink: (file, disposition, now) =>
      Promise.resolve({ url: `memory:${file.objectKey}?${disposition}`, expiresAt: now.toISOString() }),
    uploadLink: ({ objectKey, contentType, sizeInBytes }, now) =>
      Promise.resolve({
        url: `https://memory.example/${objectKey}`,
        headers: { 'content-type': contentType, 'content-length': String(sizeInBytes) },
        expiresAt: now.toISOString(),
      }),
    put: (objectKey, bytes) => Promise.resolve(void objects.set(objectKey, Buffer.from(bytes))),
    readStart: (objectKey, length) => {
      const bytes = objects.get(objectKey);
      return Promise.resolve(
        bytes && {
          bytes: bytes.subarray(0, length),
          sizeInBytes: bytes.length,
          etag: etagOf(bytes),
        },
      );
    },
    copy: async (from, to, etag) => {
      await hooks.beforeCopy?.();
      const bytes = objects.get(from);
      if (bytes === undefined || etagOf(bytes) !== etag) return false;
      objects.set(to, bytes);
      return true;
    },
  };
  return { store, objects, hooks, scan };
}
