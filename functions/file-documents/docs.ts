import {
  largestFile,
  largestMultipartFile,
  latestPdfHeader,
  longestFileName,
} from '#domain/file-documents/content.ts';
import { fileTypeDocs } from '#domain/file-documents/docs.ts';
import { incomingDays } from '#domain/file-documents/object-store.ts';
import { mostVersions } from '#domain/file-documents/stored.ts';
import { fileCategoryDocs, marketIdsDocs } from '#domain/identifiers/docs.ts';
import { versionedCategoryMeanings } from '#domain/identifiers/identifiers.ts';
import { MB } from '#platform/aws/limits.ts';
import { agencyListQueryDocs } from '#platform/contract/docs.ts';
import { documented, type FieldDocs, type GroupDocs } from '#platform/contract/documented.ts';
import { formFile } from '#platform/request/form.ts';
import { fileDocumentRoutes, fileName, type ofAssociation, pdf, versionedCategory } from './routes.ts';

const announcedFile = {
  _id: '65f0c1d2e3a4b5c6d7e8f9aa',
  category: 'Other Document',
  fileName: 'certificate.pdf',
  contentType: 'application/pdf',
  sizeInBytes: 48_213,
} as const;

/** Answers to the two ways of uploading a file, in a category that v1 has as well. */
const uploadExamples = {
  multipart: {
    summary: 'The file was sent as a form',
    value: {
      ...announcedFile,
      status: 'available',
      versions: [
        {
          version: 1,
          fileName: announcedFile.fileName,
          contentType: announcedFile.contentType,
          sizeInBytes: announcedFile.sizeInBytes,
          uploadedAt: '2026-03-01T14:05:09.123Z',
        },
      ],
    },
  },
  presigned: {
    summary: 'The file was announced as JSON, and its bytes are to be sent to `upload.url`',
    value: {
      ...announcedFile,
      status: 'awaiting upload',
      versions: [],
      upload: {
        method: 'PUT',
        url: 'https://files.example/incoming/65f0c1d2?X-Amz-Signature=0a1b',
        headers: { 'content-length': '48213', 'content-type': 'application/pdf' },
        expiresAt: '2026-03-01T15:05:09.123Z',
      },
    },
  },
};

