import * as z from 'zod/mini';
import { entriesInOrder } from '../../platform/changes/change-index.ts';
import { object } from '../../platform/contract/object.ts';
import { isoDate, timestamp } from '../../platform/contract/primitives.ts';
import { collect, mapConcurrently } from '../../platform/data/concurrently.ts';
import { startsWith } from '../../platform/data/expressions.ts';
import { isDeepStrictEqual } from '../../platform/data/json.ts';
import { compare } from '../../platform/data/keys.ts';
import { anyItem, ofReadable, parseStored } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { knownOn, writtenDate } from '../decision/dates.ts';
import { inFixedOrder, type ListKind } from '../decision/facts.ts';
import { npn } from '../identifiers/identifiers.ts';
import { appointment, license, type RegulatoryAction, regulatoryAction } from '../registry/resources.ts';
import type { StoredItem } from './present-items.ts';
import { npnOfPartition, versionsOf } from './stored.ts';
import { actionFact, appointmentFact, closing, factKeys, licenseFact, recorders } from './stored-facts.ts';

/** What the registry has records of. */
export const recordKinds = ['license', 'appointment', 'regulatory action'] as const;

type RecordKind = (typeof recordKinds)[number];

const changeOf = <const Kind extends RecordKind, Shown extends z.core.$ZodType>(kind: Kind, record: Shown) =>
  object(() => ({
    npn,
    kind: z.literal(kind),
    change: z.enum(['added', 'changed', 'removed']),
    changedFields: z.nullable(z.array(z.string())),
    before: z.nullable(record),
    after: z.nullable(record),
    validFrom: z.nullable(isoDate),
    recordedAt: timestamp,
    recordedBy: z.enum(recorders),
  }));

export const licenseChange = changeOf('license', license);
export const appointmentChange = changeOf('appointment', appointment);
export const actionChange = changeOf('regulatory action', regulatoryAction);

/** A version that was recorded of a license, an appointment, or a regulatory action, with the one before it. */
export const registryChange = z.union([licenseChange, appointmentChange, actionChange]);

type RegistryChange = z.output<typeof registryChange>;

// What was recorded, as those who follow it see it: each version with the one before it, in the order of recording. An index
// has when each was recorded; what it was a change of follows from what was recorded of the same license, appointment, or
// action before, which is never changed.

/** What is wanted of what was recorded; filters combine. */
interface VersionFilters {
  readonly npn?: string | undefined;
  readonly stateCode?: string | undefined;
  readonly kind?: RecordKind | undefined;
}

/** What a command stated of a term, a status change, or an action, or that it is no longer there. */
interface Statement<Row> extends Omit<z.output<typeof licenseFact>, 'rows' | 'isSilent'> {
  /** The sort key of the item by which the index has it, and when that was recorded: what a list left out, with the list. */
  readonly sk: string;
  readonly recordedAt: string;
  readonly rows: readonly Row[];
}

/** A change, and the sort key of the item by which the index has it. */
interface Found {
  readonly sk: string;
  readonly change: RegistryChange;
}

const skOf = (item: StoredItem): string => String(item['sk']);

/** What the item of a sort key is of. */
function readSortKey(sk: string): { readonly kind: string; readonly stateCode: string } {
  const [, stateCode = '', what = '', list = ''] = sk.split('#', 4);
  if (what === 'ACTION') return { kind: 'regulatory action', stateCode };
  return { kind: what === 'CLOSED' ? list : what.toLowerCase(), stateCode };
}

const isWanted =
  (filters: VersionFilters) =>
  ({ sk }: { readonly sk: string }): boolean => {
    const { kind, stateCode } = readSortKey(sk);
    return (filters.kind ?? kind) === kind && (filters.stateCode ?? stateCode) === stateCode;
  };

