import { type Coverage, emptyState, type StateCoverage } from './coverage.ts';
import { type Mark, markOn } from './days.ts';
import type { Holding } from './holdings.ts';

// Whether something that is recorded changes what is known: a registry that says the same each night, or a file that is imported each
// day, seldom does.

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
    others: `${coverage.isNotFound()} ${coverage.isHomeUnread()} ${textOf(({ orders, unread }) => [orders, unread])}`,
  };
}
