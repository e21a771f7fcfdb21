import { storedClassKinds } from '../../shared/domain/compliance/class-kinds.ts';
import { configHeads, decidingAmong, readVersions } from '../../shared/domain/compliance/store.ts';
import {
  complianceKeys,
  type StoredConfigEntry,
  type StoredConfigHead,
  storedConfigEntry,
  storedConfigHead,
} from '../../shared/domain/compliance/stored.ts';
import { nextConfigOf } from '../../shared/domain/decision/compliance-config.ts';
import type { ListKind } from '../../shared/domain/decision/facts.ts';
import { type Boundary, renewalDateAt } from '../../shared/domain/decision/renewal.ts';
import { amendableOf } from '../../shared/domain/registry-reconciliation/visit.ts';
import {
  createHolderFacts,
  type Holder,
  noChange,
  raiseVersion,
  readHolder,
} from '../../shared/domain/registry-records/holder-facts.ts';
import type { StoredItem } from '../../shared/domain/registry-records/present-items.ts';
import { actionItem, partitionOf, registryKeys } from '../../shared/domain/registry-records/stored.ts';
import {
  actionFact,
  factKeys,
  factsAmong,
  kindOf,
  noVisits,
  type StoredFacts,
  type Visits,
} from '../../shared/domain/registry-records/stored-facts.ts';
import { lastNightBefore } from '../../shared/domain/sandbox/clocks.ts';
import { transactionItems } from '../../shared/platform/aws/limits.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/json.ts';
import { compare } from '../../shared/platform/data/keys.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import type { Table, TableItems } from '../../shared/platform/data/table.ts';
import {
  retryOnConflict,
  type TransactionItem,
  VersionConflict,
} from '../../shared/platform/data/transact.ts';
import { newYorkDate } from '../../shared/platform/dates/dates.ts';

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

/** What is stored of a holder: what stays, and the facts that are taken back. */
interface Divided {
  readonly kept: readonly StoredItem[];
  readonly later: readonly StoredItem[];
}

const skOf = ({ sk }: StoredItem): string => String(sk);

function divide(items: Iterable<StoredItem>, at: string): Divided {
  const all = Array.from(items);
  const isLater = (item: StoredItem): boolean =>
    kindOf(skOf(item)) !== undefined && String(item['recordedAt']) > at;
  return { kept: all.filter((item) => !isLater(item)), later: all.filter(isLater) };
}

/** The regulatory actions of which something is taken back, as they were then; what is reported of them likewise. */
function actionWrites(
  table: TableItems,
  { owner, npn }: Holder,
  { kept, later }: Divided,
): TransactionItem[] {
  const actionsAmong = (items: readonly StoredItem[]) =>
    items.filter((item) => kindOf(skOf(item)) === 'ACTION').map((item) => parseStored(actionFact, item));
  const before = actionsAmong(kept).sort((one, other) => compare(one.commandAt, other.commandAt));
  const keyOf = (fact: { readonly stateCode: string; readonly actionId: string }) =>
    registryKeys.action(owner, { npn, ...fact });
  const changed = new Map(actionsAmong(later).map((fact) => [keyOf(fact).sk, fact]));
  return Array.from(changed).flatMap(([sk, fact]) => {
    const action = before.findLast((one) => keyOf(one).sk === sk)?.action;
    const reported = registryKeys.reported(owner, { npn, ...fact });
    if (action === undefined) return [table.delete(reported), table.delete(keyOf(fact))];
    const isReported = kept.some((item) => skOf(item) === reported.sk);
    return [
      ...(isReported ? [table.update(reported, { fields: amendableOf(action) })] : []),
      table.put(actionItem(owner, action)),
    ];
  });
}

/** What is known of visits by what was recorded by a time. */
function visitsBy({ visits, closings }: StoredFacts, at: string): Visits {
  const verified = (kind: ListKind) =>
    Object.fromEntries(
      Object.entries(visits.verified[kind]).flatMap(([state, time]): [string, string | null][] => {
        if (time === null || time <= at) return [[state, time]];
        const last = closings
          .filter((one) => one.kind === kind && (state === 'all' || one.stateCode === state))
          .reduce((latest, { commandAt }) => (commandAt > latest ? commandAt : latest), '');
        return last === '' ? [] : [[state, last]];
      }),
    );
  const notFound = visits.notFound.filter(({ recordedAt }) => recordedAt <= at);
  const lastNotFound = notFound.at(-1)?.commandAt;
  return {
    ...visits,
    verified: { license: verified('license'), appointment: verified('appointment') },
    notFound,
    isFound: lastNotFound === undefined || closings.some(({ commandAt }) => commandAt > lastNotFound),
  };
}

function visitsWrites(
  table: TableItems,
  { owner, npn }: Holder,
  { visits }: StoredFacts,
  after: Visits,
): TransactionItem[] {
  const key = factKeys.visits(owner, npn);
  if (isDeepStrictEqual(visits, after)) return [];
  return [isDeepStrictEqual(after, noVisits) ? table.delete(key) : table.put({ ...key, ...after })];
}

/**
 * Takes back what is recorded of a holder after the present: facts, and what nights to come reported. What is held is derived again
 * from what stays. It goes on where it was interrupted.
 * @returns what stays.
 */
export function createTakeBackRecords(table: Table, now: () => Date) {
  const holderFacts = createHolderFacts(table, now);

  const isOfNightToCome = (item: StoredItem): boolean => {
    const [kind, boundary] = skOf(item).split('#', 2);
    const { renewalDate: reportedBy } = item;
    return (
      kind === 'SWEPT' && String(reportedBy) > renewalDateAt(boundary as Boundary, lastNightBefore(now()))
    );
  };

  return async (holder: Holder): Promise<StoredFacts> => {
    const pk = partitionOf(holder.owner, holder.npn);
    const facts = await retryOnConflict(async () => {
      const at = now().toISOString();
      const stored = await readHolder(table, holder);
      const divided = divide(stored.items.values(), at);
      const known = factsAmong(divided.kept);
      const gone = [...divided.kept.filter(isOfNightToCome), ...divided.later];
      const writes = [
        // These first: what is to be restored follows from the facts that are gone then.
        ...actionWrites(table.items, holder, divided),
        ...visitsWrites(table.items, holder, known, visitsBy(known, at)),
        ...gone.map((item) => table.items.delete({ pk, sk: skOf(item) })),
      ];
      let { version } = stored;
      for (const some of chunks(writes, { count: transactionItems - 1 })) {
        await table.transact([raiseVersion(table.items, holder, version), ...some]);
        version += 1;
      }
      return known;
    });
    const recorder = { by: 'reconciliation', isSilent: true } as const;
    await holderFacts.record(holder, recorder, () => noChange, { last: () => [] });
    return facts;
  };
}
