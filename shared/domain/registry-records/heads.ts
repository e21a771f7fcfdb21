import { isDeepStrictEqual } from '#platform/data/json.ts';
import { type Coverage, emptyState, isResident, type StateCoverage } from '../decision/coverage.ts';
import type { DatedSource } from '../decision/dated.ts';
import type { Mark } from '../decision/days.ts';
import type { Holding } from '../decision/holdings.ts';
import type { RecordKind, RowsOfKinds } from '../decision/records.ts';
import type { DatedRow, Statement } from '../decision/statements.ts';

// A head: what is known of a holder in a state, as the fold left it, in the form in which it is stored. Each row and statement is
// there once, and is named by its place.

type Moment = Omit<Statement, 'rows'>;

/** A span, with the places of the row and the statement that say so. */
interface PackedSpan {
  readonly from: string;
  readonly mark?: Pick<Mark, 'is' | 'begins'> & {
    readonly row: number;
    readonly statement: number;
  };
}

interface PackedHolding<Row> extends Pick<Holding, 'key' | 'recordedAt'> {
  readonly rows: readonly Row[];
  /** Places of row and statement. */
  readonly said: readonly (readonly [number, number])[];
  readonly days: readonly PackedSpan[];
  readonly lines: readonly PackedHolding<DatedRow>[];
}

/** Stored form of a holder's coverage in a state. */
export interface StateHead<Rows extends RowsOfKinds = RowsOfKinds>
  extends Pick<StateCoverage<Rows>, 'orders' | 'actions' | 'takenBack' | 'filedAt'> {
  readonly statements: readonly Moment[];
  readonly licenses: readonly PackedHolding<DatedSource<Rows['license']>>[];
  readonly appointments: readonly PackedHolding<DatedSource<Rows['appointment']>>[];
  readonly unread: readonly RecordKind[];
}

/** Places in a list, to which what is new is added. */
function placesIn<Item>(keyOf: (item: Item) => unknown, storedForm: (item: Item) => Item) {
  const items: Item[] = [];
  const places = new Map<unknown, number>();
  return {
    items,
    of(item: Item): number {
      const key = keyOf(item);
      const place = places.get(key) ?? items.length;
      if (place === items.length) {
        places.set(key, place);
        items.push(storedForm(item));
      }
      return place;
    },
  };
}

/** Days that follow each other and are marked alike are one span: a report that says the same again changes no head. */
const withoutRepetitions = <Row>({ days, lines, ...holding }: PackedHolding<Row>): PackedHolding<Row> => ({
  ...holding,
  days: days.filter(({ mark }, index) => index === 0 || !isDeepStrictEqual(mark, days[index - 1]?.mark)),
  lines: lines.map(withoutRepetitions),
});

/** The head of what is known of a holder in a state. */
export function headOf<Rows extends RowsOfKinds>({
  licenses,
  appointments,
  unread,
  sales: _sales,
  ...otherFields
}: StateCoverage<Rows>): StateHead<Rows> {
  const statements = placesIn<Moment>(
    ({ id, at: itemAt }) => `${itemAt} ${id}`,
    ({ id, at: itemAt, recordedAt, knownOn, by, isComplete }) => ({
      id,
      at: itemAt,
      recordedAt,
      knownOn,
      by,
      isComplete,
    }),
  );
  const packHolding = <Row extends DatedRow>(
    { key, recordedAt, said, days, lines }: Holding<Row>,
    isLine = false,
  ): PackedHolding<Row> => {
    // The lines of a row are holdings of their own.
    const rows = placesIn<Row>(
      (row) => JSON.stringify(row),
      ({ lines: _lines, ...row }) => row as Row,
    );
    // Of a line, each row once: nothing is answered by when it was said again.
    const keptRows = isLine
      ? [...new Map(said.toReversed().map((statedRow) => [rows.of(statedRow.row), statedRow])).values()]
      : said;
    const places = keptRows.map(({ row, statement }) => [rows.of(row), statements.of(statement)] as const);
    return {
      key,
      ...(recordedAt === undefined ? {} : { recordedAt }),
      said: places,
      days: days.map(({ from, mark }) => {
        if (mark === undefined) return { from };
        const { is, begins } = mark;
        const row = rows.of(mark.row);
        // A report that says the same again changes no head: the statement that said it first stands for it.
        const first = keptRows.findLast(
          ({ statement: { isComplete } }, index) =>
            is !== 'left out' &&
            places[index]?.[0] === row &&
            (isLine || isComplete === mark.statement.isComplete),
        );
        return {
          from,
          mark: { is, begins, row, statement: statements.of(first?.statement ?? mark.statement) },
        };
      }),
      rows: rows.items,
      lines: lines.map((line) => packHolding(line, true)),
    };
  };
  return {
    licenses: licenses.map((holding) => withoutRepetitions(packHolding(holding))),
    appointments: appointments.map((holding) => withoutRepetitions(packHolding(holding))),
    statements: statements.items,
    unread: [...unread],
    ...otherFields,
  };
}

/** Heads of the resident licenses of a holder, with the orders of their states. */
export const homeHeadsOf = <Rows extends RowsOfKinds>(coverage: Coverage<Rows>): StateHead<Rows>[] =>
  [...coverage.values()].flatMap(({ licenses, orders }) => {
    const resident = licenses.filter(({ said }) => said.some(({ row }) => isResident(row.source)));
    return resident.length === 0 ? [] : [headOf<Rows>({ ...emptyState, licenses: resident, orders })];
  });

/** Reads the coverage that a head has. */
export function stateOfHead<Rows extends RowsOfKinds>({
  statements,
  licenses,
  appointments,
  unread,
  ...otherFields
}: StateHead<Rows>): Omit<StateCoverage<Rows>, 'sales'> {
  const moments = statements.map((moment) => ({ ...moment, rows: [] }));
  const itemAt = <Item>(items: readonly Item[], place: number): Item => {
    const item = items[place];
    if (item === undefined) throw new Error(`A head names place ${place} of ${items.length}.`);
    return item;
  };
  // Each member by its name: copying what is left over takes as long as all else.
  const unpackHolding = <Row extends DatedRow>(holding: PackedHolding<Row>): Holding<Row> => ({
    key: holding.key,
    recordedAt: holding.recordedAt,
    said: holding.said.map(([row, statement]) => ({
      row: itemAt(holding.rows, row),
      statement: itemAt(moments, statement),
    })),
    days: holding.days.map(({ from, mark }) => ({
      from,
      mark: mark && {
        is: mark.is,
        begins: mark.begins,
        row: itemAt(holding.rows, mark.row),
        statement: itemAt(moments, mark.statement),
      },
    })),
    lines: holding.lines.map(unpackHolding<DatedRow>),
  });
  return {
    licenses: licenses.map((holding) => unpackHolding(holding)),
    appointments: appointments.map((holding) => unpackHolding(holding)),
    unread: new Set(unread),
    ...otherFields,
  };
}
