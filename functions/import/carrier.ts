import * as z from 'zod/mini';
import { carrierKeys } from '../../shared/domain/carriers/table.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { objectId } from '../../shared/platform/contract/primitives.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { isNew } from '../../shared/platform/data/expressions.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import { derivedObjectId } from '../../shared/platform/data/object-id.ts';
import { retryOnConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import { commonValuesOf } from './common-fields.ts';
import { type ImportDependencies, type ImportType, parseLines } from './import-type.ts';
import { issuesOf, type RejectedLine } from './lines.ts';
import { hashOf } from './record-hash.ts';
import { recordSchemas } from './record-schemas.ts';

/** What an earlier import left of a carrier. */
const imported = storedItem('carriers/imported-carrier', () => ({
  _id: objectId,
  naicCode: z.string(),
  isDeleted: z.boolean(),
  createdAt: z.string(),
  recordHash: z.string(),
}));

type CarrierRecord = z.output<typeof recordSchemas.carrier>;

type Imported = z.output<typeof imported>;

/** The holder of a NAIC code. */
const holder = storedItem('carriers/holder', () => ({ carrierId: objectId }));

/** Concurrent writes. */
const concurrency = 16;

const carrierIdOf = (record: CarrierRecord): string =>
  record._id ?? derivedObjectId('carrier', record.naicCode);

/**
 * Insurers; one without an id is identified by its NAIC code. A code belongs to one live carrier: a line that would give
 * it to a second one is rejected, also during concurrent imports. Of several lines of one carrier the last one counts,
 * and the others share its outcome.
 */
export function carrierImport({
  tables: { carriers: table },
  now,
}: ImportDependencies<'carriers'>): ImportType {
  async function stored(carrierIds: Iterable<string>): Promise<Map<string, Imported>> {
    const keys = Array.from(carrierIds, carrierKeys.carrier);
    return new Map((await table.getAll(imported, keys)).map((found) => [found._id, found]));
  }

  const carrierWrite = (record: CarrierRecord, before: Imported | undefined): TransactionItem => {
    const { type: _, _id = carrierIdOf(record), ...values } = record;
    const at = now().toISOString();
    const item = {
      ...carrierKeys.carrier(_id),
      ...values,
      _id,
      ...commonValuesOf(record, before, at),
      recordHash: hashOf(record),
    };
    return table.items.put(item, before === undefined ? isNew : { recordHash: before.recordHash });
  };

  /** Releases the code that the carrier had, and claims its new one. */
  const codeWrites = (record: CarrierRecord, before: Imported | undefined): TransactionItem[] => {
    const carrierId = carrierIdOf(record);
    const had = before === undefined || before.isDeleted ? undefined : before.naicCode;
    const has = record.isDeleted === true ? undefined : record.naicCode;
    if (had === has) return [];
    const codeTaken = (stored: unknown) => {
      const { carrierId: other } = parseStored(holder, stored);
      return invalidAt('naicCode', `is the code of the carrier ${other}`);
    };
    return [
      ...(had === undefined ? [] : [table.items.delete(carrierKeys.naicCode(had))]),
      ...(has === undefined
        ? []
        : [table.items.put({ ...carrierKeys.naicCode(has), carrierId }, isNew, codeTaken)]),
    ];
  };

  async function importCarrier(record: CarrierRecord, known: Imported | undefined): Promise<void> {
    const carrierId = carrierIdOf(record);
    await retryOnConflict(async (attempt) => {
      const before = attempt === 1 ? known : (await stored([carrierId])).get(carrierId);
      if (before?.recordHash === hashOf(record)) return;
      await table.transact([carrierWrite(record, before), ...codeWrites(record, before)]);
    });
  }

  /** Imports carriers concurrently, those with one code in order; returns those that were rejected. */
  async function importAll(
    records: readonly CarrierRecord[],
    workers: number,
  ): Promise<Map<string, RejectedLine['issues']>> {
    const refused = new Map<string, RejectedLine['issues']>();
    const known = await stored(records.map(carrierIdOf));
    const ofCodes = groupBy(records, (record) => record.naicCode).values();
    await concurrently(ofCodes, workers, async (group) => {
      for (const record of group) {
        const carrierId = carrierIdOf(record);
        try {
          await importCarrier(record, known.get(carrierId));
        } catch (error) {
          refused.set(carrierId, issuesOf(error));
        }
      }
    });
    return refused;
  }

  return {
    types: ['carrier'],
    async importLines(given) {
      const rejected: RejectedLine[] = [];
      const lines = parseLines(recordSchemas.carrier, given, rejected);
      const last = new Map(lines.map(({ record }) => [carrierIdOf(record), record]));
      const first = await importAll([...last.values()], concurrency);
      // A rejected line may only have come before the line that releases its code.
      const retried = [...last.values()].filter((record) => first.has(carrierIdOf(record)));
      const refused = retried.length === 0 ? first : await importAll(retried, 1);
      for (const { line, record, identify } of lines) {
        identify(carrierIdOf(record));
        const issues = refused.get(carrierIdOf(record));
        if (issues !== undefined) rejected.push({ line, issues });
      }
      return rejected;
    },
  };
}
