import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { fileCategories, fileTypeNames, largestFile } from './file-types.ts';

const fileName = described(
  z.string(),
  DOCUMENTED && { description: 'Name of the file.', examples: ['certificate.pdf'] },
);
const contentType = described(
  z.enum(fileTypeNames),
  DOCUMENTED && {
    description: 'Media type, determined from the content.',
    examples: ['application/pdf'],
  },
);
const sizeInBytes = described(
  z.int().check(z.gte(1), z.lte(largestFile)),
  DOCUMENTED && { description: 'Size in bytes.', examples: [48_213] },
);

const fileVersion = described(
  z.object({
    version: described(z.int().check(z.gte(1)), DOCUMENTED && { examples: [1] }),
    fileName,
    contentType,
    sizeInBytes,
    uploadedAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'FileVersion',
    description: 'An uploaded version of a document; download links are to the last one.',
  },
);

/** A file document. */
export const fileDocument = described(
  z.object({
    _id: objectId,
    category: z.enum(fileCategories),
    fileName,
    contentType,
    sizeInBytes,
    status: described(
      z.enum(['awaiting upload', 'available']),
      DOCUMENTED && {
        description:
          'A document announced for a presigned upload is `awaiting upload` until it is first used after the file was uploaded.',
      },
    ),
    versions: z.array(fileVersion),
  }),
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
  'It can expire earlier, with the credentials that signed it: if S3 responds with 403 `ExpiredToken`, request a new one.';

const upload = described(
  z.object({
    method: z.literal('PUT'),
    url: described(
      z.url(),
      DOCUMENTED && {
        examples: ['https://files.example/incoming/65f0c1d2?X-Amz-Signature=0a1b'],
      },
    ),
    headers: described(
      z.record(z.string(), z.string()),
      DOCUMENTED && {
        description: 'Headers to send unchanged: the length and the type are part of the signature.',
        examples: [{ 'content-length': '48213', 'content-type': 'application/pdf' }],
      },
    ),
    expiresAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'FileUpload',
    description: `Presigned URL that accepts a file of the announced length and type until \`expiresAt\`, at most one hour. Web pages of any origin can use it; the browser sets \`content-length\` itself. ${refusedEarlier}`,
  },
);

/** The response to an upload; `upload` when the file was announced as JSON. */
export const uploadedFileDocument = z.extend(fileDocument, { upload: z.optional(upload) });

export type UploadedFileDocument = z.output<typeof uploadedFileDocument>;

/** A short-lived link. */
export const fileDownload = described(
  z.object({
    url: described(
      z.url(),
      DOCUMENTED && {
        description: 'Anyone who has this link can download the file.',
        examples: ['https://files.example/files/65f0c1d2?X-Amz-Signature=0a1b'],
      },
    ),
    expiresAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'FileDownload',
    description: `A link that is valid until \`expiresAt\`, at most one hour. ${refusedEarlier}`,
  },
);
