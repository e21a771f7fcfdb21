import * as z from 'zod/mini';
import { MB } from '#platform/aws/limits.ts';
import { type FileCategory, surplusLinesCategory } from '../identifiers/identifiers.ts';

/**
 * Types of file by media type; the bytes of a file decide its type. Stored files have one of these: a type that is no longer
 * accepted (`acceptedTypes`) stays here. `contentOf` recognizes them.
 */
export const fileTypes = {
  'application/pdf': 'PDF',
  'application/msword': 'DOC',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
} as const;

export type FileType = keyof typeof fileTypes;

export const fileTypeNames = Object.keys(fileTypes) as [FileType, ...FileType[]];

/** The types that a category accepts. */
export const acceptedTypes = (category: FileCategory): readonly FileType[] =>
  category === surplusLinesCategory ? fileTypeNames : ['application/pdf'];

/** The media type of a file. */
export const fileType = z.enum(fileTypeNames);

/** Sizes in bytes: a file, and what fits into one multipart request (a function's payload is at most 6 MB). */
export const largestFile = 10 * MB;
export const largestMultipartFile = 4 * MB;

/** Bytes that identify most files; the others are containers, identified by their content. */
export const signatureBytes = 4_100;

/**
 * Bytes within which the header of a PDF begins. Printer drivers and scanners write other bytes before it, which readers skip
 * (PDF Reference 1.7, Appendix H, implementation note 13).
 */
export const latestPdfHeader = 1_024;

/** Media types of the containers that DOCX and DOC are made of. */
const zip = 'application/zip';
const compoundFile = 'application/x-cfb';

/** Name of the stream that makes a compound file a Word document ([MS-DOC], 2.1.1), as its directory spells it. */
const wordStream = Buffer.from('WordDocument\0', 'utf16le');

/** Size of a directory entry of a compound file, which starts with its name ([MS-CFB], 2.6.1). */
const directoryEntry = 128;

/** Content of a file by its bytes. */
interface Content {
  /** An accepted type, or undefined. */
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
  for (
    let offset = buffer.indexOf(wordStream);
    offset !== -1;
    offset = buffer.indexOf(wordStream, offset + 1)
  ) {
    if (offset % directoryEntry === 0) return true;
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

/** Extensions of each type of file; a name without any of them gets the first one. */
const extensions: Readonly<Record<FileType, readonly [string, ...string[]]>> = {
  'application/pdf': ['.pdf'],
  'application/msword': ['.doc'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
};

/** Most characters of a name; file systems take no longer one. */
export const longestFileName = 255;

/**
 * The name under which a file of this type is kept and served. A name that ends otherwise gets the type's extension:
 * the program that opens the download goes by its name, and a PDF must not be opened as a page or a program.
 */
export function storedFileName(fileName: string, type: FileType): string {
  const lowerCased = fileName.toLowerCase();
  const hasExtension = extensions[type].some((extension) => lowerCased.endsWith(extension));
  if (hasExtension) return fileName;
  const [addedExtension] = extensions[type];
  const keptCharacters = Array.from(fileName).slice(0, longestFileName - addedExtension.length);
  return `${keptCharacters.join('')}${addedExtension}`;
}
