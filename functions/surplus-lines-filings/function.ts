import { createOwnEntities, ownPage } from '#domain/downstream-entities/stored.ts';
import {
  type AttachableFile,
  createAttachableFiles,
  type FilePath,
  fileLinks,
  fileListPath,
  noSuchFiles,
  usedFile,
} from '#domain/file-documents/first-use.ts';
import { lambdaObjectStore } from '#domain/file-documents/lambda-object-store.ts';
import type { ObjectStore } from '#domain/file-documents/object-store.ts';
import { createUploadEventItems } from '#domain/file-documents/stored.ts';
import { filingKeys, filingPartitions } from '#domain/filings/keys.ts';
import {
  type FilingSummary,
  filingSummary,
  type StoredFilingEntry,
  storedFilingEntry,
} from '#domain/filings/resource.ts';
import {
  createFilingStore,
  type FilingChange,
  type FilingStore,
  type Persona,
} from '#domain/filings/store.ts';
import { nextStatuses, type StoredFiling, type StoredMessage, storedFiling } from '#domain/filings/stored.ts';
import {
  type Filing,
  type FoundFiling,
  filingSummaryOf,
  filingView,
  type LinkFile,
  noSuchItem,
  visibleItem,
  withChecklistItem,
} from '#domain/filings/view.ts';
import { apiFunction } from '#function/api-function.ts';
import type { Resources } from '#function/function.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { createUnlessRestored, itemsChangedSince, tombstone } from '#platform/changes/change-index.ts';
import { existing, invalidAt } from '#platform/contract/errors.ts';
import {
  type AppliedQuery,
  changesSince,
  type DeletedRecord,
  type updatedSinceQuery,
} from '#platform/contract/list-queries.ts';
import type { Identity } from '#platform/contract/route.ts';
import { chunks } from '#platform/data/concurrently.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { anyItem, parseStored } from '#platform/data/stored.ts';
import type { IndexPartition, PageOf, Table } from '#platform/data/table.ts';
import { retryOnConflict } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import { type ApiRequest, operationsOf } from '#platform/request/endpoint.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { surplusLinesFilingRoutes } from './routes.ts';
import { uses } from './uses.ts';

/** Filters of a filing list, which combine, and the index of each. */
const filterIndexes = {
  status: 'by-status',
  stateCode: 'by-state',
  policyNumber: 'by-policy-number',
  externalReference: 'by-reference',
  actionRequired: 'by-action',
  downstreamEntityId: 'by-entity',
} as const satisfies { readonly [Field in keyof StoredFilingEntry]?: string };

type FilterName = keyof typeof filterIndexes;

const filterNames = Object.keys(filterIndexes) as FilterName[];

type FilingFilters = {
  readonly [Name in FilterName]?: NonNullable<StoredFilingEntry[Name]> | undefined;
};

/** Entries read at once without filters; half a database page, as in a policy list. */
const entriesAtOnce = 500;

type FilingPartition = IndexPartition<'by-owner' | (typeof filterIndexes)[FilterName]>;

/** The index partition of every filter that is given. */
const partitionsOf = (owner: string, filters: FilingFilters): FilingPartition[] =>
  filterNames.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    return [{ index: filterIndexes[name], value: filingPartitions.ofFilter(owner, value) }];
  });

/** Indexes lag: an entry may have changed since it was found, and must not appear under its old filter. */
const matches = (entry: StoredFilingEntry, filters: FilingFilters): boolean =>
  filterNames.every((name) => filters[name] === undefined || filters[name] === entry[name]);

