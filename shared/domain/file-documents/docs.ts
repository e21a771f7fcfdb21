import { as, documented, type FieldDocs } from '#platform/contract/documented.ts';
import { fileCategoryDocs } from '../identifiers/docs.ts';
import { fileType, fileTypes } from './content.ts';
import {
  agencyFileDocument,
  fileDocument,
  fileDownload,
  fileVersion,
  type storedFileFields,
  upload,
  uploadedAgencyFileDocument,
  uploadedFileDocument,
} from './resource.ts';

export const fileTypeDocs = documented(fileType, {
  description: 'Media type, which the content must match.',
  values: fileTypes,
});

const storedFileFieldsDocs = {
  fileName: [
    'Name under which the file is saved, which ends with an extension of its type.',
    'certificate.pdf',
  ],
  contentType: as(fileTypeDocs, {
    description: 'Media type, determined from the content.',
    examples: ['application/pdf'],
  }),
  sizeInBytes: ['Length of the content.', 48_213],
} satisfies FieldDocs<typeof storedFileFields>;

const fileVersionDocs = documented(fileVersion, {
  id: 'FileVersion',
  description: 'An uploaded version of a document; download links point to the last one.',
  fields: {
    version: ['Number of the version, from 1.', 1],
    ...storedFileFieldsDocs,
    uploadedAt: 'When the version was added.',
  },
});

const fileDocumentFieldsDocs = {
  _id: 'Id of the document, `fileDocumentId` elsewhere.',
  category: fileCategoryDocs,
  ...storedFileFieldsDocs,
  status: {
    description: 'Whether there is a file to download.',
    values: {
      'awaiting upload':
        'Announced for a presigned upload, and not used since the file was uploaded; name, type, and size are those announced.',
      scanning: 'Uploaded, and not used since it was found free of malware. Only where files are scanned.',
      available: 'The document has a version; name, type, and size are those of the last one.',
      rejected: 'The last version has malware or cannot be scanned, and is never served.',
    },
    examples: ['available'],
  },
  versions: as(
    fileVersionDocs,
    'Versions of the document, oldest first; empty while it is `awaiting upload`.',
  ),
} satisfies FieldDocs<typeof fileDocument>;

documented(fileDocument, {
  id: 'FileDocument',
  description: 'An uploaded file.',
  fields: fileDocumentFieldsDocs,
});

const agencyFileDocumentFieldsDocs = {
  ...fileDocumentFieldsDocs,
  upstreamDownstreamAssociationId:
    'Id of the market for which the file was uploaded; null if none was named.',
} satisfies FieldDocs<typeof agencyFileDocument>;

documented(agencyFileDocument, {
  id: 'AgencyFileDocument',
  description: 'An uploaded file of the agency.',
  fields: agencyFileDocumentFieldsDocs,
});

/** Advice about a URL that expired with the credentials that signed it. */
const expiryAdvice =
  'It can expire earlier, with the credentials that signed it: if S3 responds with 403 `ExpiredToken`, request a new one; for an upload, use another idempotency key.';

const uploadDocs = documented(upload, {
  id: 'FileUpload',
  description: `Presigned URL that accepts a file of the announced length and type until \`expiresAt\`, at most one hour. Web pages of any origin can use it; the browser sets \`content-length\` itself. If the length or the type is another, S3 responds in XML with 403 and \`SignatureDoesNotMatch\`. ${expiryAdvice}`,
  fields: {
    method: 'HTTP method to send the bytes with.',
    url: [
      'Where to send the bytes. Anyone who has this URL can upload the file.',
      'https://files.example/incoming/65f0c1d2?X-Amz-Signature=0a1b',
    ],
    headers: {
      description: 'Headers to send unchanged: the length and the type are part of the signature.',
      examples: [{ 'content-length': '48213', 'content-type': 'application/pdf' }],
    },
    expiresAt: 'When the URL stops accepting the file.',
  },
});

const announcedUploadDocs = as(
  uploadDocs,
  'Where to send the announced file; absent if the request contained the file.',
);

documented(uploadedFileDocument, {
  id: 'UploadedFileDocument',
  description: 'An uploaded file, or one that was announced as JSON.',
  fields: {
    ...fileDocumentFieldsDocs,
    upload: announcedUploadDocs,
  },
});

documented(uploadedAgencyFileDocument, {
  id: 'UploadedAgencyFileDocument',
  description: 'The document, and where to send the file if it was announced.',
  fields: { ...agencyFileDocumentFieldsDocs, upload: announcedUploadDocs },
});

documented(fileDownload, {
  id: 'FileDownload',
  description: `A link that is valid until \`expiresAt\`, at most one hour. It is signed for GET: S3 responds to HEAD with 403. ${expiryAdvice}`,
  fields: {
    url: [
      'Presigned URL of the file. Anyone who has this link can download the file.',
      'https://files.example/files/65f0c1d2?X-Amz-Signature=0a1b',
    ],
    expiresAt: 'When the link stops working.',
  },
});
