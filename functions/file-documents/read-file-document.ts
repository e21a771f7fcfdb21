import { ownPage } from '#domain/downstream-entities/own-entities.ts';
import { servableVersion, unusableIssue } from '#domain/file-documents/first-use.ts';
import { fileDocumentView } from '#domain/file-documents/stored.ts';
import { existing, invalid } from '#platform/contract/errors.ts';
import type { Identity } from '#platform/identity/identity.ts';
import type { Deps, FileDocumentOperation } from './function.ts';

/**
 * A document, with its upload checked.
 * @throws ApiError `not_found`; `validation_error` when it has no version because what was uploaded is something else
 */
async function read(
  { organizationId }: Identity,
  fileDocumentId: string,
  now: Date,
  { documents, firstUse }: Deps,
) {
  const storedDocument = existing(await documents.find(organizationId, fileDocumentId));
  const { document, fault } = await firstUse(organizationId, storedDocument, now);
  if (fault === 'other content' && document.versions.length === 0) {
    throw invalid(unusableIssue(fault, 'fileDocumentId'));
  }
  return document;
}

/** @throws ApiError `not_found` for an unknown or foreign document. */
export const getFileDocument: FileDocumentOperation<'getAgencyFileDocument'> = async (
  { identity, params, now },
  deps,
) => fileDocumentView(await read(identity, params.fileDocumentId, now, deps));

/**
 * @throws ApiError `not_found` for an unknown or foreign document; `validation_error` for one that still waits for its upload;
 * `conflict` for one that has not been found free of malware.
 */
export const getFileDocumentDownloadUrl: FileDocumentOperation<
  'getFileDocumentDownloadUrl' | 'getFileDocumentDownloadUrlV1' | 'getAgencyFileDocumentDownloadUrl'
> = async ({ identity, params, now }, deps) => {
  const document = await read(identity, params.fileDocumentId, now, deps);
  if (document.versions.length === 0) throw invalid(unusableIssue('awaiting upload', 'fileDocumentId'));
  return deps.objectStore.downloadLink(servableVersion(document), 'attachment', now);
};

/**
 * The caller's documents, a page at a time.
 * @throws ApiError `not_found` for an entity outside the organization.
 */
export const listAgencyFileDocuments: FileDocumentOperation<'listAgencyFileDocuments'> = async (
  request,
  deps,
) => {
  const { items, total } = await ownPage(request, deps, deps.documents.page);
  return { items: items.map(fileDocumentView), total };
};
