import * as z from 'zod/mini';
import { fileType, longestFileName } from '#domain/file-documents/content.ts';
import {
  agencyFileDocument,
  fileDocument,
  fileDownload,
  uploadedAgencyFileDocument,
  uploadedFileDocument,
} from '#domain/file-documents/resource.ts';
import { fileCategory, marketIds, versionedCategories } from '#domain/identifiers/identifiers.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { agencyList, getOne, type Route, routeGroup, v1 } from '#platform/contract/route.ts';
import { formFile } from '#platform/request/form.ts';

const upstream = { kind: 'upstream', feature: 'documents' } as const;
const downstream = { kind: 'downstream', feature: 'documents' } as const;

/**
 * A name that can be displayed and saved anywhere: no path; and only characters that any text may have (`textFault`), since one
 * that reverses the writing direction would disguise the extension.
 */
export const fileName = z
  .string()
  .check(
    z.refine(
      (name) => name !== '' && Array.from(name).length <= longestFileName && !/[/\\]/.test(name),
      `must be 1 to ${longestFileName} characters without slashes`,
    ),
  );

export const ofAssociation = z.object({ downstreamEntityAssociationId: z.optional(objectId) });

/** Both ways of uploading; v1 accepts fewer categories and one type. */
const uploadOf = <
  Category extends z.core.$ZodType,
  Type extends string,
  Relationship extends typeof ofAssociation | typeof marketIds,
>(
  category: Category,
  contentType: z.ZodMiniEnum<{ [One in Type]: One }>,
  relationship: Relationship,
) => ({
  body: z.strictObject({
    category,
    fileName,
    contentType,
    sizeInBytes: z.int().check(z.gte(1)),
    ...(relationship.shape as Relationship['shape']),
  }),
  form: z.strictObject({ file: formFile, category, ...(relationship.shape as Relationship['shape']) }),
  fileTypes: contentType.options,
});

export const versionedCategory = z.enum(versionedCategories);

export const pdf = z.enum(['application/pdf']);

const createFileDocument = {
  method: 'POST',
  path: '/v2/upstream/file-documents',
  access: upstream,
  ...uploadOf(fileCategory, fileType, ofAssociation),
  answer: { status: 201, one: uploadedFileDocument },
  errors: ['not_found', 'transient_transaction_error'],
} as const satisfies Route;

const getDownloadUrl = {
  ...getOne('/v2/upstream/file-documents/{fileDocumentId}/download-url', upstream, fileDownload),
  rate: 'download',
  errors: ['conflict', 'transient_transaction_error'],
} as const satisfies Route;

const getFileDocument = {
  ...getOne('/v2/upstream/file-documents/{fileDocumentId}', upstream, fileDocument),
  errors: ['transient_transaction_error'],
} as const satisfies Route;

export const fileDocumentRoutes = routeGroup('file-documents', {
  createFileDocument,
  createFileDocumentV1: v1(createFileDocument, uploadOf(versionedCategory, pdf, ofAssociation)),
  createAgencyFileDocument: {
    ...createFileDocument,
    path: '/v2/downstream/documents',
    access: downstream,
    ...uploadOf(fileCategory, fileType, marketIds),
    answer: { status: 201, one: uploadedAgencyFileDocument },
  },
  getFileDocument,
  getAgencyFileDocument: {
    ...getFileDocument,
    path: '/v2/downstream/documents/{fileDocumentId}',
    access: downstream,
    answer: { status: 200, one: agencyFileDocument },
  },
  listAgencyFileDocuments: agencyList('/v2/downstream/documents', downstream, agencyFileDocument),
  getFileDocumentDownloadUrl: getDownloadUrl,
  getFileDocumentDownloadUrlV1: v1(getDownloadUrl),
  getAgencyFileDocumentDownloadUrl: {
    ...getDownloadUrl,
    path: '/v2/downstream/documents/{fileDocumentId}/download-url',
    access: downstream,
    rate: 'none',
  },
});
