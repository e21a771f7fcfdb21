import type { FileType } from '../resources/file-document.ts';

/** A file that can be served: where its bytes are, and under which name and type. */
export interface StoredFile {
  readonly objectKey: string;
  readonly fileName: string;
  readonly contentType: FileType;
}

/** How a browser treats a link: it saves the file, or shows it. */
export type Disposition = 'attachment' | 'inline';

/** An address that is good until `expiresAt`. */
export interface Link {
  readonly url: string;
  readonly expiresAt: string;
}

/** An address that takes exactly one file. */
export interface UploadLink extends Link {
  /** Headers that were signed; another value is refused. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes from the start of an object, and what they are a part of. */
export interface ObjectStart {
  readonly bytes: Uint8Array;
  readonly sizeInBytes: number;
  /** Names this content; another upload under the same key has another one. */
  readonly etag: string;
}

/** The files of the service. Links are computed and cost no call. */
export interface ObjectStore {
  /** An address that serves the file to whoever knows it, for one hour or what is left of the signing credentials. */
  downloadLink(file: StoredFile, disposition: Disposition, now: Date): Promise<Link>;
  /** An address that takes a file of exactly this length and type, for as long. */
  uploadLink(
    upload: { readonly objectKey: string; readonly contentType: FileType; readonly sizeInBytes: number },
    now: Date,
  ): Promise<UploadLink>;
  put(objectKey: string, bytes: Uint8Array, contentType: FileType): Promise<void>;
  /** The first `length` bytes of an object; undefined when there is none. */
  readStart(objectKey: string, length: number): Promise<ObjectStart | undefined>;
  /** Copies an object as long as its content is still the one with this ETag; answers whether it was. */
  copy(from: string, to: string, etag: string): Promise<boolean>;
}

/** Seconds for which links are good (OpenAPI, "getFileDocumentDownloadUrl"). */
export const linkLifetime = 60 * 60;

/** RFC 3986's encoding, which Signature Version 4 and RFC 5987 want. */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * `Content-Disposition` for any file name (RFC 6266): a plain form without anything that could end the quotes, and the
 * full one as UTF-8, which every client of today prefers.
 */
export const contentDisposition = (disposition: Disposition, fileName: string): string =>
  `${disposition}; filename="${fileName.replace(/[^A-Za-z0-9 ._-]/g, '_')}"; filename*=UTF-8''${percentEncode(fileName)}`;
