import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { transactionItems } from '../../platform/aws/limits.ts';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import { retryOnConflict, VersionConflict } from '../../platform/data/optimistic-lock.ts';
import { partitionQuery, queryPages } from '../../platform/data/query-pages.ts';
import { parseIfStored } from '../../platform/data/stored.ts';
import { type TransactionItem, transact, unconditional } from '../../platform/data/transact.ts';
import { type CalendarDate, newYorkDate } from '../../platform/dates/calendar.ts';
import { coverageOf, nextChangeAmong } from '../decision/coverage.ts';
import { never } from '../decision/dates.ts';
import type { Fact, HolderFacts } from '../decision/facts.ts';
import { type HeldRows, presentRows } from '../decision/present-rows.ts';
import { prunable } from '../decision/prune.ts';
import { isSameRow, type Recorded, type ToRecord } from '../decision/record.ts';
import type { Appointment } from './appointment.ts';
import { presentItems, type StoredItem } from './present-items.ts';
import { actionItem, nextChangeItem, partitionOf, registryKeys } from './stored.ts';
import {
  type ActionToRecord,
  factKeys,
  factsAmong,
  type Origin,
  type RecordedLicense,
  type StoredFacts,
} from './stored-facts.ts';

// What is recorded of an NPN is written in one way: facts, which are only ever added, and the items of what is held, which are
// derived from all facts. Each transaction raises the number of the holder's version, so of two writers that read the same
// one is refused and begins again. Where a writer stops between transactions, the next one derives what is left to write. Who
// writes something also deletes the facts that are older than they are kept.

/** Whose records they are. */
export interface Holder {
  readonly owner: string;
  readonly npn: string;
}

/** What is stored of a holder. */
export interface StoredHolder {
  readonly version: number;
  readonly facts: StoredFacts;
  /** All items by sort key. */
  readonly items: ReadonlyMap<string, StoredItem>;
}

/** What a command adds. */
export interface HolderChange extends Recorded<RecordedLicense, Appointment> {
  readonly actions: readonly ActionToRecord[];
}

export const noChange: HolderChange = { licenses: [], appointments: [], closings: [], actions: [] };

/** What the transactions contain besides. */
export interface Accompaniment {
  /** An item of each transaction but the last. */
  readonly guard?: TransactionItem | undefined;
  /**
   * Items of the last transaction, three at most.
   * @param isChanged whether licenses or appointments are written; where they are, some of them with these items.
   */
  readonly last: (isChanged: boolean) => readonly TransactionItem[];
}

export interface HolderRecords {
  /**
   * Decides upon what is stored what to record, and writes it, with what is held by then; again when another writer came
   * first. After a failure a repetition goes on with what is left.
   * @param decide what it reads was written by everybody whose transactions are done. It must not have effects.
   * @returns whether licenses or appointments were written, and the regulatory actions among the items as they are now.
   * @throws TransactionContention when other writers were faster each time; what the accompaniment is refused with.
   */
  record(
    holder: Holder,
    origin: Origin,
    decide: (stored: StoredHolder) => HolderChange,
    accompaniment: Accompaniment,
  ): Promise<{ readonly isChanged: boolean; readonly items: ReadonlyMap<string, StoredItem> }>;
}

const holderVersion = compatible(
  'registry-records/holder-version',
  lazyObject(() => ({ version: z.int() })),
);

const nextChange = compatible(
  'registry-records/next-change',
  lazyObject(() => ({ day: z.string() })),
);

/** Writes of a transaction, besides its version, and its guard or the last items. */
const writesAtOnce = transactionItems - 4;

/** A write, made when its transaction is: facts have the time of their own write. */
type Write = (recordedAt: string) => TransactWriteItem;

/** Facts whose rows have the time of the held row that states the same under the same key. */
function keepingTimes<Row extends { readonly updatedAt: string }>(
  held: readonly HeldRows<Row>[],
  facts: readonly ToRecord<Fact<Row>>[],
): ToRecord<Fact<Row>>[] {
  const known = groupBy(held, ({ stateCode, key }) => `${stateCode} ${key}`);
  return facts.map((fact) => {
    if (fact.what !== 'stated') return fact;
    const rows = known.get(`${fact.stateCode} ${fact.key}`)?.flatMap((one) => one.rows) ?? [];
    const timeOf = (row: Row) => rows.find((other) => isSameRow(row, other))?.updatedAt ?? row.updatedAt;
    return { ...fact, rows: fact.rows.map((row) => ({ ...row, updatedAt: timeOf(row) })) };
  });
}

