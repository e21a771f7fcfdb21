import { isDeepStrictEqual } from '#platform/data/json.ts';
import { type Coverage, coverageOf, emptyState, type StateCoverage } from './coverage.ts';
import { never } from './dates.ts';
import { type Mark, markOn } from './days.ts';
import type { Holding } from './holdings.ts';
import { inOrder } from './record.ts';
import type { HolderRecords, RecordedReport, RecordedStatement, RowsOfKinds, SaleDay } from './records.ts';

// A registry that says the same each night changes nothing from night to night, nor does a file that is imported each day. Of such
// reports and repetitions the first and the last are kept.

/** The mark of a day as far as answers depend on it. */
const markText = (mark: Mark | undefined): string =>
  JSON.stringify([
    mark?.is,
    mark?.begins,
    mark?.holds?.map(({ is, first, begins, importedOn, isDoubted, isUnrecognized }) => [
      is,
      first,
      begins,
      importedOn,
      isDoubted,
      isUnrecognized,
    ]),
  ]);

/** The days of a license, with those of its lines as far as it may be in force, or of an appointment. */
function holdingText({ key, days, lines }: Holding): string {
  const starts = [days, ...lines.map((line) => line.days)].flatMap((spans) => spans.map(({ from }) => from));
  const spans = [...new Set(starts)].sort().map((from) => {
    const mark = markOn(days, from);
    const open = mark?.is === 'in force' || mark?.is === 'not known' ? lines : [];
    const ofLines = open.map((line) => [line.key, markText(markOn(line.days, from))].join(' ')).sort();
    return { from, text: JSON.stringify([markText(mark), ofLines]) };
  });
  return JSON.stringify([key, spans.filter(({ text }, index) => text !== spans[index - 1]?.text)]);
}

/**
 * Texts of what records come to: as long as they are the same, whichever statements say so, so are all answers; one of licenses and
 * appointments, the other one of orders, of rows that cannot be read, and of whether the NPN is found.
 */
export function daysText(coverage: Coverage): { readonly held: string; readonly others: string } {
  const textOf = (of: (state: StateCoverage) => readonly (readonly unknown[])[]): string =>
    JSON.stringify(
      [...coverage.keys()].sort().flatMap((stateCode) => {
        const lists = of(coverage.get(stateCode) ?? emptyState);
        return lists.some(({ length }) => length > 0) ? [[stateCode, lists]] : [];
      }),
    );
  return {
    held: textOf(({ licenses, appointments }) => [
      licenses.map(holdingText).sort(),
      appointments.map(holdingText).sort(),
    ]),
    others: `${coverage.isNotFound} ${textOf(({ orders, unread }) => [orders, unread])}`,
  };
}

/** The report before another one that repeats, as both of them do, what was said before it; its place might be taken by the other one. */
function repeatedReport(
  { statements, reports }: Pick<HolderRecords, 'statements' | 'reports'>,
  report: RecordedReport,
): RecordedReport | undefined {
  const orderedReports = inOrder(reports);
  const place = orderedReports.findIndex(({ id }) => id === report.id);
  const [first, before] = [orderedReports[place - 2], orderedReports[place - 1]];
  const stating = new Set(statements.map(({ id }) => id));
  if (before === undefined || [before, report].some(({ id }) => stating.has(id))) return undefined;
  const saysOf = (one?: RecordedReport) => [one?.isFound, one?.kinds, one?.unread];
  const isAlike = [first, report].every((other) => isDeepStrictEqual(saysOf(other), saysOf(before)));
  return isAlike ? before : undefined;
}

/**
 * Folds records without the report before another one where both repeat what was said before them and what is known comes to
 * the same without it.
 * @param records with the other one, if there is one, and what it states.
 */
export function withoutRepeatedReport<Rows extends RowsOfKinds, Sale extends SaleDay>(
  records: HolderRecords<Rows, Sale>,
  report: RecordedReport | undefined,
) {
  const foldOf = (reports: readonly RecordedReport[]) => {
    const ofReports = { ...records, reports };
    const coverage = coverageOf(ofReports, never);
    return { records: ofReports, coverage, days: daysText(coverage) };
  };
  const folded = foldOf(records.reports);
  const before = report && repeatedReport(records, report);
  const fewer = before && foldOf(records.reports.filter((one) => one !== before));
  return fewer !== undefined && isDeepStrictEqual(fewer.days, folded.days) ? fewer : folded;
}

/** An import's statement with its last repetition in the place of the one before, where what is known comes to the same. */
export function withoutRepeated<Row>(
  statement: RecordedStatement<Row>,
  recordsWith: (statement: RecordedStatement<Row>) => HolderRecords,
): RecordedStatement<Row> {
  const { repetitions = [] } = statement;
  if (repetitions.length < 2) return statement;
  const thinned = { ...statement, repetitions: repetitions.toSpliced(-2, 1) };
  const [fewer, all] = [thinned, statement].map((one) => daysText(coverageOf(recordsWith(one), never)));
  return isDeepStrictEqual(fewer, all) ? thinned : statement;
}
