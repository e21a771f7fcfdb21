import { ownPage } from '#domain/downstream-entities/own-entities.ts';
import { servableVersion, unusableIssue } from '#domain/file-documents/first-use.ts';
import { fileDocumentView } from '#domain/file-documents/stored.ts';
import { existing, invalid } from '#platform/contract/errors.ts';
import type { Identity } from '#platform/identity/identity.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import { fileDocumentRoutes } from './routes.ts';
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
