import type { ObjectStore, StoredFile } from './object-store.ts';

/** Short-lived URLs of a file: one downloads it, one displays it. */
export async function fileLinks(objectStore: ObjectStore, file: StoredFile, now: Date) {
  const [download, view] = await Promise.all([
    objectStore.downloadLink(file, 'attachment', now),
    objectStore.downloadLink(file, 'inline', now),
  ]);
  return { downloadUrl: download.url, viewUrl: view.url };
}
