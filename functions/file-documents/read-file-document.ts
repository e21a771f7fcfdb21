import { invalid, notFound } from '../../shared/contract/errors.ts';
import { entityFilter, type OwnEntity } from '../../shared/downstream-entities/own-entity.ts';
import { type FirstUse, unusableIssue } from '../../shared/file-documents/first-use.ts';
import type { ObjectStore } from '../../shared/file-documents/object-store.ts';
import { fileDocumentView, type StoredFileDocument } from '../../shared/file-documents/stored.ts';
import type { Operation } from '../../shared/request/operation.ts';
import type { fileDocumentRoutes } from './routes.ts';
import type { FileDocumentStore } from './store.ts';

type Routes = typeof fileDocumentRoutes.routes;

/** Finds a document, and checks its pending upload. */
interface Reading {
  readonly documents: FileDocumentStore;
  readonly firstUse: FirstUse;
}

/**
 * A document, with its upload checked.
 * @throws ApiError `not_found`; `validation_error` when it has no version because what was uploaded is something else
 */
async function read(owner: string, fileDocumentId: string, now: Date, { documents, firstUse }: Reading) {
  const found = await documents.find(owner, fileDocumentId);
  if (found === undefined) throw notFound();
  const { document, fault } = await firstUse(owner, found, now);
  if (fault === 'other content' && document.versions.length === 0) {
    throw invalid(unusableIssue(fault, 'fileDocumentId'));
  }
  return document;
}

/** @throws ApiError `not_found` for an unknown or foreign document. */
export const getFileDocument: Operation<Routes['getFileDocument'], Reading> = async (
  { identity, params, now },
  deps,
) => fileDocumentView(await read(identity.organizationId, params.fileDocumentId, now, deps));

/** @throws ApiError `not_found` for an unknown or foreign document; `validation_error` for one that still waits for its upload. */
export const getDownloadUrl: Operation<
  | Routes['getFileDocumentDownloadUrl']
  | Routes['getFileDocumentDownloadUrlV1']
  | Routes['getDocumentDownloadUrl'],
  Reading & { readonly objectStore: ObjectStore }
> = async ({ identity, params, now }, deps) => {
  const document = await read(identity.organizationId, params.fileDocumentId, now, deps);
  const last: StoredFileDocument['versions'][number] | undefined = document.versions.at(-1);
  if (last === undefined) throw invalid(unusableIssue('awaiting upload', 'fileDocumentId'));
  return deps.objectStore.downloadLink(last, 'attachment', now);
};

/**
 * The caller's documents, a page at a time.
 * @throws ApiError `not_found` for an entity outside the organization.
 */
export const listDocuments: Operation<
  Routes['listDocuments'],
  Pick<Reading, 'documents'> & { readonly ownEntity: OwnEntity }
> = async ({ identity, query }, { documents, ownEntity }) => {
  const [{ items, total }] = await Promise.all([
    documents.page(identity.organizationId, query.downstreamEntityId, query),
    entityFilter(ownEntity, identity.organizationId, query.downstreamEntityId),
  ]);
  return { items: items.map(fileDocumentView), total };
};
