import { storedClassKinds } from '../../shared/domain/compliance/class-kinds.ts';
import { configHeads, decidingAmong, readVersions } from '../../shared/domain/compliance/store.ts';
import {
  complianceKeys,
  type StoredConfigEntry,
  type StoredConfigHead,
  storedConfigEntry,
  storedConfigHead,
} from '../../shared/domain/compliance/stored.ts';
import { nextConfigOf } from '../../shared/domain/decision/configs.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { compare } from '../../shared/platform/data/compare.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/node-util.ts';
import { retryOnConflict, VersionConflict } from '../../shared/platform/data/optimistic-lock.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import { newYorkDate } from '../../shared/platform/dates/calendar.ts';

/** The deletions of a config by then. */
const deletionsBy = ({ deletions }: StoredConfigHead, at: string): StoredConfigHead['deletions'] =>
  deletions
    .filter(({ from }) => from <= at)
    .map((one) => ({ ...one, until: one.until !== null && one.until > at ? null : one.until }));

/** Takes back the versions of configs, and what was said of classes, that an owner recorded after a time. */
export function createTakeBackConfigs(table: Table) {
  /** The head of a config with the versions that stay. */
  async function headOf(
    owner: string,
    before: StoredConfigHead,
    kept: readonly [StoredConfigEntry, ...StoredConfigEntry[]],
    now: Date,
  ): Promise<StoredConfigHead> {
    const { productId } = before;
    const at = now.toISOString();
    const [today, dayOf] = [newYorkDate(now), (time: string) => newYorkDate(new Date(time))];
    const [inForce = kept[0]] = decidingAmong(kept, [{ day: today, knownAt: at }]);
    const named = (await readVersions(table, owner, [{ ...inForce, productId }]))({ ...inForce, productId });
    const deletions = deletionsBy(before, at);
    const times = kept.map(({ recordedAt }) => recordedAt).sort(compare);
    const recordedAt = times.at(-1) ?? kept[0].recordedAt;
    return {
      ...before,
      deletions,
      updatedAt: before.updatedAt <= at ? before.updatedAt : recordedAt,
      revision: before.revision + 1,
      // Whatever is imported next is imported anew.
      recordHash: undefined,
      present: { ...inForce, productName: named.productName, productCode: named.productCode },
      isFirst: kept.every((one) => one === inForce || one.validFrom > inForce.validFrom),
      nextFrom: nextConfigOf(kept, today, at),
      recordedAt,
      recordedThatDay: times.filter((time) => dayOf(time) === dayOf(recordedAt)).length,
    };
  }

  async function takeBackConfig(owner: string, productId: string, now: Date): Promise<void> {
    const at = now.toISOString();
    const key = complianceKeys.config(owner, productId);
    const head = await table.get(storedConfigHead, key);
    if (head === undefined) return;
    const { pk } = complianceKeys.configEntry(owner, { ...head.present, productId });
    const entries = await collect(table.query(storedConfigEntry, pk, { consistent: true }));
    const [first, ...others] = entries.filter(({ recordedAt }) => recordedAt <= at);
    const later = entries.filter(({ recordedAt }) => recordedAt > at);
    const isSame = later.length === 0 && isDeepStrictEqual(deletionsBy(head, at), head.deletions);
    if (isSame && first !== undefined) return;
    if (first !== undefined) {
      const after = await headOf(owner, head, [first, ...others], now);
      if (!(await table.put({ ...key, ...after }, { revision: head.revision }))) throw new VersionConflict();
    }
    for (const entry of later) {
      // The entry last: it says that there is a version.
      await table.delete(complianceKeys.configVersion(owner, { ...entry, productId }));
      await table.delete(complianceKeys.configEntry(owner, { ...entry, productId }));
    }
    // Last, since it says where the versions are.
    if (first === undefined && !(await table.delete(key, { revision: head.revision })))
      throw new VersionConflict();
  }

  async function takeBackClassKinds(owner: string, at: string): Promise<void> {
    const key = complianceKeys.classKinds(owner);
    const before = await table.get(storedClassKinds, key);
    const versions = before?.versions.filter(({ recordedAt }) => recordedAt <= at);
    if (before === undefined || versions?.length === before.versions.length) return;
    const { revision } = before;
    if (!(await table.put({ ...key, versions, revision: revision + 1 }, { revision })))
      throw new VersionConflict();
  }

  return async (owner: string, now: Date): Promise<void> => {
    for (const { productId } of await configHeads(table, owner)) {
      await retryOnConflict(() => takeBackConfig(owner, productId, now));
    }
    await retryOnConflict(() => takeBackClassKinds(owner, now.toISOString()));
  };
}
