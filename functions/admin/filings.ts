import { storedFileName } from '#domain/file-documents/content.ts';
import type { AttachableFiles } from '#domain/file-documents/first-use.ts';
import type { ObjectStore } from '#domain/file-documents/object-store.ts';
import {
  fileDocumentItem,
  objectKeys,
  type PendingUpload,
  type StoredFileDocument,
} from '#domain/file-documents/stored.ts';
import type { artifactTypes, FilingStatus } from '#domain/filings/resource.ts';
import type { FilingStore } from '#domain/filings/store.ts';
import {
  nextStatuses,
  type StoredEscalation,
  type StoredFiling,
  type StoredMessage,
} from '#domain/filings/stored.ts';
import {
  type ChecklistItemKey,
  checklistItem,
  type Filing,
  type FoundFiling,
  filingSummaryOf,
  filingView,
  type LinkFile,
  withChecklistItem,
} from '#domain/filings/view.ts';
import { surplusLinesCategory } from '#domain/identifiers/identifiers.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { isNew } from '#platform/data/expressions.ts';
import { newObjectId } from '#platform/data/keys.ts';
import type { Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';

/** A checklist item of a filing. */
interface FilingItemKey extends ChecklistItemKey {
  readonly filingId: string;
}

interface FilingAdministrationDeps {
  readonly filings: FilingStore;
  readonly files: AttachableFiles;
  readonly link: LinkFile;
  readonly now: () => Date;
}

/** The change that a command makes to a filing. */
interface Change {
  readonly filing: StoredFiling;
  readonly messages?: readonly StoredMessage[];
  readonly furtherItems?: readonly TransactionItem[];
}

const stateConflict = (message: string) => new DomainError('state_conflict', { message });

/** Operators' changes of filings; every command returns the filing as its customer then sees it. */
export function createFilingAdministration({ filings, files, link, now }: FilingAdministrationDeps) {
  const read = async (filingId: string): Promise<FoundFiling> => {
    const foundFiling = await filings.findById(filingId);
    if (foundFiling === undefined || foundFiling.filing.isDeleted === true)
      throw new DomainError('not_found');
    return foundFiling;
  };

  /**
   * Applies a change, decided again whenever another writer comes first.
   * @throws DomainError `state_conflict` where the customer would have to reply to a closed filing; what `decide` throws.
   */
  const change = async (
    filingId: string,
    decide: (filing: StoredFiling, time: Date) => Change | Promise<Change>,
  ): Promise<Filing> => {
    await retryOnConflict(async () => {
      const foundFiling = await read(filingId);
      const time = now();
      const { filing, messages = [], furtherItems = [] } = await decide(foundFiling.filing, time);
      if (isStuck(filing) && !isStuck(foundFiling.filing))
        throw stateConflict('An escalation waits for the customer, who cannot reply to a closed filing.');
      await filings.save(
        foundFiling,
        { filing: { ...filing, updatedAt: time.toISOString() }, messages },
        furtherItems,
      );
    });
    return filingView(await read(filingId), link);
  };

  /** Changes an item's escalation and adds the service's message, if there is one. */
  const changeEscalation = (
    { filingId, ...itemKey }: FilingItemKey,
    body: string | undefined,
    decide: (escalation: StoredEscalation | null, timestamp: string) => StoredEscalation,
  ): Promise<Filing> =>
    change(filingId, (filing, time) => {
      const sentAt = time.toISOString();
      const item = checklistItem(filing, itemKey)?.item;
      if (item === undefined) throw invalidAt('sourceTaskId', 'is not on the checklist in that category');
      const changedFiling = withChecklistItem(filing, itemKey, {
        ...item,
        escalation: decide(item.escalation, sentAt),
      });
      const message = {
        ...itemKey,
        _id: newObjectId(time),
        authorType: 'service' as const,
        attachments: [],
        sentAt,
      };
      return { filing: changedFiling, messages: body === undefined ? [] : [{ ...message, body }] };
    });

  return {
    /** @throws DomainError `not_found`; `state_conflict` when the filing's status does not allow the transition. */
    setStatus: (filingId: string, status: FilingStatus) =>
      change(filingId, (filing) => ({ filing: withStatus(filing, status) })),

    /** Asks the customer; @throws DomainError `not_found`; `state_conflict` when the item has an open escalation. */
    openEscalation: (
      item: FilingItemKey,
      body: string | undefined,
      category: StoredEscalation['category'] | undefined,
    ) =>
      changeEscalation(item, body, (escalation, timestamp) => {
        if (escalation !== null && escalation.status !== 'resolved') {
          throw stateConflict('The checklist item has an open escalation.');
        }
        if (category !== undefined && escalation !== null && escalation.category !== category) {
          throw stateConflict(`The escalation is ${escalation.category} and cannot be changed.`);
        }
        return {
          category: escalation?.category ?? category ?? 'public',
          status: 'waiting customer input',
          openedAt: timestamp,
          resolvedAt: null,
        };
      }),

    /** @throws DomainError `not_found`; `state_conflict` when the item has no open escalation. */
    resolveEscalation: (item: FilingItemKey, body: string | undefined) =>
      changeEscalation(item, body, (escalation, timestamp) => ({
        ...open(escalation),
        status: 'resolved',
        resolvedAt: timestamp,
      })),

    /** Adds a message for the customer; @throws DomainError `not_found`; `state_conflict` when the item has no open escalation. */
    messageEscalation: (item: FilingItemKey, body: string) =>
      changeEscalation(item, body, (escalation) => ({
        ...open(escalation),
        status: 'waiting customer input',
      })),

    /** The organization that the files of a filing belong to. @throws DomainError `not_found`. */
    ownerOf: async (filingId: string) => (await read(filingId)).filing.upstreamEntityId,

    /** @throws DomainError `not_found` for an unknown filing or file, or a file that is attached to another filing. */
    addCompletionArtifact: (filingId: string, type: (typeof artifactTypes)[number], fileDocumentId: string) =>
      change(filingId, async (filing, time) => {
        const owner = filing.upstreamEntityId;
        const [file] = await files.read(owner, [fileDocumentId]);
        if (file === undefined || file.usedBy !== undefined) throw new DomainError('not_found');
        const artifact = {
          type,
          fileDocumentId,
          objectKey: file.objectKey,
          fileName: file.fileName,
          contentType: file.contentType,
          uploadedByType: 'admin' as const,
          uploadedAt: time.toISOString(),
        };
        return {
          filing: { ...filing, completionArtifacts: [...filing.completionArtifacts, artifact] },
          furtherItems: [files.use(owner, fileDocumentId, filingId)],
        };
      }),
  };
}

/** Whether a filing waits for a reply that it does not take. */
const isStuck = (filing: StoredFiling): boolean =>
  nextStatuses(filing).length === 0 && filingSummaryOf(filing).actionRequired;

/** A filing with another status. @throws DomainError `state_conflict` when its own does not allow the transition. */
function withStatus(filing: StoredFiling, status: FilingStatus): StoredFiling {
  const next = nextStatuses(filing);
  if (!next.includes(status)) {
    const acceptedStatuses = next.length === 0 ? 'nowhere' : `to ${next.join(', ')}`;
    throw stateConflict(`A filing that is ${filing.status} can move ${acceptedStatuses}, not to ${status}.`);
  }
  if (status === 'completed' && filing.completionArtifacts.length === 0) {
    throw stateConflict('A filing needs an artifact before it can be completed.');
  }
  const { heldFrom: _, ...rest } = filing;
  const holdFields = status === 'on hold' ? { heldFrom: filing.status } : {};
  return { ...rest, ...holdFields, status };
}

/** @throws DomainError `state_conflict` when there is none, or it is resolved. */
function open(escalation: StoredEscalation | null): StoredEscalation {
  if (escalation === null) throw stateConflict('The checklist item has no escalation.');
  if (escalation.status === 'resolved') throw stateConflict('The escalation is resolved.');
  return escalation;
}

/**
 * Creates a file document with a pending upload, and the URL that accepts the file. A function's payload is at most 6 MB, so an
 * operator's file is uploaded like a customer's large one.
 */
export const createAnnounceFile =
  (fileDocuments: Table, objectStore: ObjectStore, now: () => Date) =>
  async (owner: string, file: Omit<PendingUpload, 'objectKey'>) => {
    const time = now();
    const fileDocumentId = newObjectId(time);
    const pending = {
      ...file,
      fileName: storedFileName(file.fileName, file.contentType),
      objectKey: objectKeys.incoming(fileDocumentId, time),
    };
    const document: StoredFileDocument = {
      _id: fileDocumentId,
      category: surplusLinesCategory,
      versions: [],
      pending,
    };
    const isPut = await fileDocuments.put(fileDocumentItem(owner, document), isNew);
    if (!isPut) throw new Error(`There is a file document ${fileDocumentId} already.`);
    return { fileDocumentId, upload: await objectStore.uploadLink(pending, time) };
  };
