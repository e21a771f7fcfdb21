import * as z from 'zod/mini';
import { carrierKeys, ownerOfNaicCode } from '#domain/carriers/catalog.ts';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { isNew } from '#platform/data/expressions.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { anyItem, parseIfStored, parseStored, storedItem } from '#platform/data/stored.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { BlockedBy, importChains } from './chains.ts';
import { commonValuesOf } from './common-fields.ts';
import { type ImportDependencies, type ImportType, parseLines } from './import-records.ts';
import type { RejectedLine } from './lines.ts';
import { hashOf, isStored } from './put-records.ts';
import { recordSchemas } from './record-schemas.ts';

/** What an earlier import left of a carrier. */
const imported = storedItem('carriers/imported-carrier', () => ({
  _id: objectId,
  naicCode: z.string(),
  isDeleted: z.boolean(),
  createdAt: timestamp,
  recordHash: z.string(),
}));

type CarrierRecord = z.output<typeof recordSchemas.carrier>;

type Imported = z.output<typeof imported>;

/** Concurrent writes. */
const concurrency = 16;

const carrierIdOf = (record: CarrierRecord): string =>
  record._id ?? derivedObjectId('carrier', carrierKeys.naicCode(record.naicCode).sk);

const notChanged = 'The carrier is not changed: an import for an organization only adds carriers.';

/**
 * Insurers; one without an id is identified by its NAIC code. A code belongs to one live carrier: a line that would give
 * it to a second one is rejected, also during concurrent imports. Of several lines of one carrier the last one counts,
 * and the others share its outcome. The catalog is everybody's: an import for an organization adds carriers that nobody has,
 * and leaves those that are known as they are.
 */
export function carrierImport({
  tables: { carriers: table },
  now,
}: ImportDependencies<'carriers'>): ImportType {
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
    const keyOf = (code: string | undefined) => code && carrierKeys.naicCode(code).sk;
    if (keyOf(had) === keyOf(has)) return [];
    const codeTaken = (stored: unknown) => {
      const { carrierId: other } = parseStored(ownerOfNaicCode, stored);
      return new BlockedBy(other, 'naicCode', `is the code of the carrier ${other}`);
    };
    return [
      ...(had === undefined ? [] : [table.items.delete(carrierKeys.naicCode(had))]),
      ...(has === undefined
        ? []
        : [table.items.put({ ...carrierKeys.naicCode(has), carrierId }, isNew, codeTaken)]),
    ];
  };

  /** @returns whether the carrier is now as the record says. */
  async function importCarrier(
    record: CarrierRecord,
    known: Imported | undefined,
    addsOnly: boolean,
  ): Promise<boolean> {
    const carrierId = carrierIdOf(record);
    return retryOnConflict(async (attempt) => {
      const [before] =
        attempt === 1 ? [known] : await table.getAll(imported, [carrierKeys.carrier(carrierId)]);
      if (isStored(record, before)) return true;
      if (addsOnly && (before !== undefined || record.isDeleted === true)) return false;
      await table.transact([carrierWrite(record, before), ...codeWrites(record, before)]);
      return true;
    });
  }

  return {
    types: ['carrier'],
    async importLines(given, organizationId) {
      const addsOnly = organizationId !== undefined;
      const rejected: RejectedLine[] = [];
      const lines = parseLines(recordSchemas.carrier, given, rejected);
      const last = new Map(lines.map((line) => [carrierIdOf(line.record), line]));
      const keyOf = (record: CarrierRecord) => carrierKeys.carrier(carrierIdOf(record));
      const claimOf = ({ naicCode }: CarrierRecord) => carrierKeys.naicCode(naicCode);
      const keys = lines.flatMap(({ record }) => [keyOf(record), claimOf(record)]);
      const stored = await table.getByKey(anyItem, keys);
      /** The carriers that are not changed, by the ids of the records that would change them. */
      const kept = new Map<string, string>();
      const importRecord = async (record: CarrierRecord): Promise<string> => {
        const carrierId = carrierIdOf(record);
        try {
          const isDone = await importCarrier(
            record,
            parseIfStored(imported, stored(keyOf(record))),
            addsOnly,
          );
          if (!isDone) kept.set(carrierId, carrierId);
        } catch (error) {
          const isHolderMeant = addsOnly && record._id === undefined;
          if (!(isHolderMeant && error instanceof BlockedBy)) throw error;
          kept.set(carrierId, error.recordId);
        }
        return carrierId;
      };
      const refused = await importChains([...last.values()], {
        concurrency,
        namesOf: (record) => [carrierIdOf(record)],
        claimsOf: (record) => [claimOf(record)],
        readHolders: async () => (claim) => parseIfStored(ownerOfNaicCode, stored(claim))?.carrierId,
        importRecord,
      });
      const issuesOfLine = new Map(refused.map(({ line, issues }) => [line, issues]));
      for (const { line, record, identify, note } of lines) {
        const carrierId = carrierIdOf(record);
        identify(kept.get(carrierId) ?? carrierId);
        if (kept.has(carrierId)) note({ code: 'not_changed', message: notChanged });
        const issues = issuesOfLine.get(last.get(carrierId)?.line ?? line);
        if (issues !== undefined) rejected.push({ line, issues });
      }
      return rejected;
    },
  };
}
