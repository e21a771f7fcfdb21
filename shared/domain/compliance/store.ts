import { startsWith } from '../../platform/data/expressions.ts';
import { anyItem, parseStored } from '../../platform/data/stored.ts';
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

/** The recorded configs of an owner, or the one of a product, by product id. */
export async function recordedConfigs(
  table: Table,
  {
    owner,
    productId,
    isConsistent,
  }: { readonly owner: string; readonly productId?: string; readonly isConsistent: boolean },
): Promise<RecordedConfig[]> {
  const { pk, sk } = complianceKeys.config(owner, productId ?? '');
  const ofProduct = { consistent: isConsistent, ...(sk === '' ? {} : { sort: startsWith(sk) }) };
  const configs: { head: StoredConfigHead; versions: StoredConfigVersion[] }[] = [];
  for await (const page of table.query(anyItem, pk, ofProduct)) {
    for (const item of page) {
      // A head's sort key is its product's id, which those of its versions begin with.
      if (!String(item['sk']).includes('#'))
        configs.push({ head: parseStored(storedConfigHead, item), versions: [] });
      else configs.at(-1)?.versions.push(parseStored(storedConfigVersion, item));
    }
  }
  return configs;
}

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
export const createComplianceConfigs = (table: Table) => ({
  /** Every config that is not deleted, by product id. */
  async all(owner: string, now: Date): Promise<ProductConfig[]> {
    const recorded = await recordedConfigs(table, { owner, isConsistent: false });
    return recorded.flatMap((one) => shown(one, now) ?? []);
  },

  /** @returns undefined where there is none, or a deleted one. */
  async find(owner: string, productId: string, now: Date): Promise<ProductConfig | undefined> {
    const [found] = await recordedConfigs(table, { owner, productId, isConsistent: false });
    return found && shown(found, now);
  },
});
