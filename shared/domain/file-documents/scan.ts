import type { Table } from '../../platform/data/table.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { ObjectStore } from './object-store.ts';
import {
  fileDocumentKeys,
  fileDocumentView,
  type StoredFileDocument,
  type StoredFileVersion,
} from './stored.ts';

/**
 * Asks for the result of the scan of a document's last version, unless it is known, and remembers it: a version is asked
 * for once after its scan.
 */
export type ScanCheck = (owner: string, document: StoredFileDocument) => Promise<StoredFileDocument>;

/** An operator can have a file scanned again that could not be scanned. */
const isFinal = (scan: StoredFileVersion['scan']): boolean => scan === 'clean' || scan === 'threats found';

export const createScanCheck =
  (table: Table, objectStore: ObjectStore): ScanCheck =>
  async (owner, document) => {
    const last = document.versions.at(-1);
    if (!objectStore.scans || last === undefined || isFinal(last.scan)) return document;
    const scan = (await objectStore.scanResult(last.objectKey)) ?? 'scanning';
    if (scan === last.scan) return document;
    // Versions are only ever appended, so that the position is that of the object.
    const path = `versions[${document.versions.length - 1}]`;
    await table.update(
      fileDocumentKeys.document(owner, document._id),
      { [`${path}.scan`]: scan },
      { [`${path}.objectKey`]: last.objectKey },
    );
    return { ...document, versions: [...document.versions.slice(0, -1), { ...last, scan }] };
  };

const reasons = {
  scanning: 'The file is being scanned for malware. Try again in a few seconds.',
  'threats found': 'The file contains malware and will never be served. Upload another one.',
  unscannable: 'The file cannot be scanned for malware. Upload it without a password or encryption.',
};

/**
 * The last version of a document, which may be served and attached.
 * @throws DomainError `state_conflict` when it has not been found clean.
 */
export function servableVersion(document: StoredFileDocument): StoredFileVersion {
  const last = document.versions.at(-1);
  if (last === undefined) throw new Error(`The file document ${document._id} has no version.`);
  const { scan = 'clean' } = last;
  if (scan === 'clean') return last;
  throw new DomainError('state_conflict', {
    message: reasons[scan],
    limit: { expected: 'available', actual: fileDocumentView(document).status },
    ...(scan === 'scanning' ? { retryAfterSeconds: 2 } : {}),
  });
}
