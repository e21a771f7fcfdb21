import { isDeepStrictEqual } from '#platform/data/json.ts';
import { type Coverage, emptyState, isResident, type StateCoverage } from '../decision/coverage.ts';
import type { DatedSource } from '../decision/dated.ts';
import type { Mark, Span } from '../decision/days.ts';
import type { Holding } from '../decision/holdings.ts';
import type { RowsOfKinds } from '../decision/records.ts';
import type { DatedRow } from '../decision/statements.ts';

// A head: what is known of a holder in a state, as the fold left it, in the form in which it is stored.

/** A mark, with the place of its row in what is said. */
type PackedMark = Pick<Mark, 'is' | 'begins' | 'statedAt'> & { readonly place: number };

type PackedSpan = Pick<Span, 'from'> & { readonly mark?: PackedMark };

interface PackedHolding<Row extends DatedRow> extends Pick<Holding<Row>, 'key' | 'recordedAt' | 'said'> {
  readonly days: readonly PackedSpan[];
  readonly lines: readonly PackedHolding<DatedRow>[];
}

/** Stored form of a holder's coverage in a state. */
export interface StateHead<Rows extends RowsOfKinds = RowsOfKinds>
  extends Pick<StateCoverage<Rows>, 'orders' | 'actions' | 'takenBack' | 'unread' | 'filedAt'> {
  readonly licenses: readonly PackedHolding<DatedSource<Rows['license']>>[];
  readonly appointments: readonly PackedHolding<DatedSource<Rows['appointment']>>[];
}

function packHolding<Row extends DatedRow>(
  { key, recordedAt, said, days, lines }: Holding<Row>,
  isLine = false,
): PackedHolding<Row> {
  const allTexts = said.map(({ row }) => JSON.stringify(row));
  // Of a line, each row once: nothing is answered by when it was said again.
  const isKept = (text: string, index: number): boolean => !isLine || allTexts.indexOf(text) === index;
  const mentions = said.filter((_mention, index) => isKept(allTexts[index] ?? '', index));
  const texts = allTexts.filter(isKept);
  const packedDays = days.map(({ from, mark }): PackedSpan => {
    if (mark === undefined) return { from };
    const { is, begins } = mark;
    const place = texts.lastIndexOf(JSON.stringify(mark.row));
    // A report that says the same again changes no head: the statement that said it first stands for it.
    const first = is === 'left out' ? undefined : mentions[place]?.statement;
    return { from, mark: { is, begins, statedAt: first?.at ?? mark.statedAt, place } };
  });
  return {
    key,
    ...(recordedAt === undefined ? {} : { recordedAt }),
    // The lines of a row are holdings of their own.
    said: mentions.map(({ row: { lines: _lines, ...row }, statement }) => {
      const { id, at, recordedAt: statementRecordedAt, knownOn, by, isComplete } = statement;
      const moment = { id, at, recordedAt: statementRecordedAt, knownOn, by, isComplete };
      return { row: row as Row, statement: moment };
    }),
    // Days that follow each other and are marked alike are one span, for the same reason.
    days: packedDays.filter(
      ({ mark }, index) => index === 0 || !isDeepStrictEqual(mark, packedDays[index - 1]?.mark),
    ),
    lines: lines.map((line) => packHolding(line, true)),
  };
}

/** The head of what is known of a holder in a state. */
export const headOf = <Rows extends RowsOfKinds>({
  licenses,
  appointments,
  sales: _sales,
  ...otherFields
}: StateCoverage<Rows>): StateHead<Rows> => ({
  licenses: licenses.map((holding) => packHolding(holding)),
  appointments: appointments.map((holding) => packHolding(holding)),
  ...otherFields,
});

/** Heads of the resident licenses of a holder, with what else is known of their states. */
export const homeHeadsOf = <Rows extends RowsOfKinds>(coverage: Coverage<Rows>): StateHead<Rows>[] =>
  [...coverage.values()].flatMap(({ licenses, orders, unread }) => {
    const resident = licenses.filter(({ said }) => said.some(({ row }) => isResident(row.source)));
    return resident.length === 0 ? [] : [headOf<Rows>({ ...emptyState, licenses: resident, orders, unread })];
  });

// Each member by its name: copying what is left over takes as long as all else.
const unpackHolding = <Row extends DatedRow>({ key, recordedAt, said, days, lines }: PackedHolding<Row>) => {
  const unpackMark = ({ is, begins, statedAt, place }: PackedMark): Mark<Row> => {
    const row = said[place]?.row;
    if (row === undefined) throw new Error(`A head names place ${place} of ${said.length}.`);
    return { is, begins, statedAt, row };
  };
  const unpackedDays = days.map(({ from, mark }): Span<Row> => ({ from, mark: mark && unpackMark(mark) }));
  const unpackedLines: Holding[] = lines.map(unpackHolding<DatedRow>);
  return { key, recordedAt, said, days: unpackedDays, lines: unpackedLines };
};

/** Reads the coverage that a head has. */
export const stateOfHead = <Rows extends RowsOfKinds>({
  licenses,
  appointments,
  ...otherFields
}: StateHead<Rows>): Omit<StateCoverage<Rows>, 'sales'> => ({
  licenses: licenses.map((holding) => unpackHolding(holding)),
  appointments: appointments.map((holding) => unpackHolding(holding)),
  ...otherFields,
});
