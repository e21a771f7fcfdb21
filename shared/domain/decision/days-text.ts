import { type AppointmentHolding, type Coverage, emptyState, type StateCoverage } from './coverage.ts';
import type { Span } from './days.ts';
import type { Holding } from './holdings.ts';
import { isEnd } from './statements.ts';

// Whether something that is recorded changes what is known: a registry that says the same each night, or a file that is imported each
// day, seldom does.

/** Spans as far as answers depend on them. */
function spansText(days: readonly Span[]): string {
  const spans = days.map(({ from, mark }) => {
    const { status, begins, ends } = mark?.row ?? {};
    return { from, text: JSON.stringify([mark?.is, mark?.begins, status, begins, ends]) };
  });
  return JSON.stringify(spans.filter(({ text }, index) => text !== spans[index - 1]?.text));
}

/** The days of a license, with those of its lines, or of an appointment. */
const holdingText = ({ key, days, lines }: Holding): string =>
  JSON.stringify([key, spansText(days), lines.map((line) => `${line.key} ${spansText(line.days)}`).sort()]);

/** The ends of an appointment: whether the last one was for cause depends on all of them, each since it was first said. */
function endsText({ said }: AppointmentHolding): string {
  const ends = said.flatMap(({ row, statement }) => {
    const { since, begins, source } = row;
    const text = JSON.stringify([since, begins, source.terminationReason, source.status]);
    return isEnd(row) ? [[text, since ?? statement.knownOn] as const] : [];
  });
  return JSON.stringify([...new Map(ends.toReversed())].sort());
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
      appointments.map((one) => holdingText(one) + endsText(one)).sort(),
    ]),
    others: `${coverage.isNotFound()} ${coverage.isHomeUnread()} ${textOf(({ orders, unread }) => [orders, unread])}`,
  };
}
