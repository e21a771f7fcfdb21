import * as z from 'zod/mini';
import { transactionItems } from '../../platform/aws/limits.ts';
import { isDeepStrictEqual } from '../../platform/data/json.ts';
import { anyItem, parseIfStored, storedItem } from '../../platform/data/stored.ts';
import type { Table, TableItems } from '../../platform/data/table.ts';
import {
  retryOnConflict,
  type TransactionItem,
  timeAfter,
  VersionConflict,
} from '../../platform/data/transact.ts';
import { type CalendarDate, newYorkDate } from '../../platform/dates/dates.ts';
import { coverageOf, nextChangeOf } from '../decision/coverage.ts';
import { dayAfter, never } from '../decision/dates.ts';
import {
  type Fact,
  type HolderFacts,
  isSameRow,
  type LicenseRow,
  type Recording,
} from '../decision/facts.ts';
import { type HeldRows, presentRows } from '../decision/present-rows.ts';
import { prunable } from '../decision/prune.ts';
import type { Command, Recorded, ToRecord } from '../decision/record.ts';
import type { Appointment } from '../registry/resources.ts';
import { homeItem } from './home.ts';
import { presentItems, type StoredItem } from './present-items.ts';
import { actionItem, dueDayItem, nextChangeItem, partitionOf, registryKeys } from './stored.ts';
import {
  type ActionToRecord,
  factKeys,
  factsAmong,
  kindOf,
  type RecordedLicense,
  type Recorder,
  type StoredFacts,
  type Visits,
} from './stored-facts.ts';

// What is recorded of an NPN is written in one way: facts, which are only ever added, and the items of what is held, which are
// derived from all facts. Each transaction raises the number of the holder's version, so of two writers that read the same
// one is refused and begins again; the license sweep is one of them. Where a writer stops between transactions, the next one
// derives what is left to write. Who writes something also deletes the facts that are older than they are kept.

/** The NPN that facts are about, and the organization that has them. */
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
  /** What is known of visits by then; absent where the command is none, and confirms nothing as a whole. */
  readonly visits?: ((recordedAt: string) => Visits) | undefined;
  /** What is kept for operators of rows that are set aside now. */
  readonly setAside?: readonly StoredItem[] | undefined;
}

export const noChange: HolderChange = {
  licenses: [],
  appointments: [],
  closings: [],
  actions: [],
  unread: [],
};

const nextChange = storedItem('registry-records/next-change', () => ({ day: z.string() }));

/** A write, made when its transaction is: facts have the time of their own write. */
type Write = (recordedAt: string) => TransactionItem;

