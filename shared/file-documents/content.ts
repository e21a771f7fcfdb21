import { type FileType, fileTypeNames } from '../resources/file-document.ts';

/** Bytes that tell what most files are; the others are containers, whose content tells. */
export const telltaleBytes = 4_100;

/** Media types of the containers that DOCX and DOC are made of. */
const zip = 'application/zip';
const compoundFile = 'application/x-cfb';

/** Name of the stream that makes a compound file a Word document ([MS-DOC], 2.1.1), as its directory spells it. */
const wordStream = Buffer.from('WordDocument\0', 'utf16le');

/** Size of a directory entry of a compound file, at whose start its name stands ([MS-CFB], 2.6.1). */
const directoryEntry = 128;

/** What a file is by its bytes. */
export interface Content {
  /** One of the types that are taken, or undefined. */
  readonly type: FileType | undefined;
  /** Whether all of the file's bytes are needed to tell: it is a container of which only a part was looked at. */
  readonly needsAll: boolean;
}

const taken = (mediaType: string | undefined): FileType | undefined =>
  fileTypeNames.find((name) => name === mediaType);

function isWordDocument(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf(wordStream); at !== -1; at = buffer.indexOf(wordStream, at + 1)) {
    if (at % directoryEntry === 0) return true;
  }
  return false;
}

/**
 * Decides by the bytes alone what a file is; name and declared type are the caller's word for it.
 * @param bytes the file, or its first `telltaleBytes`
 */
export async function contentOf(bytes: Uint8Array, isWhole: boolean): Promise<Content> {
  // Half of what a function takes to import, and needed by uploads alone.
  const { fileTypeFromBuffer } = await import('./signatures.ts');
  const mediaType = (await fileTypeFromBuffer(bytes))?.mime;
  const container =
    mediaType === zip || mediaType === compoundFile || (bytes[0] === 0x50 && bytes[1] === 0x4b);
  if (container && !isWhole) return { type: undefined, needsAll: true };
  if (mediaType === compoundFile) {
    return { type: isWordDocument(bytes) ? 'application/msword' : undefined, needsAll: false };
  }
  return { type: taken(mediaType), needsAll: false };
}
