import { collect } from '../../platform/data/collect.ts';
import { startsWith } from '../../platform/data/expressions.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import { ofReadable } from '../../platform/data/left-out.ts';
import {
  anyItem,
  orUnreadable,
  parseStored,
  readOrThrow,
  StoredItemError,
} from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { newYorkDate } from '../../platform/dates/calendar.ts';
import { type ConfigVersion, configInForce } from '../decision/configs.ts';
import type { ComplianceConfig } from './resource.ts';
import {
  complianceKeys,
  isDeleted,
  type StoredConfigHead,
  type StoredConfigVersion,
  storedConfigHead,
  storedConfigVersion,
} from './stored.ts';

/** A product's config: what it requires now, and all versions of that. */
export interface ProductConfig extends ComplianceConfig {
  readonly versions: readonly [StoredConfigVersion, ...StoredConfigVersion[]];
}

/** A config as it is recorded, deleted ones included. */
export interface RecordedConfig {
  readonly head: StoredConfigHead;
  readonly versions: readonly StoredConfigVersion[];
}

/** Which configs are read. */
interface Selection {
  readonly owner: string;
  /** Every product's, where left out. */
  readonly productId?: string;
  readonly isConsistent: boolean;
}

/** The recorded configs of an owner by product id; one of which an item breaks its schema as its error. */
async function readConfigs(
  table: Table,
  { owner, productId, isConsistent }: Selection,
): Promise<(readonly [productId: string, config: RecordedConfig | StoredItemError])[]> {
  const { pk, sk } = complianceKeys.config(owner, productId ?? '');
  const ofProduct = { consistent: isConsistent, ...(sk === '' ? {} : { sort: startsWith(sk) }) };
  const items = await collect(table.query(anyItem, pk, ofProduct));
  // A head's sort key is its product's id, which those of its versions begin with.
  const byProduct = groupBy(items, (item) => String(item['sk']).split('#', 1)[0] ?? '');
  return Array.from(byProduct, ([id, [head, ...versions]]) => {
    const read = () => ({
      head: parseStored(storedConfigHead, head),
      versions: versions.map((version) => parseStored(storedConfigVersion, version)),
    });
    return [id, orUnreadable(read)] as const;
  });
}

/** The recorded configs of an owner, or the one of a product, by product id. */
export const recordedConfigs = async (table: Table, selection: Selection): Promise<RecordedConfig[]> =>
  (await readConfigs(table, selection)).map(([, config]) => readOrThrow(config));

/** What a config requires on a day, as it is known now. */
export function inForceOn<Version extends ConfigVersion>(
  versions: readonly [Version, ...Version[]],
  now: Date,
  day = newYorkDate(now),
): Version {
  const { config } = configInForce(versions, day, now.toISOString());
  return config;
}

/** A config as it is shown, with its versions; undefined for a deleted one. */
function shown({ head, versions: [first, ...others] }: RecordedConfig, now: Date): ProductConfig | undefined {
  if (isDeleted(head) || first === undefined) return undefined;
  const versions = [first, ...others] as const;
  const { recordedAt: _recordedAt, isSilent: _isSilent, ...config } = inForceOn(versions, now);
  return { ...config, versions };
}

export type ComplianceConfigs = ReturnType<typeof createComplianceConfigs>;

/** Reads of one carrier's compliance configs; those of another organization cannot even be addressed. */
export function createComplianceConfigs(table: Table) {
  /** Every config that is not deleted, by product id; one of which an item breaks its schema as its error. */
  async function byProduct(owner: string, now: Date): Promise<Map<string, ProductConfig | StoredItemError>> {
    const read = await readConfigs(table, { owner, isConsistent: false });
    return new Map(
      read.flatMap(([productId, one]) => {
        const config = one instanceof StoredItemError ? one : shown(one, now);
        return config === undefined ? [] : [[productId, config] as const];
      }),
    );
  }

  return {
    byProduct,

    /** Every config that is not deleted, by product id. */
    all: async (owner: string, now: Date): Promise<ProductConfig[]> =>
      Array.from((await byProduct(owner, now)).values(), readOrThrow),

    /** The same, as a list has them. */
    listed: async (owner: string, now: Date): Promise<ProductConfig[]> =>
      ofReadable([...(await byProduct(owner, now)).values()], readOrThrow),

    /** @returns undefined where there is none, or a deleted one. */
    async find(owner: string, productId: string, now: Date): Promise<ProductConfig | undefined> {
      const [found] = await recordedConfigs(table, { owner, productId, isConsistent: false });
      return found && shown(found, now);
    },
  };
}
