import * as z from 'zod/mini';
import { KB } from '#platform/aws/limits.ts';
import { stateCode, textUpTo, timestamp } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem, timeAfter } from '#platform/data/transact.ts';
import { limitReached } from '#platform/errors/domain-error.ts';
import { type ClassKindVersion, classKinds } from '../decision/classes.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { complianceKeys } from './stored.ts';

/** Kind of a class of licenses, as an organization states it, or an operator for all of them. */
export const classKind = z.object({
  stateCode,
  classCode: z.nullable(textUpTo(100)),
  className: z.nullable(textUpTo(300)),
  kind: z.enum(classKinds),
});

type SaidOfClass = Omit<z.output<typeof classKind>, 'kind'> & Pick<ClassKindVersion, 'kind'>;

/** All that an organization ever said: some dozens of versions, which every answer about a license reads. */
const storedClassKinds = storedItem('compliance/class-kinds', {
  versions: z.array(
    z.object({
      ...classKind.shape,
      /** Null where it was taken back. */
      kind: z.nullable(classKind.shape.kind),
      recordedAt: timestamp,
      /** Whether an import without events recorded it. */
      isSilent: z.boolean(),
    }),
  ),
  /** Rises with every write, so that one of two concurrent writers is refused. */
  revision: z.int(),
});

/** A version, with whether it was recorded to send no events. */
export interface RecordedClassKind extends ClassKindVersion {
  readonly isSilent: boolean;
}

/** Bytes of the versions of an organization, as JSON. */
export const mostBytesOfClassKinds = 200 * KB;

/** Owner of the kinds that count for all organizations. */
const everybody = 'EVERYBODY';

const isOfSame = (kind: SaidOfClass, otherKind: SaidOfClass): boolean =>
  kind.stateCode === otherKind.stateCode &&
  comparable(kind.classCode) === comparable(otherKind.classCode) &&
  comparable(kind.className) === comparable(otherKind.className);

/**
 * Records what is said of a class, or, with a `kind` of null, that it is taken back, unless that was said last.
 * @param owner undefined where it is said for everybody.
 * @param itemsOf further items of the transaction.
 * @throws DomainError `state_conflict` where more was said than an item has room for; TransactionContention when others keep
 * writing.
 */
export const createRecordClassKind =
  (table: Table) =>
  (
    owner: string | undefined,
    statement: SaidOfClass,
    { isSilent, now }: { readonly isSilent: boolean; readonly now: () => Date },
    itemsOf: (at: Date) => readonly TransactionItem[],
  ): Promise<void> =>
    retryOnConflict(async () => {
      const key = complianceKeys.classKinds(owner ?? everybody);
      const storedBefore = await table.get(storedClassKinds, key);
      const { versions = [], revision = 0 } = storedBefore ?? {};
      if ((versions.findLast((version) => isOfSame(version, statement))?.kind ?? null) === statement.kind)
        return;
      const at = timeAfter(now(), versions.at(-1)?.recordedAt ?? '');
      const newVersions = [...versions, { ...statement, recordedAt: at.toISOString(), isSilent }];
      if (Buffer.byteLength(JSON.stringify(newVersions)) > mostBytesOfClassKinds) {
        throw limitReached(
          `What was said of classes of licenses has at most ${mostBytesOfClassKinds} bytes.`,
          mostBytesOfClassKinds,
        );
      }
      const item = { ...key, versions: newVersions, revision: revision + 1 };
      await table.transact([table.items.put(item, { revision: storedBefore?.revision }), ...itemsOf(at)]);
    });

/**
 * Reads all that was ever stated of classes of licenses, by an organization or for everybody, in the order of recording: one
 * call.
 */
export type ClassKindsOf = (owner: string) => Promise<RecordedClassKind[]>;

export const createClassKindsOf =
  (table: Table): ClassKindsOf =>
  async (owner) => {
    const [ownKey, sharedKey] = [complianceKeys.classKinds(owner), complianceKeys.classKinds(everybody)];
    const storedKinds = await table.getByKey(storedClassKinds, [ownKey, sharedKey], { consistent: false });
    return [sharedKey, ownKey].flatMap((key) =>
      (storedKinds(key)?.versions ?? []).map((version) => ({ ...version, isOwn: key === ownKey })),
    );
  };
