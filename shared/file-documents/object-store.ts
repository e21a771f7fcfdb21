import { setTimeout as pause } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';
import { ApiError } from '../contract/errors.ts';
import { Sha256 } from '../data/sha256.ts';
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

export interface ObjectStoreOptions {
  readonly bucket: string;
  readonly region: string;
  readonly credentials: ConstructorParameters<typeof SignatureV4>[0]['credentials'];
  /** Another address than that of AWS; buckets are then part of the path. */
  readonly endpoint?: string | undefined;
}

/** Seconds for which links are good (OpenAPI, "getFileDocumentDownloadUrl"). */
const linkLifetime = 60 * 60;

const attempts = 3;
const callTimeoutMs = 8_000;

type Signable = Parameters<SignatureV4['presign']>[0];

/** RFC 3986's encoding, which Signature Version 4 and RFC 5987 want. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * `Content-Disposition` for any file name (RFC 6266): a plain form without anything that could end the quotes, and the
 * full one as UTF-8, which every client of today prefers.
 */
export const contentDisposition = (disposition: Disposition, fileName: string): string =>
  `${disposition}; filename="${fileName.replace(/[^A-Za-z0-9 ._-]/g, '_')}"; filename*=UTF-8''${encode(fileName)}`;

/**
 * S3 over fetch. The SDK's client would add 160 KB to the bundle of every function that hands out links; what is used
 * of it here is the signer, which every bundle has already.
 */
export function createObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { bucket, region, credentials } = options;
  const base = new URL(options.endpoint ?? `https://${bucket}.s3.${region}.amazonaws.com`);
  const root = options.endpoint === undefined ? '' : `/${bucket}`;
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials,
    sha256: Sha256,
    // S3 alone signs the path as it is sent.
    uriEscapePath: false,
  });

  const signable = (
    method: string,
    objectKey: string,
    headers: Readonly<Record<string, string>>,
    query: Readonly<Record<string, string>> = {},
    body?: Uint8Array,
  ): Signable => ({
    method,
    protocol: base.protocol,
    hostname: base.hostname,
    path: `${root}/${objectKey}`,
    headers: { host: base.host, ...headers },
    query: { ...query },
    body,
  });

  const addressOf = ({ path, query = {} }: Signable): string => {
    const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
    return `${base.origin}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  };

  /**
   * Seconds for which an address that is signed now is good: it dies with the credentials that signed it, whatever it says
   * itself (https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html). Lambda does not tell a function
   * when its credentials end, so there the hour is what was asked for; the API's document says what to do when S3 refuses.
   */
  const lifetime = async (now: Date): Promise<number> => {
    const { expiration } = await (typeof credentials === 'function' ? credentials() : credentials);
    if (expiration === undefined) return linkLifetime;
    const left = Math.floor((expiration.getTime() - now.getTime()) / 1_000);
    return Math.max(1, Math.min(linkLifetime, left));
  };

  const presign = async (request: Signable, now: Date): Promise<Link> => {
    const expiresIn = await lifetime(now);
    // The bytes are not known when an address is signed.
    const headers = { ...request.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    const signed = await signer.presign({ ...request, headers }, { expiresIn, signingDate: now });
    return {
      url: addressOf(signed),
      expiresAt: new Date(now.getTime() + expiresIn * 1_000).toISOString(),
    };
  };

  /** Calls S3; every call here may be repeated. A status among `expected` is answered, any other one is thrown. */
  const call = async (request: Signable, expected: readonly number[]): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signed = await signer.sign(request);
        const answer = await fetch(addressOf(signed), {
          method: signed.method,
          headers: signed.headers,
          signal: AbortSignal.timeout(callTimeoutMs),
          ...(request.body === undefined ? {} : { body: request.body }),
        });
        if (expected.includes(answer.status)) return answer;
        const told = await answer.text();
        const fault = new Error(
          `S3 answered ${request.method} ${request.path} with ${answer.status}: ${told}`,
        );
        if (answer.status < 500) throw fault;
        if (attempt === attempts) throw new ApiError('service_unavailable', { cause: fault });
      } catch (error) {
        // fetch tells of a broken connection with a TypeError.
        if (!(error instanceof TypeError)) throw error;
        if (attempt === attempts) throw new ApiError('service_unavailable', { cause: error });
      }
      await pause(2 ** attempt * 20 * (1 + Math.random()));
    }
  };

  return {
    downloadLink: (file, disposition, now) =>
      presign(
        signable(
          'GET',
          file.objectKey,
          {},
          {
            'response-content-disposition': contentDisposition(disposition, file.fileName),
            'response-content-type': file.contentType,
          },
        ),
        now,
      ),

    async uploadLink({ objectKey, contentType, sizeInBytes }, now) {
      const headers = { 'content-length': String(sizeInBytes), 'content-type': contentType };
      return { ...(await presign(signable('PUT', objectKey, headers), now)), headers };
    },

    async put(objectKey, bytes, contentType) {
      await call(signable('PUT', objectKey, { 'content-type': contentType }, {}, bytes), [200]);
    },

    async readStart(objectKey, length) {
      const answer = await call(signable('GET', objectKey, { range: `bytes=0-${length - 1}` }), [206, 404]);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (answer.status === 404) return undefined;
      const sizeInBytes = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1]);
      return { bytes, sizeInBytes, etag: answer.headers.get('etag') ?? '' };
    },

    async copy(from, to, etag) {
      const headers = {
        'x-amz-copy-source': `/${bucket}/${from}`,
        'x-amz-copy-source-if-match': etag,
      };
      const answer = await call(signable('PUT', to, headers), [200, 412]);
      const told = await answer.text();
      // A copy that fails on its way has already been answered with 200 and tells so in its body.
      if (told.includes('<Error>')) throw new ApiError('service_unavailable', { cause: new Error(told) });
      return answer.status === 200;
    },
  };
}
