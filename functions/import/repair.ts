import * as z from 'zod/mini';
// No import writes these, so that nothing else here has their schemas.
import '../../shared/domain/file-documents/stored.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import '../../shared/domain/webhooks/stored.ts';
import { ApiError, existing, invalidAt } from '../../shared/platform/contract/errors.ts';
import { stepsOf, withValue } from '../../shared/platform/data/json.ts';
import { anyItem, StoredItemError, storedSchemas } from '../../shared/platform/data/stored.ts';
import type { Item } from '../../shared/platform/data/table.ts';
import { retryOnConflict, VersionConflict } from '../../shared/platform/data/transact.ts';

/** Tables of items that can be repaired. */
const repairedTables = [
  'agents',
  'associations',
  'carriers',
  'compliance',
  'contacts',
  'downstreamEntities',
  'fileDocuments',
  'filings',
  'licensing',
  'policies',
  'registryRecords',
  'webhooks',
] as const;

/** An item as the log names it, and values for its members that break its schema, by their paths. */
export const repairItemInput = z.strictObject({
  table: z.string(),
  pk: z.string().check(z.minLength(1)),
  sk: z.optional(z.string()),
  members: z.record(z.string(), z.unknown()),
});

type RepairItemInput = z.output<typeof repairItemInput>;

/** The members that have other values now. */
export interface RepairOutcome {
  readonly repaired: readonly string[];
}

/** Where an item breaks a schema. */
const faultsOf = (schema: z.core.$ZodType, item: Item): string[] =>
  z.safeParse(schema, item).error?.issues.map(({ path }) => path.join('.')) ?? [];

/** What an import compares to find that a record is as it was: a repaired one is not. */
const hashes = ['recordHash', 'ownHash'];

export type RepairItem = ReturnType<typeof createRepairItem>;

export function createRepairItem(tables: Tables<(typeof repairedTables)[number]>, now: () => Date) {
  const byName = new Map(repairedTables.map((table) => [tables[table].design.name as string, tables[table]]));

  /**
   * Gives members of an item that break its schema values that do not, so that the service can read it; every other member stays as
   * it is, and so does what is stored beside the item. The next import of the record writes all of that, even if its line is as
   * before.
   *
   * @throws ApiError `not_found` for an item that is not there; `validation_error` for another table, and unless there is a schema
   *   that the item breaks at these members alone, and then no longer breaks.
   */
  return async ({ table: name, pk, sk, members }: RepairItemInput): Promise<RepairOutcome> => {
    const table = byName.get(name);
    if (table === undefined) throw invalidAt('table', `must be one of ${[...byName.keys()].join(', ')}`);
    const schemas = [...storedSchemas].filter(([schema]) => schema.startsWith(`${name}/`));
    const paths = Object.keys(members);
    return retryOnConflict(async () => {
      const before = existing(
        (await table.getAll(anyItem, [{ pk, ...(sk === undefined ? {} : { sk }) }]))[0],
      );
      const after = Object.entries(members).reduce<unknown>(
        (item, [path, value]) => withValue(item, stepsOf(path), value),
        before,
      ) as Item;
      const isRepaired = schemas.some(([, schema]) => {
        const faults = faultsOf(schema, before);
        const isOfThese = faults.length > 0 && faults.every((path) => paths.includes(path));
        return (
          isOfThese && paths.every((path) => faults.includes(path)) && faultsOf(schema, after).length === 0
        );
      });
      if (!isRepaired) {
        throw invalidAt('members', 'must be those that break the schema, with values that do not');
      }
      const stale = hashes.filter((hash) => hash in before).map((hash) => [hash, '']);
      const mark = 'changedAt' in before ? { changedAt: now().toISOString() } : {};
      // All of the item must be as it was read: it is put as a whole.
      if (!(await table.put({ ...after, ...Object.fromEntries(stale), ...mark }, before))) {
        throw new VersionConflict();
      }
      return { repaired: paths };
    });
  };
}

/** The times that every record has; nothing depends on them. */
const isOwnTime = (path: string): boolean => /(^|\.)(createdAt|updatedAt)$/.test(path);

/**
 * Repairs what a line could not be imported for, if nothing but the times of records are at fault: they get that of the import,
 * until the line is imported after all.
 * @returns whether it is worth another try.
 */
export async function repairTimes(error: unknown, repair: RepairItem, at: string): Promise<boolean> {
  if (!(error instanceof StoredItemError) || error.item === undefined) return false;
  const { schema, pk, sk, paths } = error.item;
  if (!paths.every(isOwnTime)) return false;
  try {
    const table = schema.split('/', 1)[0] ?? '';
    await repair({ table, pk, sk, members: Object.fromEntries(paths.map((path) => [path, at])) });
    return true;
  } catch (refusal) {
    if (refusal instanceof ApiError) return false;
    throw refusal;
  }
}
