import * as z from 'zod/mini';
import { longestFileName } from '../../shared/domain/file-documents/file-name.ts';
import {
  fileCategory,
  fileType,
  versionedCategories,
  versionedCategoryMeanings,
} from '../../shared/domain/file-documents/file-types.ts';
import {
  fileDocument,
  fileDownload,
  uploadedFileDocument,
} from '../../shared/domain/file-documents/resource.ts';
import { agencyListQuery } from '../../shared/platform/contract/agency-list.ts';
import { described, describedShape } from '../../shared/platform/contract/described.ts';
import { formFile } from '../../shared/platform/contract/form-file.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { objectId } from '../../shared/platform/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';
import { uploadExamples } from './upload-examples.ts';

const upstream = { kind: 'upstream', feature: 'documents' } as const;
const downstream = { kind: 'downstream', feature: 'documents' } as const;

/**
 * A name that can be displayed and saved anywhere: no path; and only characters that any text may have (`textFault`), since one
 * that reverses the writing direction would disguise the extension.
 */
export const fileName = described(
  z
    .string()
    .check(
      z.refine(
        (name) => name !== '' && Array.from(name).length <= longestFileName && !/[/\\]/.test(name),
        `must be 1 to ${longestFileName} characters without slashes`,
      ),
    ),
  DOCUMENTED && {
    minLength: 1,
    maxLength: longestFileName,
    description: `Name of the file, without slashes, control characters, or invisible ones. An extension of its type is added if it has none; the result is cut to ${longestFileName} characters.`,
    examples: ['certificate.pdf'],
  },
);

const ofAssociation = lazily(() =>
  describedShape(
    { downstreamEntityAssociationId: z.optional(objectId) },
    DOCUMENTED && {
      downstreamEntityAssociationId:
        'Id of an association of the caller: for a carrier its association with an agency, for an agency its market.',
    },
  ),
);

/** Both ways of uploading; v1 accepts fewer categories and one type. */
const uploadOf = <Category extends z.core.$ZodType, Type extends z.core.$ZodEnum>(
  category: Category,
  contentType: Type,
) => ({
  body: z.strictObject({
    category,
    fileName,
    contentType,
    ...describedShape(
      { sizeInBytes: z.int().check(z.gte(1)) },
      DOCUMENTED && {
        sizeInBytes: { description: 'Exact length of the file, up to 10,485,760.', examples: [48_213] },
      },
    ),
    ...ofAssociation(),
  }),
  form: z.strictObject({ file: formFile, category, ...ofAssociation() }),
  fileTypes: Object.values(contentType._zod.def.entries).map(String),
});

const versionedCategory = described(
  z.enum(versionedCategories),
  DOCUMENTED && { description: 'What the file is for.', values: versionedCategoryMeanings },
);

const pdf = described(
  z.enum(['application/pdf']),
  DOCUMENTED && {
    description: 'Media type, which the content must match.',
    values: { 'application/pdf': 'PDF' },
  },
);

const uploadDescription = `There are two ways to upload a file, with the same result:

- \`multipart/form-data\` contains the file itself, up to 4 MB (4 x 2^20 bytes).
- JSON announces a file of up to 10 MB (10 x 2^20 bytes). Send the bytes to the presigned URL in \`upload\` within one hour, with exactly the announced length and type. A file that is announced but not uploaded expires after 7 days.

The type of a file is determined from its content, not its name. Content of another type returns 400: immediately for a form, and when the document is first used for a presigned URL. A DOC file is a compound file that holds a Word document. File names must not have slashes or control characters. A name that does not end with an extension of the file’s type (\`.pdf\`, \`.doc\`, \`.docx\`, \`.jpg\` or \`.jpeg\`, \`.png\`, in any case) gets one: a PDF called \`invoice.html\` is stored and served as \`invoice.html.pdf\`.

An association or market that is unknown, or belongs to another organization, returns 404.

In production and the sandbox, every file is scanned for malware, which usually takes seconds: immediately after a form, and for a presigned URL when the document is first used. Until its scan is finished a file is \`scanning\`: it cannot be downloaded or attached, and both return 409 \`conflict\` with \`Retry-After\`. After an upload, read the document every two seconds until its \`status\` is \`available\`, and then download or attach it. Reading, downloading, or attaching the document updates its status; lists show the status as of then. A file with malware, or one that cannot be scanned, such as a file with a password, is \`rejected\` and returns 409 from then on: upload another one.`;

