import * as z from 'zod/mini';
import { ownPage } from '#domain/downstream-entities/stored.ts';
import {
  acceptedTypes,
  contentOf,
  type FileType,
  fileTypes,
  largestFile,
  largestMultipartFile,
  storedFileName,
} from '#domain/file-documents/content.ts';
import { servableVersion, unusableIssue } from '#domain/file-documents/first-use.ts';
import type { UploadedFileDocument } from '#domain/file-documents/resource.ts';
import {
  fileDocumentView,
  objectKeys,
  uploadEvents,
  versionedDocumentId,
} from '#domain/file-documents/stored.ts';
import { type FileCategory, marketIdOf, surplusLinesCategory } from '#domain/identifiers/identifiers.ts';
import { type ApiError, existing, invalid, invalidAt, tooLarge } from '#platform/contract/errors.ts';
import { textFault } from '#platform/contract/primitives.ts';
import type { Identity } from '#platform/contract/route.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { foundAt } from '#platform/errors/domain-error.ts';
import { type Operation, operationsOf } from '#platform/request/endpoint.ts';
import type { FormFile } from '#platform/request/form.ts';
import { fileDocumentRoutes, fileName as fileNameSchema } from './routes.ts';
import type { FileDocumentSources } from './store.ts';

/**
 * A document, with its upload checked.
 * @throws ApiError `not_found`; `validation_error` when it has no version because what was uploaded is something else
 */
async function read(
  { organizationId }: Identity,
  fileDocumentId: string,
  now: Date,
  { documents, firstUse }: FileDocumentSources,
) {
  const storedDocument = existing(await documents.find(organizationId, fileDocumentId));
  const { document, fault } = await firstUse(organizationId, storedDocument, now);
  if (fault === 'other content' && document.versions.length === 0) {
    throw invalid(unusableIssue(fault, 'fileDocumentId'));
  }
  return document;
}

/** Reads of file documents. */
export const fileDocumentReads = operationsOf(fileDocumentRoutes, (sources: FileDocumentSources) => ({
  /** @throws ApiError `not_found` for an unknown or foreign document. */
  async getAgencyFileDocument({ identity, params, now }) {
    return fileDocumentView(await read(identity, params.fileDocumentId, now, sources));
  },

  /**
   * @throws ApiError `not_found` for an unknown or foreign document; `validation_error` for one that still waits for its upload;
   * `conflict` for one that has not been found free of malware.
   */
  async getFileDocumentDownloadUrl({ identity, params, now }) {
    const document = await read(identity, params.fileDocumentId, now, sources);
    if (document.versions.length === 0) throw invalid(unusableIssue('awaiting upload', 'fileDocumentId'));
    return sources.objectStore.downloadLink(servableVersion(document), 'attachment', now);
  },

  /**
   * The caller's documents, a page at a time.
   * @throws ApiError `not_found` for an entity outside the organization.
   */
  async listAgencyFileDocuments(request) {
    const { items, total } = await ownPage(request, sources, sources.documents.page);
    return { items: items.map(fileDocumentView), total };
  },
}));

/** The error for a file that is too large for a form; it names the way to upload it. */
export const tooLargeForForm = (sizeInBytes: number): ApiError =>
  tooLarge('A form can carry a file of up to 4 MB.', {
    expected: `at most ${largestMultipartFile} bytes in a form, ${largestFile} at a presigned URL`,
    actual: `${sizeInBytes} bytes`,
    instead:
      'Send JSON {category, fileName, contentType, sizeInBytes} to the same path, and the bytes to the presigned URL in the answer.',
  });

/** The error for a file that is too large for any upload. */
const tooLargeFile = (sizeInBytes: number): ApiError =>
  tooLarge('A file can have up to 10 MB.', {
    expected: `at most ${largestFile} bytes`,
    actual: `${sizeInBytes} bytes`,
  });

const otherType = (path: string, category: FileCategory) => {
  const types = acceptedTypes(category);
  const names = types.map((type) => fileTypes[type]).join(', ');
  return invalid({
    path,
    message: `${category} accepts ${names}; the type is determined from the content`,
    accepted: types,
  });
};

