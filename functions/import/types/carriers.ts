import * as z from 'zod/mini';
import { carrierKeys, ownerOfNaicCode } from '#domain/carriers/catalog.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { isNew } from '#platform/data/expressions.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import { retryOnConflict } from '#platform/data/transact.ts';
import { recordSchemas } from '../record-schemas.ts';
import {
  type ImportDependencies,
  type ImportType,
  importedRecords,
  ownersOfEitherKind,
} from '../run/import-records.ts';
import { commonValuesOf, hashOf, importInOrder, isStored } from '../run/lines.ts';

/** A carrier as an earlier import left it. */
const importedCarrier = storedItem('carriers/imported-carrier', {
  _id: objectId,
  naicCode: z.string(),
  isDeleted: z.boolean(),
  createdAt: timestamp,
  recordHash: z.string(),
});

type CarrierRecord = z.output<typeof recordSchemas.carrier>;

type ImportedCarrier = z.output<typeof importedCarrier>;

const carrierIdOf = (record: CarrierRecord): string =>
  record._id ?? derivedObjectId('carrier', carrierKeys.naicCode(record.naicCode).sk);

const notChangedNote = {
  code: 'not_changed',
  message: 'The carrier is not changed: an import for an organization only adds carriers.',
} as const;

/**
 * Insurers, one after another; one without an id is identified by its NAIC code, which belongs to one live carrier. The catalog
 * is everybody's: an import for an organization adds carriers that nobody has, and leaves those that are known as they are.
 */
export function carrierImport({
  tables: { carriers: table },
  organizations,
  now,
}: ImportDependencies<'carriers'>): ImportType {
  /** The carrier and its code, and the carrier that has the code now. */
  async function read(record: CarrierRecord, carrierId: string) {
    const [[before], [claim]] = await Promise.all([
      table.getAll(importedCarrier, [carrierKeys.carrier(carrierId)]),
      table.getAll(ownerOfNaicCode, [carrierKeys.naicCode(record.naicCode)]),
    ]);
    return { before, codeOwner: claim?.carrierId };
  }

  /** Writes a carrier, releases the code that it had, and claims its new one. */
  async function write(
    record: CarrierRecord,
    carrierId: string,
    before: ImportedCarrier | undefined,
  ): Promise<void> {
    const { type: _, ...values } = record;
    const item = {
      ...carrierKeys.carrier(carrierId),
      ...values,
      _id: carrierId,
      ...commonValuesOf(record, before, now().toISOString()),
      recordHash: hashOf(record),
    };
    const formerCode = before === undefined || before.isDeleted ? undefined : before.naicCode;
    const code = record.isDeleted === true ? undefined : record.naicCode;
    const keyOf = (naicCode: string | undefined) => naicCode && carrierKeys.naicCode(naicCode).sk;
    const isSameCode = keyOf(formerCode) === keyOf(code);
    await table.transact([
      table.items.put(item, before === undefined ? isNew : { recordHash: before.recordHash }),
      ...(isSameCode || formerCode === undefined
        ? []
        : [table.items.delete(carrierKeys.naicCode(formerCode))]),
      ...(isSameCode || code === undefined
        ? []
        : [table.items.put({ ...carrierKeys.naicCode(code), carrierId }, isNew)]),
    ]);
  }

  return importedRecords(organizations, {
    types: ['carrier'],
    record: recordSchemas.carrier,
    owners: ownersOfEitherKind,
    importLines: (organization, lines) =>
      importInOrder(lines, (record, { note }) =>
        retryOnConflict(async () => {
          const carrierId = carrierIdOf(record);
          const { before, codeOwner = carrierId } = await read(record, carrierId);
          if (isStored(record, before)) return carrierId;
          const isOtherMeant = record._id === undefined && codeOwner !== carrierId;
          if (
            organization !== undefined &&
            (before !== undefined || isOtherMeant || record.isDeleted === true)
          ) {
            note(notChangedNote);
            return isOtherMeant ? codeOwner : carrierId;
          }
          if (record.isDeleted !== true && codeOwner !== carrierId)
            throw invalidAt('naicCode', `is the code of the carrier ${codeOwner}`);
          await write(record, carrierId, before);
          return carrierId;
        }),
      ),
  });
}