const oneOfVersions =
  'Another upload for the same association and category adds a version to the document; download links are to the last version. The order of the requests to this API counts, not when bytes arrive: an announced file that has not become a version yet, because the document was not used since, is discarded by the next upload or announcement, even if its bytes are sent later.';

const createFileDocument = {
  method: 'POST',
  path: '/v2/upstream/file-documents',
  access: upstream,
  summary: DOCUMENTED && 'Upload a file',
  description:
    DOCUMENTED &&
    `${uploadDescription}\n\n\`Surplus Lines\` accepts PDF, DOC, DOCX, JPEG, and PNG, and each upload creates a new document. The other categories accept PDF. ${oneOfVersions}`,
  success:
    DOCUMENTED &&
    'The file is stored as a document or as a version of one, or was announced: then send the bytes to `upload`.',
  ...uploadOf(fileCategory, fileType),
  answer: { status: 201, one: uploadedFileDocument, examples: DOCUMENTED && uploadExamples() },
  errors: ['not_found', 'transient_transaction_error'],
} as const satisfies Route;

const getDownloadUrl = {
  method: 'GET',
  path: '/v2/upstream/file-documents/{fileDocumentId}/download-url',
  access: upstream,
  rate: 'download',
  summary: DOCUMENTED && 'Get a download link',
  description:
    DOCUMENTED &&
    'Returns a link to the document’s last version, valid for at most one hour. If an announced version is never uploaded, or has different content, the link is still to the last version. A document that has no version yet returns 400. A last version that is `scanning` or `rejected` returns 409 `conflict`, with the status in `details.actual`.',
  success: DOCUMENTED && 'A new link to the last version of the document.',
  answer: { status: 200, one: fileDownload },
  errors: ['conflict', 'transient_transaction_error'],
} as const satisfies Route;

export const fileDocumentRoutes = routeGroup(
  'file-documents',
  DOCUMENTED && 'Files and links to download them.',
  {
    createFileDocument,
    createFileDocumentV1: v1(createFileDocument, {
      description: DOCUMENTED && `${uploadDescription}\n\nEvery category accepts PDF. ${oneOfVersions}`,
      ...uploadOf(versionedCategory, pdf),
    }),
    createDocument: { ...createFileDocument, path: '/v2/downstream/documents', access: downstream },
    getFileDocument: {
      method: 'GET',
      path: '/v2/upstream/file-documents/{fileDocumentId}',
      access: upstream,
      summary: DOCUMENTED && 'Get a file document',
      description: DOCUMENTED && 'Returns the document with its versions, without a link.',
      success: DOCUMENTED && 'The document with its versions.',
      answer: { status: 200, one: fileDocument },
      errors: ['transient_transaction_error'],
    },
    listDocuments: {
      method: 'GET',
      path: '/v2/downstream/documents',
      access: downstream,
      summary: DOCUMENTED && 'List documents',
      description:
        DOCUMENTED &&
        'Returns the organization’s documents, ordered by id. The documents of an entity are those uploaded for one of its markets.',
      success: DOCUMENTED && 'The documents on this page.',
      query: agencyListQuery,
      answer: { status: 200, page: fileDocument, as: 'items' },
      errors: ['not_found'],
    },
    getFileDocumentDownloadUrl: getDownloadUrl,
    getFileDocumentDownloadUrlV1: v1(getDownloadUrl),
    getDocumentDownloadUrl: {
      ...getDownloadUrl,
      path: '/v2/downstream/documents/{fileDocumentId}/download-url',
      access: downstream,
      rate: 'none',
    },
  },
);
