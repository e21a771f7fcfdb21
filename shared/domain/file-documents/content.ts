import { type FileType, fileTypeNames } from './file-types.ts';

/** Bytes that identify most files; the others are containers, identified by their content. */
export const signatureBytes = 4_100;

/**
 * Where the header of a PDF begins at the latest. Printer drivers and scanners write other bytes before it, which readers skip
 * (PDF Reference 1.7, Appendix H, implementation note 13).
 */
const latestPdfHeader = 1_024;

/** Media types of the containers that DOCX and DOC are made of. */
const zip = 'application/zip';
const compoundFile = 'application/x-cfb';

/** Name of the stream that makes a compound file a Word document ([MS-DOC], 2.1.1), as its directory spells it. */
const wordStream = Buffer.from('WordDocument\0', 'utf16le');

/** Size of a directory entry of a compound file, which starts with its name ([MS-CFB], 2.6.1). */
const directoryEntry = 128;

/** What a file is by its bytes. */
export interface Content {
  /** One of the accepted types, or undefined. */
  readonly type: FileType | undefined;
  /** Whether all of the file's bytes are needed to decide: it is a container of which only a part was read. */
  readonly needsAll: boolean;
}

/** An animated PNG is a PNG (PNG, third edition): a reader that does not know of animations shows its picture. */
const acceptedType = (mediaType: string | undefined): FileType | undefined =>
  fileTypeNames.find((name) => name === (mediaType === 'image/apng' ? 'image/png' : mediaType));

const hasPdfHeader = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, latestPdfHeader)).includes('%PDF-');

function isWordDocument(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf(wordStream); at !== -1; at = buffer.indexOf(wordStream, at + 1)) {
    if (at % directoryEntry === 0) return true;
  }
  return false;
}

/**
 * Identifies a file by its bytes alone; name and declared type are only what the caller claims.
 * @param bytes the file, or its first `signatureBytes`
 */
export async function contentOf(bytes: Uint8Array, isWhole: boolean): Promise<Content> {
  // Half of the function's import time, and needed only by uploads.
  const { fileTypeFromBuffer } = await import('./signatures.ts');
  const mediaType = (await fileTypeFromBuffer(bytes))?.mime;
  const container =
    mediaType === zip || mediaType === compoundFile || (bytes[0] === 0x50 && bytes[1] === 0x4b);
  if (container && !isWhole) return { type: undefined, needsAll: true };
  if (mediaType === compoundFile) {
    return { type: isWordDocument(bytes) ? 'application/msword' : undefined, needsAll: false };
  }
  // Only what is nothing else: an archive or a program that has such a header as well is no document.
  if (mediaType === undefined && !container && hasPdfHeader(bytes)) {
    return { type: 'application/pdf', needsAll: false };
  }
  return { type: acceptedType(mediaType), needsAll: false };
}