/** What was stated of licenses or appointments, and what complete lists left out. */
function statementsOf<Fact extends Omit<Statement<unknown>, 'sk' | 'rows'> & { readonly rows: object[] }>(
  items: readonly StoredItem[],
  kind: ListKind,
  parse: (item: StoredItem) => Fact,
): Statement<Fact['rows'][number]>[] {
  const ofKind = items.filter((item) => readSortKey(skOf(item)).kind === kind);
  const [closed = [], facts = []] = [true, false].map((isClosing) =>
    ofKind.filter((item) => skOf(item).includes('#CLOSED#') === isClosing),
  );
  const listOf = ({ stateCode, commandId }: { stateCode: string; commandId: string }): string =>
    `${stateCode} ${commandId}`;
  const lists = new Map(
    closed.map((item) => {
      const list = parseStored(closing, item);
      return [listOf(list), { sk: skOf(item), recordedAt: list.recordedAt }];
    }),
  );
  return facts.flatMap((item): Statement<Fact['rows'][number]>[] => {
    const fact = parse(item);
    if (fact.what !== 'left out') return [{ ...fact, sk: skOf(item) }];
    const list = lists.get(listOf(fact));
    return list === undefined ? [] : [{ ...fact, ...list }];
  });
}

/** What the state, the holder, and the number or name say of a term or a status change, without its date. */
const withoutDate = ({ stateCode, key }: { readonly stateCode: string; readonly key: string }): string =>
  `${stateCode} ${key.slice(0, key.lastIndexOf('#'))}`;

const rank = ({ what }: Statement<unknown>): number => (what === 'stated' ? 0 : 1);

/** The fields in which two rows differ that callers see; when the service wrote them is none. */
function differing(before: object, after: object): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => name !== 'updatedAt' && !isDeepStrictEqual(old.get(name), now.get(name)),
  );
}

/** The rows that one version has instead of another's; all of them, where they are the same. */
function pairsOf<Row extends object>(before: readonly Row[], after: readonly Row[]) {
  const isAmong = (rows: readonly Row[], row: Row) => rows.some((one) => differing(one, row).length === 0);
  const gone = before.filter((row) => !isAmong(after, row));
  const come = after.filter((row) => !isAmong(before, row));
  const [old, now] = gone.length + come.length === 0 ? [before, after] : [gone, come];
  const [oldRows, newRows] = [inFixedOrder(old), inFixedOrder(now)];
  return Array.from({ length: Math.max(oldRows.length, newRows.length) }, (_, index) => ({
    before: oldRows[index] ?? null,
    after: newRows[index] ?? null,
  }));
}

/**
 * The changes of a holder's terms, status changes, or actions, in the order of recording. What a list states instead of
 * what it leaves out of the same license or appointment, as a reissue or a termination, is a change of it.
 *
 * @param beginOf the first day that a row counts for, where no import says, given that of the version before; null where nothing
 * says.
 */
function changesAmong<Row extends object, Kind extends RecordKind>(
  npn: string,
  kind: Kind,
  statements: readonly Statement<Row>[],
  beginOf: (row: Row, before: string | null) => string | null,
) {
  const inOrder = statements.toSorted(
    (one, other) =>
      compare(one.recordedAt, other.recordedAt) ||
      rank(one) - rank(other) ||
      compare(one.validFrom ?? '', other.validFrom ?? '') ||
      compare(one.sk, other.sk),
  );
  const placeOf = ({ stateCode, key }: Statement<Row>): string => `${stateCode} ${key}`;
  const listed = (one: Statement<Row>): string => `${one.commandId} ${one.recordedAt} ${withoutDate(one)}`;
  const leftOut = Map.groupBy(
    inOrder.filter(({ what }) => what === 'left out'),
    listed,
  );
  const standing = new Map<string, readonly Row[]>();
  const begins = new Map<string, string | null>();
  const take = (place: string): readonly Row[] => {
    const rows = standing.get(place) ?? [];
    standing.delete(place);
    return rows;
  };
  return inOrder.flatMap((statement) => {
    const { sk, what, rows, validFrom, recordedAt, by, commandAt } = statement;
    const place = placeOf(statement);
    const own = take(place);
    const replaced = leftOut.get(listed(statement))?.findLast((one) => standing.has(placeOf(one)));
    const before = own.length > 0 || replaced === undefined ? own : take(placeOf(replaced));
    if (rows.length > 0) standing.set(place, rows);
    const [row] = rows;
    if (row !== undefined) begins.set(place, validFrom ?? beginOf(row, begins.get(place) ?? null));
    return pairsOf(before, rows).map((pair) => ({
      sk,
      change: {
        npn,
        kind,
        ...pair,
        change: pair.before === null ? 'added' : pair.after === null ? 'removed' : 'changed',
        changedFields:
          pair.before === null || pair.after === null ? null : differing(pair.before, pair.after),
        validFrom:
          what === 'stated' ? (begins.get(place) ?? null) : what === 'left out' ? knownOn(commandAt) : null,
        recordedAt,
        recordedBy: by,
      } as const,
    }));
  });
}