/** A file in the form itself, whose type is known at once. */
async function checkedFile(
  file: FormFile,
  category: FileCategory,
): Promise<{ readonly fileName: string; readonly contentType: FileType; readonly sizeInBytes: number }> {
  const sizeInBytes = file.content.length;
  if (sizeInBytes === 0) throw invalidAt('file', 'is empty');
  if (sizeInBytes > largestMultipartFile) throw tooLargeForForm(sizeInBytes);
  const fileName = z.safeParse(fileNameSchema, file.name);
  const fault = textFault(file.name, false) ?? fileName.error?.issues[0]?.message;
  if (!fileName.success || fault !== undefined) throw invalidAt('file', `has a name that ${fault}`);
  const { type } = await contentOf(file.content, true);
  if (type === undefined || !acceptedTypes(category).includes(type)) throw otherType('file', category);
  return { fileName: storedFileName(fileName.data, type), contentType: type, sizeInBytes };
}

/**
 * Accepts a file in a form, or announces one and returns the URL that accepts it (OpenAPI, "createFileDocument").
 *
 * @throws ApiError `validation_error`, with 413 for a file that is too large for this upload; `not_found` for a relationship
 *   with an agency that is not the caller's; what `documents.add` throws.
 */
export const createUpload =
  (sources: FileDocumentSources): Operation<typeof fileDocumentRoutes.routes.createAgencyFileDocument> =>
  async ({ identity, body, now, recordResponse }) => {
    const { documents, events, logUpload, objectStore, relationshipAt, stillOwn } = sources;
    const { organizationId } = identity;
    const { category } = body;
    const market = marketIdOf(body);
    const downstreamEntityAssociationId = market?.id;
    const relationship = market && (await foundAt(market.path, relationshipAt(identity, market.id)));
    const isAgency = identity.category === 'downstreamEntity';
    const checks =
      isAgency && relationship !== undefined
        ? [stillOwn(organizationId, relationship.downstreamEntityId)]
        : [];
    // An agency's file is reported to the carrier of its market.
    const upstreamEntityId = isAgency ? relationship?.upstreamEntityId : organizationId;
    const document = {
      _id:
        category === surplusLinesCategory
          ? newObjectId(now)
          : versionedDocumentId(
              // The agency's next organization adds to the same document.
              isAgency ? (relationship?.downstreamEntityId ?? organizationId) : organizationId,
              category,
              downstreamEntityAssociationId,
            ),
      category,
      downstreamEntityAssociationId,
      ...(isAgency && relationship !== undefined
        ? { downstreamEntityId: relationship.downstreamEntityId }
        : {}),
      ...(upstreamEntityId === undefined ? {} : { upstreamEntityId }),
    };

    if ('file' in body) {
      const file = await checkedFile(body.file, category);
      const storeFile = async () => {
        const objectKey = objectKeys.file(document._id, now);
        await objectStore.put(objectKey, body.file.content, file.contentType);
        const scan = objectStore.scans
          ? { scan: (await objectStore.scanResult(objectKey)) ?? ('scanning' as const) }
          : {};
        return { version: { ...file, objectKey, uploadedAt: now.toISOString(), ...scan } };
      };
      const fileDocument = await documents.add(organizationId, document, storeFile, (after) => [
        ...checks,
        ...events(uploadEvents(after), now),
        ...recordResponse(fileDocumentView(after)),
      ]);
      logUpload(organizationId, file.sizeInBytes);
      return fileDocumentView(fileDocument);
    }

    const { contentType, sizeInBytes } = body;
    if (sizeInBytes > largestFile) throw tooLargeFile(sizeInBytes);
    if (!acceptedTypes(category).includes(contentType)) throw otherType('contentType', category);
    const objectKey = objectKeys.incoming(document._id, now);
    const upload = {
      method: 'PUT' as const,
      ...(await objectStore.uploadLink({ objectKey, contentType, sizeInBytes }, now)),
    };
    const fileName = storedFileName(body.fileName, contentType);
    const pending = { objectKey, fileName, contentType, sizeInBytes };
    const answer = (after: Parameters<typeof fileDocumentView>[0]): UploadedFileDocument => ({
      ...fileDocumentView(after),
      upload: { ...upload, headers: { ...upload.headers } },
    });
    const fileDocument = await documents.add(
      organizationId,
      document,
      async () => ({ pending }),
      (after) => [...checks, ...recordResponse(answer(after))],
    );
    logUpload(organizationId, sizeInBytes);
    return answer(fileDocument);
  };
