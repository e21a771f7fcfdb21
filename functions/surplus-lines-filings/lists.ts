import { createOwnEntities, ownPage } from '#domain/downstream-entities/own-entities.ts';
import { createAttachableFiles, fileLinks } from '#domain/file-documents/attachable.ts';
import type { ObjectStore } from '#domain/file-documents/object-store.ts';
import { createUploadEventItems } from '#domain/file-documents/stored.ts';
import { filingKeys, filingPartitions } from '#domain/filings/keys.ts';
import {
  type FilingSummary,
  filingSummary,
  type StoredFilingEntry,
  storedFilingEntry,
} from '#domain/filings/resource.ts';
import { createFilingStore, type FilingStore, type Persona } from '#domain/filings/store.ts';
import { storedFiling } from '#domain/filings/stored.ts';
import { type FoundFiling, filingSummaryOf, filingView, type LinkFile } from '#domain/filings/view.ts';
import type { Resources } from '#function/function.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { itemsChangedSince, tombstone } from '#platform/changes/change-index.ts';
import { createUnlessRestored } from '#platform/changes/restored.ts';
import { existing } from '#platform/contract/errors.ts';
import {
  type AppliedQuery,
  changesSince,
  type DeletedRecord,
  type updatedSinceQuery,
} from '#platform/contract/list-queries.ts';
import { chunks } from '#platform/data/chunks.ts';
import { anyItem, parseStored } from '#platform/data/stored.ts';
import type { IndexPartition, PageOf, Table } from '#platform/data/table.ts';
import type { Identity } from '#platform/identity/identity.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import { surplusLinesFilingRoutes } from './routes.ts';
import type { uses } from './uses.ts';

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
export function createFilingLists(table: Table<FilingPartition['index'] | 'by-change'>) {
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
export const createFilingSources = ({
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

export type FilingSources = ReturnType<typeof createFilingSources>;

export const personaOf = ({ category }: Identity): Persona =>
  category === 'downstreamEntity' ? 'downstream' : 'upstream';

/**
 * A filing of the caller, of a carrier or of the organization of the filing's agency.
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted one.
 */
export const ownFiling = async (
  filings: FilingStore,
  identity: Identity,
  filingId: string,
  options?: { readonly latest: boolean },
): Promise<FoundFiling> =>
  existing(await filings.find(personaOf(identity), identity.organizationId, filingId, options));

export const linkFiles =
  (objectStore: ObjectStore, now: Date): LinkFile =>
  (file) =>
    fileLinks(objectStore, file, now);

/** Reads of filings. */
export const filingReads = operationsOf(surplusLinesFilingRoutes, (sources: FilingSources) => ({
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