/** An organization's filings as lists show them, in the order of ids. */
function createFilingLists(table: Table<FilingPartition['index'] | 'by-change'>) {
  const summariesOf = (entries: readonly StoredFilingEntry[], filters: FilingFilters): FilingSummary[] =>
    entries
      .filter((entry) => matches(entry, filters))
      .map(({ downstreamEntityId: _, ...summary }) => summary);

  return {
    /** Every filing that matches, page by page. */
    async *wholeList<Query extends FilingFilters>(
      owner: string,
      filters: AppliedQuery<Query, FilterName | keyof typeof updatedSinceQuery.shape>,
    ): AsyncIterable<FilingSummary[]> {
      const partitions = partitionsOf(owner, filters);
      if (partitions.length > 0) {
        for await (const keys of table.keys(...partitions)) {
          // One batch, so that the first entries are sent before the last ones are read.
          for (const batch of chunks(keys, { count: batchGetKeys })) {
            yield summariesOf(await table.getInOrder(storedFilingEntry, batch), filters);
          }
        }
        return;
      }
      const { pk } = filingKeys.listEntry(owner, '');
      yield* table.query(filingSummary, pk, { limit: entriesAtOnce });
    },

    /** The filings that changed at a time (`toISOString`) or later, deleted ones too, one database page at a time. */
    async *itemsChangedSince(owner: string, since: string): AsyncIterable<(FilingSummary | DeletedRecord)[]> {
      for await (const keys of itemsChangedSince(table, owner, since)) {
        const items = await table.getInOrder(anyItem, keys);
        yield items.map((item) => {
          const filing = parseStored(storedFiling, item);
          return filing.isDeleted === true ? tombstone(item) : filingSummaryOf(filing);
        });
      }
    },

    /** A page of an agency's filings that match, and how many match in all. */
    async page<Query extends FilingFilters>(
      owner: string,
      filters: AppliedQuery<Query, FilterName>,
      page: PageOf,
    ) {
      const filterPartitions = partitionsOf(owner, filters);
      const wholeList: FilingPartition = { index: 'by-owner', value: filingPartitions.all(owner) };
      const partitions = filterPartitions.length > 0 ? filterPartitions : [wholeList];
      const { items, total } = await table.itemPage(storedFilingEntry, partitions, page);
      return { items: summariesOf(items, filters), total };
    },
  };
}

/** What the operations of filings work with. */
const createFilingSources = ({
  tables,
  objectStore,
  context: { now },
}: Resources<typeof uses, { readonly objectStore: ObjectStore }>) => ({
  filings: createFilingStore(tables.filings, now),
  unlessRestored: createUnlessRestored([tables.filings]),
  lists: createFilingLists(tables.filings),
  files: createAttachableFiles(
    tables.fileDocuments,
    objectStore,
    createUploadEventItems(tables.outbox.items),
  ),
  objectStore,
  ...createOwnEntities(tables.downstreamEntities),
});

type FilingSources = ReturnType<typeof createFilingSources>;

const personaOf = ({ category }: Identity): Persona =>
  category === 'downstreamEntity' ? 'downstream' : 'upstream';

/**
 * A filing of the caller, of a carrier or of the organization of the filing's agency.
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted one.
 */
const ownFiling = async (
  filings: FilingStore,
  identity: Identity,
  filingId: string,
  options?: { readonly latest: boolean },
): Promise<FoundFiling> =>
  existing(await filings.find(personaOf(identity), identity.organizationId, filingId, options));

const linkFiles =
  (objectStore: ObjectStore, now: Date): LinkFile =>
  (file) =>
    fileLinks(objectStore, file, now);

/** Reads of filings. */
const filingReads = operationsOf(surplusLinesFilingRoutes, (sources: FilingSources) => ({
  /**
   * Every filing of the carrier that matches the filters, or what has changed since a time.
   * @throws ApiError `validation_error`, as `changesSince` and for a time before a restore.
   */
  listFilings({ identity: { organizationId }, query, now }) {
    const since = changesSince(query, now);
    return since === undefined
      ? sources.lists.wholeList(organizationId, query)
      : sources.unlessRestored(since, sources.lists.itemsChangedSince(organizationId, since));
  },

  /**
   * A page of the agency's filings that match the filters.
   * @throws ApiError `not_found` for an entity outside the organization.
   */
  listAgencyFilings(request) {
    return ownPage(request, sources, (owner, _entity, { page, limit, ...filters }) =>
      sources.lists.page(owner, filters, { page, limit }),
    );
  },

  /** @throws ApiError `not_found` for an unknown, foreign or soft-deleted filing. */
  async getFiling({ identity, params, now }) {
    const filing = await ownFiling(sources.filings, identity, params.filingId);
    return filingView(filing, linkFiles(sources.objectStore, now));
  },
}));

/** The parts of the request that every write of a filing needs. */
type Write = Pick<
  ApiRequest<typeof surplusLinesFilingRoutes.routes.createFilingEscalationMessage>,
  'params' | 'identity' | 'now' | 'recordResponse'
>;

/** A filing and the caller's files, as they are when the change is decided. */
interface FilingToChange extends FoundFiling {
  /** The files; throws if one cannot be used. It is called last, so that the filing's own errors come first. */
  filesOf(): readonly AttachableFile[];
}