export function createHolderRecords(client: DynamoDBClient, table: string, now: () => Date): HolderRecords {
  async function read({ owner, npn }: Holder): Promise<StoredHolder> {
    const items = new Map<string, StoredItem>();
    const query = { ...partitionQuery(table, partitionOf(owner, npn)), ConsistentRead: true };
    for await (const page of queryPages(client, query)) {
      for (const item of page) items.set(item['sk']?.S ?? '', unmarshall(item));
    }
    const version = parseIfStored(holderVersion, items.get(registryKeys.version(owner, npn).sk));
    return { version: version?.version ?? 0, facts: factsAmong(items.values()), items };
  }

  const put = (item: StoredItem): TransactWriteItem => ({
    Put: { TableName: table, Item: toItem({ ...item }) },
  });

  const deletion =
    ({ owner, npn }: Holder, sk: string): Write =>
    () => ({ Delete: { TableName: table, Key: toItem({ pk: partitionOf(owner, npn), sk }) } });

  /** The items of what is held, of licenses and appointments by all facts, and those to be written or deleted. */
  function presentChanges(
    holder: Holder,
    { isQuiet }: Origin,
    stored: StoredHolder,
    change: HolderChange,
    at: Date,
  ) {
    const recordedAt = at.toISOString();
    const added = <One>(known: readonly One[], more: readonly Omit<One, 'recordedAt'>[]): One[] => [
      ...known,
      ...more.map((one) => ({ ...one, recordedAt }) as One),
    ];
    const { licenses, appointments, closings } = stored.facts;
    const facts = {
      licenses: added(licenses, change.licenses),
      appointments: added(appointments, change.appointments),
      closings: added(closings, change.closings),
    };
    const present = presentItems(holder.owner, facts, at, { items: stored.items, isQuiet });
    const puts = [...present.values()].filter((item) => !isDeepStrictEqual(item, stored.items.get(item.sk)));
    const gone = Array.from(stored.items.keys()).filter(
      (sk) => /^(?:LICENSE|APPOINTMENT)#/.test(sk) && !present.has(sk),
    );
    return { puts, gone, nextChange: nextChangeWrite(holder, stored, facts, newYorkDate(at)) };
  }

  /** The write of the day on which compliance may change next. One that has come stays until the sweep has seen it. */
  function nextChangeWrite(
    { owner, npn }: Holder,
    { items }: StoredHolder,
    facts: HolderFacts,
    today: CalendarDate,
  ): TransactWriteItem[] {
    const known = parseIfStored(nextChange, items.get(registryKeys.nextChange(owner, npn).sk))?.day;
    if (known !== undefined && known <= today) return [];
    const next = nextChangeAmong(coverageOf(facts, never), today);
    if (next === known || (next === null && known === undefined)) return [];
    return [
      next === null
        ? { Delete: { TableName: table, Key: toItem(registryKeys.nextChange(owner, npn)) } }
        : put(nextChangeItem(owner, npn, next)),
    ];
  }

  /** The change, whose rows that another row of their term or appointment restates keep the time of their last change. */
  function withTimes({ facts }: StoredHolder, change: HolderChange, at: Date): HolderChange {
    const areSeveral = [...change.licenses, ...change.appointments].some(
      (fact) => fact.what === 'stated' && fact.rows.length > 1,
    );
    if (!areSeveral) return change;
    const held = presentRows(facts, newYorkDate(at));
    return {
      ...change,
      licenses: keepingTimes(held.licenses, change.licenses),
      appointments: keepingTimes(held.appointments, change.appointments),
    };
  }

  /** Everything to be written: closings come last, since from then on counts what a list left out. */
  function writesOf(holder: Holder, origin: Origin, stored: StoredHolder, decided: HolderChange, at: Date) {
    const { owner, npn } = holder;
    const change = withTimes(stored, decided, at);
    const { puts, gone, nextChange: next } = presentChanges(holder, origin, stored, change, at);
    /** A fact that is stored already was written by an earlier call of the same command. */
    const facts = <One extends object>(
      ones: readonly One[],
      keyOf: (one: One) => { readonly pk: string; readonly sk: string },
    ): Write[] =>
      ones
        .map((one) => ({ ...keyOf(one), ...one, ...origin }))
        .filter(({ sk }) => !stored.items.has(sk))
        .map((item) => (recordedAt) => put({ ...item, recordedAt }));
    const items = new Map(stored.items);
    const actions = change.actions.flatMap((one): Write[] => {
      const fact = facts([one], (action) => factKeys.action(owner, npn, action));
      const key = registryKeys.action(owner, { npn, ...one });
      if (one.action === undefined) {
        items.delete(key.sk);
        return [...fact, () => ({ Delete: { TableName: table, Key: toItem(key) } })];
      }
      const item = actionItem(owner, one.action);
      items.set(key.sk, item);
      return [...fact, () => put(item)];
    });
    const judged = [
      ...facts(change.licenses, (one) => factKeys.fact(owner, npn, 'LICENSE', one)),
      ...facts(change.appointments, (one) => factKeys.fact(owner, npn, 'APPOINTMENT', one)),
      ...puts.map(
        (item): Write =>
          () =>
            put(item),
      ),
      ...gone.map((sk) => deletion(holder, sk)),
      ...facts(change.closings, (one) => factKeys.closing(owner, npn, one)),
    ];
    return {
      writes: [...actions, ...next.map((write) => () => write), ...judged],
      isChanged: judged.length > 0,
      items,
    };
  }

  /** What is stored without what is older than it is kept, and the deletions of that. */
  function pruned({ owner, npn }: Holder, stored: StoredHolder, at: Date) {
    const { licenses, appointments, closings } = prunable(stored.facts, at.toISOString());
    const gone = new Set<object>([...licenses, ...appointments, ...closings]);
    const kept = <One extends object>(ones: readonly One[]): One[] => ones.filter((one) => !gone.has(one));
    const ofCommands = new Set([
      ...licenses.map((fact) => factKeys.ofCommand('LICENSE', fact)),
      ...appointments.map((fact) => factKeys.ofCommand('APPOINTMENT', fact)),
    ]);
    const keys = [
      ...Array.from(stored.items.keys()).filter((sk) => ofCommands.has(sk.slice(0, sk.lastIndexOf('#') + 1))),
      ...closings.map((closing) => factKeys.closing(owner, npn, closing).sk),
    ];
    const facts = {
      ...stored.facts,
      licenses: kept(stored.facts.licenses),
      appointments: kept(stored.facts.appointments),
      closings: kept(stored.facts.closings),
    };
    return { stored: { ...stored, facts }, deletions: keys.map((sk) => deletion({ owner, npn }, sk)) };
  }

  /** Raises the version of a holder. */
  const versionFrom = ({ owner, npn }: Holder, version: number): TransactionItem => ({
    write: {
      Update: {
        TableName: table,
        Key: toItem(registryKeys.version(owner, npn)),
        UpdateExpression: 'SET version = :next',
        ...(version === 0
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : { ConditionExpression: 'version = :version' }),
        ExpressionAttributeValues: toItem({
          ':next': version + 1,
          ...(version === 0 ? {} : { ':version': version }),
        }),
      },
    },
    refused: () => new VersionConflict('Another writer changed the records of the holder.'),
  });

  const written = (writes: readonly Write[]): TransactionItem[] => {
    const recordedAt = now().toISOString();
    return writes.map((write) => unconditional(write(recordedAt)));
  };

  return {
    record: (holder, origin, decide, { guard, last }) =>
      retryOnConflict(async () => {
        const stored = await read(holder);
        const change = decide(stored);
        const found = writesOf(holder, origin, stored, change, now());
        const old = found.writes.length === 0 ? undefined : pruned(holder, stored, now());
        const { isChanged, items, ...more } =
          old === undefined || old.deletions.length === 0
            ? found
            : writesOf(holder, origin, old.stored, change, now());
        const writes = [...(old?.deletions ?? []), ...more.writes];
        let { version } = stored;
        const guards = guard === undefined ? [] : [guard];
        while (writes.length > writesAtOnce) {
          const some = writes.splice(0, writesAtOnce);
          await transact(client, [...guards, versionFrom(holder, version), ...written(some)]);
          version += 1;
        }
        const rest = [
          ...last(isChanged),
          ...(writes.length > 0 ? [versionFrom(holder, version), ...written(writes)] : []),
        ];
        if (rest.length > 0) await transact(client, rest);
        return { isChanged, items };
      }),
  };
}