const dateOf = (date: string | null): string | null => (date === null ? null : writtenDate(date));

/** Everything that was recorded of a holder, or of one in a state, as far as the items are of it. */
function changesOf(npn: string, items: readonly StoredItem[]): Found[] {
  const licenses = statementsOf(items, 'license', (item) => {
    const fact = parseStored(licenseFact, item);
    // When it became known is not shown.
    return { ...fact, rows: fact.rows.map(({ createdAt: _, ...row }) => row) };
  });
  const appointments = statementsOf(items, 'appointment', (item) => parseStored(appointmentFact, item));
  const actions = items.flatMap((item): Statement<RegulatoryAction>[] => {
    if (readSortKey(skOf(item)).kind !== 'regulatory action') return [];
    const { action, actionId: key, ...fact } = parseStored(actionFact, item);
    return [{ ...fact, key, sk: skOf(item), rows: action === undefined ? [] : [action], validFrom: null }];
  });
  return [
    ...changesAmong(npn, 'license', licenses, ({ issueDate }, before) => before ?? dateOf(issueDate)),
    ...changesAmong(npn, 'appointment', appointments, ({ statusChangeDate }) => dateOf(statusChangeDate)),
    ...changesAmong(npn, 'regulatory action', actions, ({ effectiveDate }) => dateOf(effectiveDate)),
  ];
}

/** Versions of one transaction stay in their order for each holder and kind. */
const oldestFirst = (changes: readonly RegistryChange[]): RegistryChange[] =>
  changes.toSorted(
    (one, other) =>
      compare(one.recordedAt, other.recordedAt) ||
      compare(one.npn, other.npn) ||
      compare(one.kind, other.kind),
  );

/** Holders that are read at the same time. */
const holdersAtOnce = 16;

/** Reads what was recorded of an organization's licenses, appointments, and regulatory actions. */
export function createRecordedVersions(table: Table<'by-change'>) {
  /** Consistent: an index may show an item sooner than an eventually consistent read of the table does. */
  const itemsOf = (pk: string, prefix: string): Promise<StoredItem[]> =>
    collect(table.query(anyItem, pk, { sort: startsWith(prefix), consistent: true }));

  return {
    /** What was recorded at a time (`toISOString`) or later, oldest first, page by page. */
    async *since(owner: string, since: string, filters: VersionFilters): AsyncGenerator<RegistryChange[]> {
      const { npn } = filters;
      if (npn !== undefined) {
        const { pk, skPrefix } = factKeys.ofNpn(owner, npn);
        const items = await itemsOf(pk, skPrefix);
        const found = ofReadable([npn], () => changesOf(npn, items))
          .flat()
          .filter(isWanted(filters));
        yield oldestFirst(found.map(({ change }) => change)).filter(({ recordedAt }) => recordedAt >= since);
        return;
      }
      for await (const entries of entriesInOrder(table, versionsOf(owner), since)) {
        const wanted = entries.filter(isWanted(filters));
        const keys = new Set(wanted.map(({ pk, sk }) => `${pk} ${sk}`));
        // Of one holder and state everything is read, since what is before a version may be older.
        const places = Map.groupBy(
          wanted,
          ({ pk, sk }) => `${pk} ${factKeys.inState(readSortKey(sk).stateCode)}`,
        );
        const found = await mapConcurrently(places.keys(), holdersAtOnce, async (place) => {
          const [pk = '', prefix = ''] = place.split(' ');
          const items = await itemsOf(pk, prefix);
          // What was recorded after an item that can't be read may be a change of it.
          const changes = ofReadable([npnOfPartition(pk)], (holder) => changesOf(holder, items)).flat();
          return changes.filter(({ sk }) => keys.has(`${pk} ${sk}`));
        });
        yield oldestFirst(found.flat().map(({ change }) => change));
      }
    },
  };
}
