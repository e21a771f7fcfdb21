import type { FileType } from './content.ts';

/** A file that can be served: where its bytes are, and under which name and type. */
export interface StoredFile {
  readonly objectKey: string;
  readonly fileName: string;
  readonly contentType: FileType;
}

/** Treatment of a link by a browser: it downloads the file, or displays it. */
export type Disposition = 'attachment' | 'inline';

/** A URL that is valid until `expiresAt`. */
export interface Link {
  readonly url: string;
  readonly expiresAt: string;
}

/** A URL that accepts exactly one file. */
interface UploadLink extends Link {
  /** Headers that are part of the signature; another value is refused. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes from the start of an object, and the object's size. */
interface ObjectStart {
  readonly bytes: Uint8Array;
  readonly sizeInBytes: number;
  /** Identifies this content; another upload under the same key has another ETag. */
  readonly etag: string;
}

/** Result of a scan for malware; `unscannable` is a file that it could not look into. */
export type ScanResult = 'clean' | 'threats found' | 'unscannable';

/** The files of the service. Links are computed without a call. */
export interface ObjectStore {
  /** Whether files are scanned for malware, and served only when they are clean. */
  readonly scans: boolean;
  /** A URL that serves the file to anyone who has it, for an hour or until the signing credentials expire. */
  downloadLink(file: StoredFile, disposition: Disposition, now: Date): Promise<Link>;
  /** A URL that accepts a file of exactly this length and type, for the same time. */
  uploadLink(
    upload: { readonly objectKey: string; readonly contentType: FileType; readonly sizeInBytes: number },
    now: Date,
  ): Promise<UploadLink>;
  put(objectKey: string, bytes: Uint8Array, contentType: FileType): Promise<void>;
  /** The first `length` bytes of an object; undefined when there is none. */
  readStart(objectKey: string, length: number): Promise<ObjectStart | undefined>;
  /** The result of an object's scan; undefined while it is under way. */
  scanResult(objectKey: string): Promise<ScanResult | undefined>;
  /** Copies an object if its content still has this ETag; returns whether it had. */
  copy(from: string, to: string, etag: string): Promise<boolean>;
}

/** Days after which a file that was uploaded and not used is deleted. */
export const incomingDays = 7;

/** Seconds for which links are valid (OpenAPI, "getFileDocumentDownloadUrl"). */
export const linkLifetime = 60 * 60;

/** RFC 3986's encoding, which Signature Version 4 and RFC 5987 require. */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * `Content-Disposition` for any file name (RFC 6266): a plain form without anything that could end the quotes, and the
 * full one as UTF-8, which every current client prefers.
 */
export const contentDisposition = (disposition: Disposition, fileName: string): string =>
  `${disposition}; filename="${fileName.replace(/[^A-Za-z0-9 ._-]/g, '_')}"; filename*=UTF-8''${percentEncode(fileName)}`;