/** Facts whose rows have the time of the held row that states the same under the same key. */
function keepingTimes<Row extends { readonly updatedAt: string }>(
  held: readonly HeldRows<Row>[],
  facts: readonly ToRecord<Fact<Row>>[],
): ToRecord<Fact<Row>>[] {
  const known = Map.groupBy(held, ({ stateCode, key }) => `${stateCode} ${key}`);
  return facts.map((fact) => {
    if (fact.what !== 'stated') return fact;
    const rows = known.get(`${fact.stateCode} ${fact.key}`)?.flatMap((one) => one.rows) ?? [];
    const timeOf = (row: Row) => rows.find((other) => isSameRow(row, other))?.updatedAt ?? row.updatedAt;
    return { ...fact, rows: fact.rows.map((row) => ({ ...row, updatedAt: timeOf(row) })) };
  });
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

/** What is stored with what a command adds. */
export function factsWith(
  facts: StoredFacts,
  change: HolderChange,
  by: Recorder['by'],
  at: Date,
): HolderFacts<RecordedLicense, Appointment> {
  const recordedAt = at.toISOString();
  const added = <One>(known: readonly One[], more: readonly ToRecord<One>[]): One[] => [
    ...known,
    ...more.map((one) => ({ ...one, by, recordedAt }) as One),
  ];
  return {
    ...facts,
    licenses: added(facts.licenses, change.licenses),
    appointments: added(facts.appointments, change.appointments),
    closings: added(facts.closings, change.closings),
    actions: added(facts.actions, change.actions),
    unread: added(facts.unread, change.unread),
    notFound: change.visits?.(recordedAt).notFound ?? facts.notFound,
  };
}

/** What is stored without what is older than it is kept, and the sort keys of that. */
function pruned({ owner, npn }: Holder, stored: StoredHolder, at: Date) {
  const { licenses, appointments, closings } = prunable(stored.facts, at.toISOString());
  const gone = new Set<object>([...licenses, ...appointments, ...closings]);
  const kept = <One extends object>(ones: readonly One[]): One[] => ones.filter((one) => !gone.has(one));
  const ofCommands = new Set([
    ...licenses.map((fact) => factKeys.ofCommand('LICENSE', fact)),
    ...appointments.map((fact) => factKeys.ofCommand('APPOINTMENT', fact)),
  ]);
  const sortKeys = new Set([
    ...Array.from(stored.items.keys()).filter((sk) => ofCommands.has(sk.slice(0, sk.lastIndexOf('#') + 1))),
    ...closings.map((closing) => factKeys.closing(owner, npn, closing).sk),
  ]);
  const items = new Map(Array.from(stored.items).filter(([sk]) => !sortKeys.has(sk)));
  const facts = {
    ...stored.facts,
    licenses: kept(stored.facts.licenses),
    appointments: kept(stored.facts.appointments),
    closings: kept(stored.facts.closings),
  };
  return { stored: { ...stored, facts, items }, sortKeys };
}

/** What is written of a holder. */
export interface Written {
  /** Whether it is licenses or appointments. */
  readonly isChanged: boolean;
  /** Whether it is anything on which compliance depends: these, or regulatory actions. */
  readonly isJudged: boolean;
}

/** Everything that a change of a holder writes. */
interface HolderWrites {
  readonly writes: readonly Write[];
  /**
   * What is known of visits, which every visit and every complete import writes. It raises no number: visits follow each other by
   * the mark on the subscription, and it says nothing that another writer decides by.
   */
  readonly visits: readonly Write[];
  readonly written: Written;
  /** The items as they are then, as far as regulatory actions go. */
  readonly items: ReadonlyMap<string, StoredItem>;
}

/**
 * The write of what is repeated of the holder's home states, made after those of the facts, whose times it has.
 * @param added what the change adds, by sort key; those that are written by then with their times.
 */
function homeWrites(
  table: TableItems,
  { owner, npn }: Holder,
  { items }: StoredHolder,
  added: ReadonlyMap<string, StoredItem>,
): Write[] {
  const key = factKeys.home(owner, npn);
  const stored = Array.from(items.values()).filter((item) => kindOf(String(item['sk'])) !== undefined);
  const home = () => homeItem(owner, npn, [...stored, ...added.values()]);
  const draft = home();
  if (draft === undefined) return items.has(key.sk) ? [() => table.delete(key)] : [];
  return isDeepStrictEqual(draft, items.get(key.sk)) ? [] : [() => table.put(home() ?? draft)];
}

/** Of two who read the same, a visit or a complete import, the second is refused: neither undoes what the other confirms. */
function visitsWrites(
  table: TableItems,
  { owner, npn }: Holder,
  { items }: StoredHolder,
  { visits }: HolderChange,
): Write[] {
  if (visits === undefined) return [];
  const key = factKeys.visits(owner, npn);
  const { verified, isFound, notFound } = items.get(key.sk) ?? {};
  return [(recordedAt) => table.put({ ...key, ...visits(recordedAt) }, { verified, isFound, notFound })];
}

/** No report follows a silent change: the sweep of the next day finds from when an appointment is overdue by then. */
const dueWrites = (table: TableItems, { owner, npn }: Holder, { facts }: StoredHolder, at: Date): Write[] =>
  facts.sales?.length ? [() => table.put(dueDayItem(owner, npn, dayAfter(newYorkDate(at))))] : [];

/** Whether a change makes what is known doubtful, or certain again, though nothing of it changed. */
const isDoubtful = ({ facts }: StoredHolder, { unread, visits }: HolderChange): boolean =>
  unread.length > 0 || (visits !== undefined && visits('').isFound !== facts.visits.isFound);

export function createWritesOf(table: TableItems) {
  const put =
    (item: StoredItem): Write =>
    () =>
      table.put({ ...item });

  const deletion =
    ({ owner, npn }: Holder, sk: string): Write =>
    () =>
      table.delete({ pk: partitionOf(owner, npn), sk });

  /** The items of what is held, of licenses and appointments by all facts, and those to be written or deleted. */
  function presentChanges(
    holder: Holder,
    { by, isSilent }: Recorder,
    stored: StoredHolder,
    change: HolderChange,
    at: Date,
  ) {
    const facts = factsWith(stored.facts, change, by, at);
    const present = presentItems(holder.owner, facts, at, { items: stored.items, isSilent });
    const puts = [...present.values()].filter((item) => !isDeepStrictEqual(item, stored.items.get(item.sk)));
    const gone = Array.from(stored.items.keys()).filter(
      (sk) => /^(?:LICENSE|APPOINTMENT)#/.test(sk) && !present.has(sk),
    );
    return { puts, gone, nextChange: nextChangeWrite(holder, stored, facts, newYorkDate(at)) };
  }

  /** The write of the day on which compliance may change next. A day that has come stays until the sweep has seen it. */
  function nextChangeWrite(
    holder: Holder,
    { items }: StoredHolder,
    facts: HolderFacts,
    today: CalendarDate,
  ): Write[] {
    const { owner, npn } = holder;
    const { sk } = registryKeys.nextChange(owner, npn);
    const known = parseIfStored(nextChange, items.get(sk))?.day;
    if (known !== undefined && known <= today) return [];
    const next = nextChangeOf(coverageOf(facts, never), today);
    if (next === known || (next === null && known === undefined)) return [];
    return [next === null ? deletion(holder, sk) : put(nextChangeItem(owner, npn, next))];
  }

  /** Everything to be written: closings come last, since from then on counts what a list left out. */
  function writesOf(holder: Holder, recorder: Recorder, stored: StoredHolder, said: HolderChange, at: Date) {
    const { owner, npn } = holder;
    const change = withTimes(stored, said, at);
    const { puts, gone, nextChange: next } = presentChanges(holder, recorder, stored, change, at);
    /** A fact that is stored already was written by an earlier call of the same command. */
    const added = new Map<string, StoredItem>();
    const facts = <One extends StoredItem>(
      ones: readonly One[],
      keyOf: (one: One) => { readonly pk: string; readonly sk: string },
    ): Write[] =>
      ones
        .map((one) => ({ ...keyOf(one), ...one, ...recorder }))
        .filter((item) => !stored.items.has(item.sk))
        .map((item) => {
          added.set(item.sk, item);
          return (recordedAt) => {
            const written = { ...item, recordedAt };
            added.set(item.sk, written);
            return table.put(written);
          };
        });
    const items = new Map(stored.items);
    const actions = change.actions.flatMap((one): Write[] => {
      const fact = facts([one], (action) => factKeys.action(owner, npn, action));
      const key = registryKeys.action(owner, { npn, ...one });
      if (one.what === 'retracted') {
        items.delete(key.sk);
        return [...fact, deletion(holder, key.sk)];
      }
      const item = actionItem(owner, one.action);
      items.set(key.sk, item);
      return [...fact, put(item)];
    });
    // Rows that are set aside come first: by what follows, nobody is more certain than they let be.
    const unread = [
      ...facts(change.unread, (one) => factKeys.unread(owner, npn, one)),
      ...(change.setAside ?? []).map(put),
    ];
    const held = [
      ...facts(change.licenses, (one) => factKeys.fact(owner, npn, 'LICENSE', one)),
      ...facts(change.appointments, (one) => factKeys.fact(owner, npn, 'APPOINTMENT', one)),
      ...puts.map(put),
      ...gone.map((sk) => deletion(holder, sk)),
      ...facts(change.closings, (one) => factKeys.closing(owner, npn, one)),
    ];
    const isChanged = held.length > 0;
    const due = isChanged && recorder.isSilent ? dueWrites(table, holder, stored, at) : [];
    const writes = [
      ...next,
      ...unread,
      ...actions,
      ...held,
      ...homeWrites(table, holder, stored, added),
      ...due,
    ];
    const visits = visitsWrites(table, holder, stored, change);
    const isJudged = isChanged || isDoubtful(stored, change) || actions.length > 0;
    return { writes, visits, written: { isChanged, isJudged }, items };
  }

  /** Derives what a change writes into the table; nothing where all of it is stored. */
  return (
    holder: Holder,
    recorder: Recorder,
    stored: StoredHolder,
    change: HolderChange,
    at: Date,
  ): HolderWrites => {
    const found = writesOf(holder, recorder, stored, change, at);
    if (found.writes.length === 0) return found;
    const old = pruned(holder, stored, at);
    if (old.sortKeys.size === 0) return found;
    const { writes, ...rest } = writesOf(holder, recorder, old.stored, change, at);
    return { ...rest, writes: [...Array.from(old.sortKeys, (sk) => deletion(holder, sk)), ...writes] };
  };
}

// Commands follow each other by their times, so no two that concern a holder may have the same one.

const recordings = ({
  licenses,
  appointments,
  closings,
  actions,
  unread,
  notFound,
}: HolderFacts<LicenseRow>): readonly Recording[] => [
  ...licenses,
  ...appointments,
  ...closings,
  ...actions,
  ...unread,
  ...notFound,
];

const plusOne = (time: string): string => new Date(Date.parse(time) + 1).toISOString();

/** The time of a poll of the registry: later than every command that it knows of, however clocks differ. */
export function pollTime(facts: HolderFacts<LicenseRow>, now: Date): string {
  const last = recordings(facts).reduce((time, { commandAt }) => (commandAt > time ? commandAt : time), '');
  const time = now.toISOString();
  return time > last ? time : plusOne(last);
}

/** The time of an import among the commands that concern a holder: its own, unless another command has that very one. */
export function importTime(facts: HolderFacts<LicenseRow>, { commandId, commandAt }: Command): string {
  const known = recordings(facts);
  const own = known.find((one) => one.commandId === commandId);
  if (own !== undefined) return own.commandAt;
  const taken = new Set(known.map((one) => one.commandAt));
  let time = commandAt;
  while (taken.has(time)) time = plusOne(time);
  return time;
}

const holderVersion = storedItem('registry-records/holder-version', () => ({ version: z.int() }));

/** Reads what is stored of a holder; nothing of it is older than its version. */
export async function readHolder(table: Table, { owner, npn }: Holder): Promise<StoredHolder> {
  const items = new Map<string, StoredItem>();
  for await (const page of table.query(anyItem, partitionOf(owner, npn), { consistent: true })) {
    for (const item of page) items.set(String(item['sk']), item);
  }
  const version = parseIfStored(holderVersion, items.get(registryKeys.version(owner, npn).sk));
  return { version: version?.version ?? 0, facts: factsAmong(items.values()), items };
}

/** Raises the version of a holder: of two writers that read the same one, the second is refused with VersionConflict. */
export const raiseVersion = (items: TableItems, { owner, npn }: Holder, version: number): TransactionItem =>
  items.update(
    registryKeys.version(owner, npn),
    { version: version + 1 },
    { version: version === 0 ? undefined : version },
    () => new VersionConflict('Another writer changed the records of the holder.'),
  );

/** Items that the transactions contain besides. */
export interface AdditionalItems {
  /** An item of each transaction but the last. */
  readonly guard?: TransactionItem | undefined;
  /**
   * Items of the last transaction, three at most.
   * @param written what is written; where something is, some of it with these items.
   */
  readonly last: (written: Written) => readonly TransactionItem[];
}

/** Writes of a transaction, besides its version, what is known of visits, and its guard or the last items. */
const writesAtOnce = transactionItems - 5;

/** When something was last recorded of a holder; empty where nothing was. */
const lastRecorded = ({ items }: StoredHolder): string =>
  Array.from(items.values()).reduce((last, { recordedAt }) => {
    const time = typeof recordedAt === 'string' ? recordedAt : '';
    return time > last ? time : last;
  }, '');

export function createHolderFacts(table: Table, now: () => Date) {
  const writesOf = createWritesOf(table.items);

  return {
    /**
     * Decides upon what is stored what to record, and writes it, with what is held by then; again when another writer came
     * first. After a failure a repetition goes on with what is left.
     * @param decide what it reads was written by everybody whose transactions are done. It must not have effects.
     * @returns whether licenses or appointments were written, and the regulatory actions among the items as they are now.
     * @throws TransactionContention when other writers were faster each time; what the accompaniment is refused with.
     */
    record: (
      holder: Holder,
      recorder: Recorder,
      decide: (stored: StoredHolder) => HolderChange,
      { guard, last }: AdditionalItems,
    ) =>
      retryOnConflict(async () => {
        const stored = await readHolder(table, holder);
        const found = writesOf(holder, recorder, stored, decide(stored), now());
        const { written: what, items } = found;
        const writes = [...found.writes];
        let { version } = stored;
        let recordedAt = lastRecorded(stored);
        const written = (some: readonly Write[]): TransactionItem[] => {
          recordedAt = timeAfter(now(), recordedAt).toISOString();
          return some.map((write) => write(recordedAt));
        };
        const guards = guard === undefined ? [] : [guard];
        while (writes.length > writesAtOnce) {
          const some = writes.splice(0, writesAtOnce);
          await table.transact([...guards, raiseVersion(table.items, holder, version), ...written(some)]);
          version += 1;
        }
        const rest = [
          ...last(what),
          ...(writes.length > 0 ? [raiseVersion(table.items, holder, version), ...written(writes)] : []),
          ...written(found.visits),
        ];
        await table.transact(rest);
        return { isChanged: what.isChanged, items };
      }),
  };
}