/**
 * The only way in which customers change a filing: filing and files are read concurrently, the change is decided, and
 * the filing, its messages, the files' use and the recorded response are written in one transaction, which an agency's
 * organization can only make while the agency belongs to it. When another writer comes between, all of it is done again.
 *
 * @param fileDocumentIds files that the change attaches; a file can be on one filing only.
 * @param decide returns the changed filing, or `unchanged`; what it throws refuses the request.
 * @param pathOfFile where the request names the file at that index, when not in `fileDocumentIds`.
 * @throws ApiError `not_found` for a filing or file that is not the caller's; what `decide` throws; DomainError `state_conflict` for
 *   the change of a filing whose status is final; TransactionContention.
 */
const changeFiling = (
  { params: { filingId }, identity, now, recordResponse }: Write,
  { filings, files, objectStore, stillOwn }: FilingSources,
  fileDocumentIds: readonly string[],
  decide: (original: FilingToChange) => FilingChange | 'unchanged',
  pathOfFile?: FilePath,
): Promise<Filing> =>
  retryOnConflict(async (attempt) => {
    const { organizationId } = identity;
    const [filingRead, filesRead] = await Promise.allSettled([
      ownFiling(filings, identity, filingId, { latest: attempt > 1 }),
      fileDocumentIds.length === 0 ? [] : files.read(organizationId, fileDocumentIds, pathOfFile),
    ]);
    // The filing's error comes first: a caller who may not see it must learn nothing else.
    const original = unwrap(filingRead);
    const change = decide({ ...original, filesOf: () => unwrap(filesRead) });
    if (change === 'unchanged') return filingView(original, linkFiles(objectStore, now));
    checkOpen(original.filing);

    const filing = { ...change.filing, updatedAt: now.toISOString() };
    const messages = [...original.messages, ...(change.messages ?? [])].sort(chronologically);
    const data = await filingView({ filing, messages }, linkFiles(objectStore, now));
    const attachedFiles = unwrap(filesRead);
    const uses = attachedFiles.map(({ fileDocumentId }) =>
      files.use(organizationId, fileDocumentId, filingId),
    );
    const agencies = new Set(
      [filing, ...attachedFiles].flatMap(({ downstreamEntityId = [] }) => downstreamEntityId),
    );
    const checks =
      personaOf(identity) === 'upstream'
        ? []
        : Array.from(agencies, (entityId) => stillOwn(organizationId, entityId));
    const frees = await freedFile(files, original.filing, filing);
    await filings.save(original, { ...change, filing }, [
      ...checks,
      ...uses,
      ...frees,
      ...recordResponse(data),
    ]);
    return data;
  });

/** The transaction items that free a policy document that another replaced, whichever side it is of. */
function freedFile(
  files: FilingSources['files'],
  { _id, upstreamEntityId, recordOwner, policyDocument: before }: StoredFiling,
  { policyDocument: after }: StoredFiling,
) {
  if (before === null || before.fileDocumentId === after?.fileDocumentId) return [];
  const owners = [upstreamEntityId, recordOwner].filter((owner) => owner !== undefined);
  return files.free(owners, before.fileDocumentId, _id);
}

/** @throws DomainError `state_conflict` for a filing whose status is final. */
function checkOpen(filing: StoredFiling): void {
  if (nextStatuses(filing).length > 0) return;
  throw new DomainError('state_conflict', {
    message: 'The filing is closed.',
    limit: { expected: 'a filing that is neither completed nor canceled', actual: filing.status },
  });
}

function unwrap<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

const chronologically = (message: StoredMessage, otherMessage: StoredMessage): number =>
  `${message.sentAt}${message._id}` < `${otherMessage.sentAt}${otherMessage._id}` ? -1 : 1;

/** @throws DomainError `not_found` that names the files that are on a filing already. */
function requireUnused(
  files: readonly AttachableFile[],
  pathOfFile: FilePath = fileListPath,
): readonly AttachableFile[] {
  const usedFiles = files.flatMap(({ fileDocumentId, usedBy }, index) =>
    usedFile(fileDocumentId, usedBy, pathOfFile(index)),
  );
  if (usedFiles.length > 0) throw noSuchFiles(usedFiles);
  return files;
}

