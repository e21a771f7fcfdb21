import * as z from 'zod/mini';
import { formFile } from '../../shared/contract/form-file.ts';
import { objectId, pageQuery } from '../../shared/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import {
  fileCategories,
  fileDocument,
  fileDownload,
  fileTypeNames,
  uploadedFileDocument,
  versionedCategories,
} from '../../shared/resources/file-document.ts';

const upstream = { kind: 'upstream', feature: 'documents' } as const;
const downstream = { kind: 'downstream', feature: 'documents' } as const;

/**
 * A name that can be shown and saved anywhere: no path, no control character, no half of a surrogate pair, and nothing
 * that turns the direction of writing around, which would show another ending than the name has.
 */
export const fileName = z
  .string()
  .check(
    z.regex(
      /^[^\p{Cc}\p{Cs}/\\\u202A-\u202E\u2066-\u2069]{1,255}$/u,
      'must be 1 to 255 characters without slashes and control characters',
    ),
  )
  .register(z.globalRegistry, {
    pattern: undefined,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the file; no slashes and control characters.',
    examples: ['certificate.pdf'],
  });

const sizeInBytes = z
  .int()
  .check(z.gte(1))
  .register(z.globalRegistry, {
    description: 'Exact length of the file in bytes, up to 10,485,760.',
    examples: [48_213],
  });

const downstreamEntityAssociationId = z.optional(objectId).register(z.globalRegistry, {
  description: 'A relationship of the caller’s: an association of a carrier’s, or a market of an agency’s.',
});

const category = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names).register(z.globalRegistry, { description: 'What the file is for.', examples: [names[0]] });

const contentType = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names).register(z.globalRegistry, {
    description: 'Media type; the content must be of it.',
    examples: [names[0]],
  });

/** Both ways of uploading; v1 knows fewer categories and one type. */
const uploadOf = <
  const Categories extends readonly [string, ...string[]],
  const Types extends readonly [string, ...string[]],
>(
  categories: Categories,
  types: Types,
) => ({
  body: z.strictObject({
    category: category(categories),
    fileName,
    contentType: contentType(types),
    sizeInBytes,
    downstreamEntityAssociationId,
  }),
  form: z.strictObject({
    file: formFile,
    category: category(categories),
    downstreamEntityAssociationId,
  }),
});

const uploadDescription = [
  'Two ways, one result. `multipart/form-data` carries the file itself, up to 4 MB (4 x 2^20 bytes).',
  'JSON announces a file of up to 10 MB (10 x 2^20 bytes): the answer’s `upload` is a presigned address to which the bytes are sent, of exactly that length and type, within the hour. Without an upload in seven days the announcement lapses.',
  'What a file is, is decided by its content, not its name: another content is refused with 400, in a form at once and at a presigned address when the document is first used.',
].join('\n\n');

const oneOfVersions =
  'A repeat for the same association and category adds a version to the document, and the last version is served.';

const createFileDocument = {
  method: 'POST',
  path: '/v2/upstream/file-documents',
  access: upstream,
  rate: 'write',
  summary: 'Upload a file',
  description: `${uploadDescription}\n\n\`Surplus Lines\` takes PDF, DOC, DOCX, JPEG and PNG, and each upload makes a new document. The other categories take PDF. ${oneOfVersions}`,
  ...uploadOf(fileCategories, fileTypeNames),
  answer: { status: 201, one: uploadedFileDocument },
  errors: ['not_found', 'transient_transaction_error'],
} as const satisfies Route;

const getDownloadUrl = {
  method: 'GET',
  path: '/v2/upstream/file-documents/{fileDocumentId}/download-url',
  access: upstream,
  rate: 'download',
  summary: 'Get a download link',
  description:
    'A link to the document’s last version, good for at most one hour. A document that still awaits its upload answers 400.',
  answer: { status: 200, one: fileDownload },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

/** Specification, "Upstream: file documents", and their downstream twins. */
export const fileDocumentRoutes = routeGroup('file-documents', 'Files, and links to download them.', {
  createFileDocument,
  createFileDocumentV1: {
    ...createFileDocument,
    path: '/v1/file-documents',
    description: `${uploadDescription}\n\nEvery category takes PDF. ${oneOfVersions}`,
    ...uploadOf(versionedCategories, ['application/pdf']),
  },
  createDocument: { ...createFileDocument, path: '/v2/downstream/documents', access: downstream },
  getFileDocument: {
    method: 'GET',
    path: '/v2/upstream/file-documents/{fileDocumentId}',
    access: upstream,
    rate: 'none',
    summary: 'Get a file document',
    description: 'The document with its versions, without a link.',
    answer: { status: 200, one: fileDocument },
    errors: ['transient_transaction_error'],
  },
  listDocuments: {
    method: 'GET',
    path: '/v2/downstream/documents',
    access: downstream,
    rate: 'none',
    summary: 'List documents',
    description:
      'The organization’s documents by id; an entity’s are those that were uploaded for one of its markets.',
    query: {
      ...pageQuery,
      downstreamEntityId: z.optional(objectId).register(z.globalRegistry, {
        description: 'What belongs to that entity; 404 for one outside the organization.',
      }),
    },
    answer: { status: 200, page: fileDocument, as: 'items' },
    errors: ['not_found'],
  },
  getFileDocumentDownloadUrl: getDownloadUrl,
  getFileDocumentDownloadUrlV1: {
    ...getDownloadUrl,
    path: '/v1/file-documents/{fileDocumentId}/download-url',
  },
  getDocumentDownloadUrl: {
    ...getDownloadUrl,
    path: '/v2/downstream/documents/{fileDocumentId}/download-url',
    access: downstream,
    rate: 'none',
  },
});
