import * as z from 'zod/mini';
import {
  createDownstreamEntities,
  recordOwnerOf,
  type StoredDownstreamEntity,
} from '#domain/downstream-entities/stored.ts';
import { checkRoom, createFilingStore } from '#domain/filings/store.ts';
import {
  filingFields,
  type StoredChecklistCategory,
  type StoredEscalation,
  type StoredFiling,
  type StoredMessage,
} from '#domain/filings/stored.ts';
import { transactionItems } from '#platform/aws/limits.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import { type EscalationRecord, type FilingRecord, filingRecord } from '../record-schemas.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from '../run/import-records.ts';
import { hashOf, importChains, timesOf } from '../run/lines.ts';

/** A filing without an id is identified by its reference, or else by the content of its record. */
const filingIdOf = (owner: string, record: FilingRecord): string =>
  record._id ?? derivedObjectId(owner, 'filing', record.externalReference ?? hashOf(record));

/** The messages of a record's escalations, with their checklist items. */
const messagesOf = (filingId: string, record: FilingRecord): StoredMessage[] =>
  record.checklist.flatMap(({ sourceCategoryId, items }) =>
    items.flatMap(({ sourceTaskId, escalation }) =>
      (escalation?.messages ?? []).map(({ _id, authorType, body, sentAt }, index) => ({
        _id: _id ?? derivedObjectId(filingId, 'message', sourceCategoryId, sourceTaskId, String(index)),
        sourceCategoryId,
        sourceTaskId,
        authorType,
        body,
        attachments: [],
        sentAt,
      })),
    ),
  );

/** The agency of a stored filing, which no answer shows: a record that names none keeps it. */
const agencyOf = ({ downstreamEntityId, recordOwner }: StoredFiling) => ({
  ...(downstreamEntityId === undefined ? {} : { downstreamEntityId }),
  ...(recordOwner === undefined ? {} : { recordOwner }),
});

/** An escalation without its messages, which are items of their own. */
const escalationOf = ({
  messages: _messages,
  checklistItemLabel: _label,
  ...escalation
}: EscalationRecord): StoredEscalation => escalation;

/**
 * The checklist of a record merged over the stored one: items are added and amended; what happened on them since, their
 * files and escalations, stays, and so do items that the record no longer names.
 */
function checklistOf(
  record: FilingRecord,
  before: readonly StoredChecklistCategory[],
): StoredChecklistCategory[] {
  const namedCategories = record.checklist.map((category, categoryIndex) => {
    const knownCategory = before.find(
      (storedCategory) => storedCategory.sourceCategoryId === category.sourceCategoryId,
    );
    const items = category.items.map((item, itemIndex) => {
      const knownItem = knownCategory?.items.find(
        (storedTask) => storedTask.sourceTaskId === item.sourceTaskId,
      );
      return {
        ...item,
        order: item.order ?? itemIndex + 1,
        attachments: knownItem?.attachments ?? [],
        escalation: knownItem?.escalation ?? (item.escalation && escalationOf(item.escalation)),
      };
    });
    const keptItems = knownCategory?.items.filter(
      (knownItem) => !items.some(({ sourceTaskId }) => sourceTaskId === knownItem.sourceTaskId),
    );
    return {
      ...category,
      order: category.order ?? categoryIndex + 1,
      items: [...items, ...(keptItems ?? [])],
    };
  });
  const keptCategories = before.filter(
    (category) =>
      !namedCategories.some(({ sourceCategoryId }) => sourceCategoryId === category.sourceCategoryId),
  );
  return [...namedCategories, ...keptCategories];
}

/**
 * The filing of a record, merged over a stored one: that one's status stays, since only commands move
 * it.
 */
const filingOf = (
  filingId: string,
  record: FilingRecord,
  owners: Pick<StoredFiling, 'upstreamEntityId' | 'downstreamEntityId' | 'recordOwner'>,
  before: StoredFiling | undefined,
  timestamp: string,
): StoredFiling => {
  const times = timesOf(record, before, timestamp);
  return {
    ...(before && agencyOf(before)),
    ...owners,
    ...z.parse(filingFields, {
      ...record,
      ...times,
      _id: filingId,
      status: before?.status ?? record.status,
    }),
    ...(before?.heldFrom === undefined ? {} : { heldFrom: before.heldFrom }),
    checklist: checklistOf(record, before?.checklist ?? []),
    policyDocument: before?.policyDocument ?? null,
    completionArtifacts: before?.completionArtifacts ?? [],
    isDeleted: record.isDeleted ?? before?.isDeleted ?? false,
    createdAt: times.createdAt,
    // The store sets these.
    version: before?.version ?? 0,
    messageCount: before?.messageCount ?? 0,
  };
};