const market = { upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904' };

/** Answers to an agency, which sees the market, too. */
const agencyUploadExamples = {
  multipart: { ...uploadExamples.multipart, value: { ...uploadExamples.multipart.value, ...market } },
  presigned: { ...uploadExamples.presigned, value: { ...uploadExamples.presigned.value, ...market } },
};

const fileNameDocs = documented(fileName, {
  minLength: 1,
  maxLength: longestFileName,
  description: `Name of the file, without slashes, control characters, or invisible ones. An extension of its type is added if it has none; the result is cut to ${longestFileName} characters.`,
  examples: ['certificate.pdf'],
});

const ofAssociationDocs = {
  downstreamEntityAssociationId: 'Id of the organization’s association with an agency.',
} satisfies FieldDocs<typeof ofAssociation>;

const versionedCategoryDocs = documented(versionedCategory, {
  description: 'What the file is for.',
  values: versionedCategoryMeanings,
});

const pdfDocs = documented(pdf, {
  description: 'Media type, which the content must match.',
  values: { 'application/pdf': 'PDF' },
});

const sentDocs = {
  category: fileCategoryDocs,
  contentType: fileTypeDocs,
  fileName: fileNameDocs,
  sizeInBytes: [`Exact length of the file, up to ${largestFile.toLocaleString('en')}.`, 48_213],
} as const;

const ofMarketDocs = marketIdsDocs('Id of the market that the file is for; none by default.');

const {
  createFileDocument: upload,
  createFileDocumentV1: uploadV1,
  createAgencyFileDocument: agencyUpload,
} = fileDocumentRoutes.routes;
const formDocs = { file: documented(formFile, { description: 'The file with its name.' }) };
const announcedWords = 'A file that is announced, and then sent to a presigned URL.';
const inForm = 'A file that is sent as a form.';
documented(upload.body, {
  id: 'NewFileDocument',
  description: announcedWords,
  fields: { ...sentDocs, ...ofAssociationDocs },
});
documented(upload.form, {
  id: 'NewFileDocumentForm',
  description: inForm,
  fields: { ...formDocs, category: fileCategoryDocs, ...ofAssociationDocs },
});
documented(agencyUpload.body, {
  id: 'NewAgencyFileDocument',
  description: announcedWords,
  fields: { ...sentDocs, ...ofMarketDocs },
});
documented(agencyUpload.form, {
  id: 'NewAgencyFileDocumentForm',
  description: inForm,
  fields: { ...formDocs, category: fileCategoryDocs, ...ofMarketDocs },
});
documented(uploadV1.body, {
  id: 'NewFileDocumentV1',
  description: announcedWords,
  fields: { ...sentDocs, category: versionedCategoryDocs, contentType: pdfDocs, ...ofAssociationDocs },
});
documented(uploadV1.form, {
  id: 'NewFileDocumentFormV1',
  description: inForm,
  fields: { ...formDocs, category: versionedCategoryDocs, ...ofAssociationDocs },
});

const createFileDocument = {
  summary: 'Upload a file',
  description: `Uploads a file in one of two ways, with the same result:

- \`multipart/form-data\` contains the file itself, up to ${largestMultipartFile / MB} MB (of 2^20 bytes).
- JSON announces a file of up to ${largestFile / MB} MB. Send the bytes to the presigned URL in \`upload\` within one hour, with exactly the announced length and type. A file that is not uploaded expires after ${incomingDays} days.

\`Surplus Lines\` accepts PDF, DOC, DOCX, JPEG, and PNG, and each upload creates a new document. The other categories accept PDF, and another upload for the same association and category adds a version, up to ${mostVersions}; download links point to the last one. An announced file that no request has used yet is discarded by the next upload.

The type of a file is determined from its content. Content of another type returns 400: immediately for a form, and when the document is first used for a presigned URL. The header of a PDF may follow other bytes within the first ${latestPdfHeader.toLocaleString('en')}. A name that does not end with an extension of the file’s type gets one: a PDF called \`invoice.html\` is served as \`invoice.html.pdf\`. Names must not have slashes or control characters.

In production and the sandbox, every file is scanned for malware, which usually takes seconds. Until then it is \`scanning\`: downloading or attaching it returns 409 with \`Retry-After\`. Read the document every two seconds until it is \`available\`; in v1, ask for its download link. Lists show the status as of the last use. A file with malware, or one that cannot be scanned, such as a file with a password, is \`rejected\` and returns 409 from then on.`,
  examples: uploadExamples,
};

const getFileDocument = {
  summary: 'Get a file document',
  description: 'Returns the document with its versions, without a link.',
};

const getDownloadUrl = {
  summary: 'Get a download link',
  description:
    'Returns a link to the document’s last version, valid for at most one hour. A document without a version returns 400; one that is `scanning` or `rejected` returns 409 with the status in `details.actual`.',
};

export const docs = {
  description: 'Files and links to download them.',
  routes: {
    createFileDocument,
    createAgencyFileDocument: {
      ...createFileDocument,
      description: 'As “Upload a file” of carriers, for one of the organization’s markets or for none.',
      examples: agencyUploadExamples,
    },
    getFileDocument,
    getAgencyFileDocument: { ...getFileDocument },
    listAgencyFileDocuments: {
      summary: 'List documents',
      description:
        'Returns the organization’s documents, ordered by id. The documents of an entity are those uploaded for one of its markets.',
      query: agencyListQueryDocs,
    },
    getFileDocumentDownloadUrl: getDownloadUrl,
    getAgencyFileDocumentDownloadUrl: getDownloadUrl,
  },
} satisfies GroupDocs<typeof fileDocumentRoutes.routes>;