/** A file as the filing stores it after the customer attached it. */
const asFilingFile = ({
  downstreamEntityId: _,
  usedBy: _filing,
  ...file
}: AttachableFile): NonNullable<StoredFiling['policyDocument']> => ({ ...file, uploadedByType: 'customer' });

/** Files as new attachments. @throws as `unused`. */
const newAttachments = (files: readonly AttachableFile[], now: Date) =>
  requireUnused(files).map((file) => ({ _id: newObjectId(now), ...asFilingFile(file) }));

const pathOfFile = () => 'fileDocumentId';

/** Changes that customers make to filings. */
const filingChanges = operationsOf(surplusLinesFilingRoutes, (sources: FilingSources) => ({
  /**
   * Attaches uploaded files to a checklist item, all or none.
   * @throws ApiError `not_found` for a filing, item or file that the caller may not see or use; `validation_error`
   *   for files that are not uploaded; `conflict` when the filing is full.
   */
  attachFilingFiles(request) {
    const { sourceCategoryId, sourceTaskId, fileDocumentIds } = request.body;
    const itemKey = { sourceCategoryId, sourceTaskId };
    return changeFiling(request, sources, fileDocumentIds, ({ filing, filesOf }) => {
      const item = visibleItem(filing, itemKey);
      const attachments = [...item.attachments, ...newAttachments(filesOf(), request.now)];
      return { filing: withChecklistItem(filing, itemKey, { ...item, attachments }) };
    });
  },

  /**
   * Sets the policy document; a repeat with the one already set changes nothing.
   * @throws ApiError `not_found` for a filing or file that the caller may not see or use; `validation_error` for a
   *   file that is not uploaded.
   */
  replaceFilingPolicyDocument(request) {
    const { fileDocumentId } = request.body;
    return changeFiling(
      request,
      sources,
      [fileDocumentId],
      ({ filing, filesOf }) => {
        const files = filesOf();
        if (filing.policyDocument?.fileDocumentId === fileDocumentId) return 'unchanged';
        const [policyDocument = null] = requireUnused(files, pathOfFile).map(asFilingFile);
        return { filing: { ...filing, policyDocument } };
      },
      pathOfFile,
    );
  },

  /**
   * Adds the customer's message to an open escalation, which then waits for the service (OpenAPI, "createFilingEscalationMessage").
   *
   * @throws ApiError `not_found` for a filing, item, escalation or file that the caller may not see or use;
   *   `validation_error` for an item without an escalation, a resolved escalation, and files that are not uploaded.
   */
  createFilingEscalationMessage(request) {
    const { sourceCategoryId, sourceTaskId, body = '', fileDocumentIds = [] } = request.body;
    const itemKey = { sourceCategoryId, sourceTaskId };
    return changeFiling(request, sources, fileDocumentIds, ({ filing, filesOf }) => {
      const item = visibleItem(filing, itemKey);
      const { escalation } = item;
      if (escalation?.category === 'private') throw noSuchItem(filing, itemKey);
      if (escalation === null) throw invalidAt('sourceTaskId', 'has no escalation');
      if (escalation.status === 'resolved') {
        throw invalidAt('sourceTaskId', 'has an escalation that is already resolved');
      }
      const message = {
        _id: newObjectId(request.now),
        ...itemKey,
        authorType: 'customer' as const,
        body: body.trim() === '' ? null : body,
        attachments: newAttachments(filesOf(), request.now),
        sentAt: request.now.toISOString(),
      };
      const nextItem = { ...item, escalation: { ...escalation, status: 'waiting service input' as const } };
      return { filing: withChecklistItem(filing, itemKey, nextItem), messages: [message] };
    });
  },
}));

/** Serves the routes of surplus lines filings, for carriers and agencies. */
export const surplusLinesFilingsFunction = apiFunction({
  uses,
  resources: ({ values }) => ({ objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN) }),
  operations: (resources) => {
    const sources = createFilingSources(resources);
    const reads = filingReads(sources);
    const changes = filingChanges(sources);
    return {
      ...reads,
      ...changes,
      getAgencyFiling: reads.getFiling,
      replaceAgencyFilingPolicyDocument: changes.replaceFilingPolicyDocument,
      attachAgencyFilingFiles: changes.attachFilingFiles,
      createAgencyFilingEscalationMessage: changes.createFilingEscalationMessage,
    };
  },
  services: writeServices,
});
