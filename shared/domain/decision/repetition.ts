import { isDeepStrictEqual } from '#platform/data/json.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { never } from './dates.ts';
import { type Mark, markOn } from './days.ts';
import type { Holding } from './holdings.ts';
import { inOrder } from './record.ts';
import type {
  ActionRow,
  AppointmentRow,
  HolderRecords,
  LicenseRow,
  RecordedReport,
  RecordedStatement,
} from './records.ts';

// A registry that says the same each night changes nothing from night to night, nor does a file that is imported each day. Of such
// reports and repetitions the first and the last are kept.

const mayBeInForce = (mark: Mark | undefined): boolean => mark?.is === 'in force' || mark?.is === 'not known';

const markText = (mark: Mark | undefined): string => {
  if (mark === undefined) return '';
  const { is, begins, holds = [] } = mark;
  const texts = holds.map((hold) => [
    hold.is,
    hold.first,
    hold.begins,
    hold.importedOn,
    hold.isDoubted,
    hold.isUnrecognized,
  ]);
  return JSON.stringify([is, begins, texts]);
};

/** The days of a license, with those of its lines as far as it may be in force, or of an appointment. */
function holdingText({ key, days, lines }: Holding): string {
  const starts = [days, ...lines.map((line) => line.days)].flatMap((spans) => spans.map(({ from }) => from));
  const spans = [...new Set(starts)].sort().map((from) => {
    const mark = markOn(days, from);
    const open = mayBeInForce(mark) ? lines : [];
    const ofLines = open.map((line) => [line.key, markText(markOn(line.days, from))].join(' ')).sort();
    return { from, text: JSON.stringify([markText(mark), ofLines]) };
  });
  return JSON.stringify([key, spans.filter(({ text }, index) => text !== spans[index - 1]?.text)]);
}

/** Text of what records come to: as long as they are the same, whichever statements say so, so are all answers. */
export interface DaysText {
  /** Text of licenses and appointments. */
  readonly held: string;
  /** Text of orders, of rows that cannot be read, and of whether the NPN is found. */
  readonly others: string;
}

export function daysText(coverage: Coverage): DaysText {
  const states = [...coverage.keys()].sort().flatMap((stateCode) => {
    const state = coverage.get(stateCode);
    return state === undefined ? [] : { stateCode, ...state };
  });
  const textOf = (of: (state: (typeof states)[number]) => readonly (readonly unknown[])[]): string =>
    JSON.stringify(
      states.flatMap((state) => {
        const rowsOfState = of(state);
        return rowsOfState.some((rows) => rows.length > 0) ? [[state.stateCode, rowsOfState]] : [];
      }),
    );
  return {
    held: textOf(({ licenses, appointments }) => [
      licenses.map(holdingText).sort(),
      appointments.map(holdingText).sort(),
    ]),
    others: `${coverage.isNotFound} ${textOf(({ orders, unread }) => [orders, [...unread]])}`,
  };
}

const isAlike = (report: RecordedReport, otherReport: RecordedReport): boolean =>
  report.isFound === otherReport.isFound &&
  isDeepStrictEqual([report.kinds, report.unread], [otherReport.kinds, otherReport.unread]);

/** Records without a report whose place another one would take; undefined where each counts. */
function withoutReportBefore<Records extends HolderRecords>(
  records: Records,
  report: RecordedReport,
): Records | undefined {
  const { licenses, appointments, actions, reports } = records;
  const stating = new Set([...licenses, ...appointments, ...actions].map(({ id }) => id));
  const orderedReports = inOrder(reports);
  const place = orderedReports.findIndex(({ id }) => id === report.id);
  const [first, before] = [orderedReports[place - 2], orderedReports[place - 1]];
  if (
    first === undefined ||
    before === undefined ||
    ![first, report].every((report) => isAlike(report, before))
  )
    return undefined;
  if ([before, report].some(({ id }) => stating.has(id))) return undefined;
  return { ...records, reports: reports.filter((report) => report !== before) };
}

/**
 * Folds records without the report before another one where both repeat what was said before them and what is known comes to
 * the same without it.
 * @param records with the other one, if there is one, and what it states.
 */
export function withoutRepeatedReport<
  License extends LicenseRow,
  Appointment extends AppointmentRow,
  Action extends ActionRow,
>(records: HolderRecords<License, Appointment, Action>, report: RecordedReport | undefined) {
  const foldedRecords = foldRecords(records);
  const fewer = report && withoutReportBefore(records, report);
  const foldedWithout = fewer && foldRecords(fewer);
  return foldedWithout !== undefined && isDeepStrictEqual(foldedWithout.days, foldedRecords.days)
    ? foldedWithout
    : foldedRecords;
}

const foldRecords = <
  License extends LicenseRow,
  Appointment extends AppointmentRow,
  Action extends ActionRow,
>(
  records: HolderRecords<License, Appointment, Action>,
) => {
  const coverage = coverageOf(records, never);
  return { records, coverage, days: daysText(coverage) };
};

/** An import's statement with its last repetition in the place of the one before, where what is known comes to the same. */
export function withoutRepeated<Row>(
  statement: RecordedStatement<Row>,
  recordsWith: (statement: RecordedStatement<Row>) => HolderRecords,
): RecordedStatement<Row> {
  const { repetitions = [] } = statement;
  if (repetitions.length < 2) return statement;
  const thinnedStatement = { ...statement, repetitions: repetitions.toSpliced(-2, 1) };
  return isDeepStrictEqual(
    foldRecords(recordsWith(thinnedStatement)).days,
    foldRecords(recordsWith(statement)).days,
  )
    ? thinnedStatement
    : statement;
}