/** Messages written in one transaction; see the filing store. */
const messagesAtOnce = transactionItems - 20;

/** Mark of the last imported record of a filing. */
const importMark = storedItem('filings/import-mark', {
  upstreamEntityId: objectId,
  filingId: objectId,
  recordHash: z.string(),
});
const markKey = (filingId: string) => ({ pk: `FILING_ID#${filingId}`, sk: 'IMPORT' });

/** Filings with their checklists, escalations and messages; without files, which are uploaded. */
export function filingImport({
  tables,
  organizations,
  now,
}: ImportDependencies<'filings' | 'downstreamEntities'>): ImportType {
  const store = createFilingStore(tables.filings, now);
  const entities = createDownstreamEntities(tables.downstreamEntities);

  const markItem = (mark: z.output<typeof importMark>): TransactionItem =>
    tables.filings.items.put({ ...markKey(mark.filingId), ...mark });

  /** Imports one record; a long one in several transactions, the last of which records its hash. */
  async function importFiling(
    owner: string,
    record: FilingRecord,
    mark: z.output<typeof importMark>,
    agency: StoredDownstreamEntity | undefined,
  ): Promise<void> {
    const { filingId } = mark;
    const owners = {
      upstreamEntityId: owner,
      ...(agency && { downstreamEntityId: agency._id, recordOwner: recordOwnerOf(agency) }),
    };
    const message = 'Another import, or a move, changed the agency at the same time.';
    const checks = agency
      ? [entities.unchanged(agency, () => new DomainError('state_conflict', { message }))]
      : [];
    const writeNext = () =>
      retryOnConflict(async (): Promise<boolean> => {
        const foundFiling = await store.findById(filingId);
        if (foundFiling !== undefined && foundFiling.filing.upstreamEntityId !== owner) {
          throw invalidAt('_id', `${filingId} is the id of another organization's filing`);
        }
        const filing = filingOf(filingId, record, owners, foundFiling?.filing, now().toISOString());
        const knownIds = new Set(foundFiling?.messages.map(({ _id }) => _id));
        const missingMessages = messagesOf(filingId, record).filter(({ _id }) => !knownIds.has(_id));
        checkRoom(foundFiling, { filing, messages: missingMessages });
        const isLast = missingMessages.length <= messagesAtOnce;
        await store.save(foundFiling, { filing, messages: missingMessages.slice(0, messagesAtOnce) }, [
          ...checks,
          ...(isLast ? [markItem(mark)] : []),
        ]);
        return isLast;
      });
    while (!(await writeNext()));
  }

  return ownedRecords(organizations, {
    types: ['filing'],
    record: filingRecord,
    async importLines({ organizationId: owner }, lines) {
      const keys = lines.map(({ record }) => markKey(filingIdOf(owner, record)));
      const [agencies, marks] = await Promise.all([
        entities.findAll(lines.flatMap(({ record }) => record.downstreamEntityId ?? [])),
        tables.filings.getAll(importMark, keys),
      ]);
      const knownMarks = new Map(
        marks
          .filter(({ upstreamEntityId }) => upstreamEntityId === owner)
          .map((mark) => [mark.filingId, mark]),
      );
      await importChains(lines, {
        // A later line of a filing amends the earlier one.
        namesOf: (record) => [filingIdOf(owner, record)],
        async importRecord(record) {
          const filingId = filingIdOf(owner, record);
          const agency =
            record.downstreamEntityId === undefined ? undefined : agencies.get(record.downstreamEntityId);
          const mark = { upstreamEntityId: owner, filingId, recordHash: hashOf(record) };
          if (knownMarks.get(filingId)?.recordHash === mark.recordHash) return filingId;
          if (record.downstreamEntityId !== undefined && agency === undefined) {
            throw invalidAt('downstreamEntityId', 'is not a known downstream entity');
          }
          await importFiling(owner, record, mark, agency);
          knownMarks.set(filingId, mark);
          return filingId;
        },
      });
    },
  });
}
