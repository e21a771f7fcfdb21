import * as z from 'zod/mini';
import { createDownstreamEntities } from '../../../shared/domain/downstream-entities/store.ts';
import { recordOwnerOf } from '../../../shared/domain/downstream-entities/stored.ts';
import { checkRoom, createFilingStore } from '../../../shared/domain/filings/store.ts';
import { transactionItems } from '../../../shared/platform/aws/limits.ts';
import { invalidAt } from '../../../shared/platform/contract/errors.ts';
import { objectId } from '../../../shared/platform/contract/primitives.ts';
import { concurrently } from '../../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../../shared/platform/data/group-by.ts';
import { retryOnConflict } from '../../../shared/platform/data/optimistic-lock.ts';
import { storedItem } from '../../../shared/platform/data/stored.ts';
import type { TransactionItem } from '../../../shared/platform/data/transact.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from '../import-type.ts';
import { importInOrder, type RejectedLine } from '../lines.ts';
import { hashOf } from '../record-hash.ts';
import { checkFiles, filingIdOf, filingOf, messagesOf } from './filing.ts';
import { type FilingRecord, filingRecord } from './schema.ts';

/** Messages written in one transaction; see the filing store. */
const messagesAtOnce = transactionItems - 20;

/** Filings imported concurrently. */
const concurrency = 16;

/** What an import stores about the last imported record of a filing. */
const importMark = storedItem('filings/import-mark', () => ({
  upstreamEntityId: objectId,
  filingId: objectId,
  recordHash: z.string(),
  /** Of the record's agency. A mark without it was stored when filings did not follow their agency. */
  recordOwner: z.optional(z.string()),
}));
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
  ): Promise<void> {
    const { filingId, recordOwner } = mark;
    const { downstreamEntityId } = record;
    const owners = {
      upstreamEntityId: owner,
      ...(downstreamEntityId === undefined ? {} : { downstreamEntityId, recordOwner }),
    };
    const writeNext = () =>
      retryOnConflict(async (): Promise<boolean> => {
        const found = await store.findById(filingId);
        if (found !== undefined && found.filing.upstreamEntityId !== owner) {
          throw invalidAt('_id', `${filingId} is the id of another organization's filing`);
        }
        checkFiles(record, found);
        const filing = filingOf(filingId, record, owners, found?.filing, now().toISOString());
        const known = new Set(found?.messages.map(({ _id }) => _id));
        const missing = messagesOf(filingId, record).filter(({ _id }) => !known.has(_id));
        checkRoom(found, { filing, messages: missing });
        const isLast = missing.length <= messagesAtOnce;
        await store.save(
          found,
          { filing, messages: missing.slice(0, messagesAtOnce) },
          isLast ? [markItem(mark)] : [],
        );
        return isLast;
      });
    while (!(await writeNext()));
  }

  return ownedRecords(organizations, {
    types: ['filing'],
    record: filingRecord,
    async importLines({ organizationId: owner }, lines) {
      // A later line of a record amends the earlier one, so the lines of one filing keep their order.
      const filings = groupBy(lines, ({ record }) => filingIdOf(owner, record));
      const keys = Array.from(filings.keys(), markKey);
      const [agencies, marks] = await Promise.all([
        entities.findAll(lines.flatMap(({ record }) => record.downstreamEntityId ?? [])),
        tables.filings.getAll(importMark, keys),
      ]);
      const known = new Map(
        marks
          .filter(({ upstreamEntityId }) => upstreamEntityId === owner)
          .map((mark) => [mark.filingId, mark]),
      );
      const rejected: RejectedLine[] = [];
      await concurrently(filings.entries(), concurrency, async ([filingId, group]) => {
        await importInOrder(group, rejected, async (record) => {
          const agency =
            record.downstreamEntityId === undefined ? undefined : agencies.get(record.downstreamEntityId);
          const recordOwner = agency && recordOwnerOf(agency);
          const mark = { upstreamEntityId: owner, filingId, recordHash: hashOf(record), recordOwner };
          const last = known.get(filingId);
          const isKnown = last?.recordHash === mark.recordHash;
          if (isKnown && (recordOwner === undefined || last.recordOwner === recordOwner)) return filingId;
          if (record.downstreamEntityId !== undefined && agency === undefined) {
            throw invalidAt('downstreamEntityId', 'is not a known downstream entity');
          }
          await importFiling(owner, record, mark);
          known.set(filingId, mark);
          return filingId;
        });
      });
      return rejected;
    },
  });
}
