import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId, timestamp } from '../../platform/contract/primitives.ts';
import { fileCategory, fileType, largestFile } from './file-types.ts';

/** A stored file: its name, and what its content says. */
export const storedFileFields = lazily(() =>
  describedShape(
    {
      fileName: z.string(),
      contentType: fileType,
      sizeInBytes: z.int().check(z.gte(1), z.lte(largestFile)),
    },
    DOCUMENTED && {
      fileName: {
        description: 'Name under which the file is saved, which ends with an extension of its type.',
        examples: ['certificate.pdf'],
      },
      contentType: {
        description: 'Media type, determined from the content.',
        examples: ['application/pdf'],
      },
      sizeInBytes: { description: 'Length of the content.', examples: [48_213] },
    },
  ),
);

const fileVersion = described(
  lazyObject(() => ({
    ...describedShape(
      { version: z.int().check(z.gte(1)) },
      DOCUMENTED && { version: { description: 'Number of the version, from 1.', examples: [1] } },
    ),
    ...storedFileFields(),
    ...describedShape({ uploadedAt: timestamp }, DOCUMENTED && { uploadedAt: 'When the version was added.' }),
  })),
  DOCUMENTED && {
    id: 'FileVersion',
    description: 'An uploaded version of a document; download links are to the last one.',
  },
);

/** A file document. */
export const fileDocument = described(
  lazyObject(() => ({
    ...describedShape(
      { _id: objectId, category: fileCategory },
      DOCUMENTED && { _id: 'Id of the document, `fileDocumentId` elsewhere.' },
    ),
    ...storedFileFields(),
    ...describedShape(
      {
        status: z.enum(['awaiting upload', 'scanning', 'available', 'rejected']),
        versions: z.array(fileVersion),
      },
      DOCUMENTED && {
        status: {
          description: 'Whether there is a file to download.',
          values: {
            'awaiting upload':
              'Announced for a presigned upload, and not used since the file was uploaded; name, type, and size are those announced.',
            scanning:
              'Uploaded, and not used since it was found free of malware. Only where files are scanned.',
            available: 'The document has a version; name, type, and size are those of the last one.',
            rejected: 'The last version has malware or cannot be scanned, and is never served.',
          },
        },
        versions: 'Versions of the document, oldest first; empty while it is `awaiting upload`.',
      },
    ),
  })),
  DOCUMENTED && {
    id: 'FileDocument',
    description: 'An uploaded file.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f9aa',
        category: 'Surplus Lines',
        fileName: 'certificate.pdf',
        contentType: 'application/pdf',
        sizeInBytes: 48_213,
        status: 'available',
        versions: [
          {
            version: 1,
            fileName: 'certificate.pdf',
            contentType: 'application/pdf',
            sizeInBytes: 48_213,
            uploadedAt: '2026-03-01T14:05:09.123Z',
          },
        ],
      },
    ],
  },
);

export type FileDocument = z.output<typeof fileDocument>;

/** What to do with a URL that expired with the credentials that signed it. */
const refusedEarlier =
  'It can expire earlier, with the credentials that signed it: if S3 responds with 403 `ExpiredToken`, request a new one, for an upload with another idempotency key.';

const upload = described(
  lazyObject(() =>
    describedShape(
      {
        method: z.literal('PUT'),
        url: z.url(),
        headers: z.record(z.string(), z.string()),
        expiresAt: timestamp,
      },
      DOCUMENTED && {
        method: 'HTTP method to send the bytes with.',
        url: {
          description: 'Where to send the bytes. Anyone who has this URL can upload the file.',
          examples: ['https://files.example/incoming/65f0c1d2?X-Amz-Signature=0a1b'],
        },
        headers: {
          description: 'Headers to send unchanged: the length and the type are part of the signature.',
          examples: [{ 'content-length': '48213', 'content-type': 'application/pdf' }],
        },
        expiresAt: 'Until when the URL accepts the file.',
      },
    ),
  ),
  DOCUMENTED && {
    id: 'FileUpload',
    description: `Presigned URL that accepts a file of the announced length and type until \`expiresAt\`, at most one hour. Web pages of any origin can use it; the browser sets \`content-length\` itself. ${refusedEarlier}`,
  },
);

/** The response to an upload; `upload` when the file was announced as JSON. */
export const uploadedFileDocument = described(
  z.extend(
    fileDocument,
    describedShape(
      { upload: z.optional(upload) },
      DOCUMENTED && { upload: 'Where to send the announced file; absent if the request contained the file.' },
    ),
  ),
  DOCUMENTED && {
    id: 'UploadedFileDocument',
    description: 'An uploaded file, or one that was announced as JSON.',
  },
);

export type UploadedFileDocument = z.output<typeof uploadedFileDocument>;

/** A short-lived link. */
export const fileDownload = described(
  lazyObject(() =>
    describedShape(
      { url: z.url(), expiresAt: timestamp },
      DOCUMENTED && {
        url: {
          description: 'Presigned URL of the file. Anyone who has this link can download the file.',
          examples: ['https://files.example/files/65f0c1d2?X-Amz-Signature=0a1b'],
        },
        expiresAt: 'Until when the link works.',
      },
    ),
  ),
  DOCUMENTED && {
    id: 'FileDownload',
    description: `A link that is valid until \`expiresAt\`, at most one hour. ${refusedEarlier}`,
  },
);
