import fc from 'fast-check';
import { never } from '../../shared/domain/decision/dates.ts';
import { type Holding, holdingsOf, stateOn } from '../../shared/domain/decision/holdings.ts';
import type { DatedRow, Statement } from '../../shared/domain/decision/statements.ts';
import { addDays } from '../../shared/platform/dates/dates.ts';
import { daysOf, histories, runs } from './day-histories.ts';

/** What is in force, or not known, on each day, by what its rows say. */
function picture(statements: readonly Statement[], days = daysOf(statements)): string[] {
  const named = ({ said }: Holding): string =>
    [...new Set(said.map(({ row }) => JSON.stringify(row.identity.map(({ names }) => names))))]
      .sort()
      .join(' ');
  return holdingsOf(statements)
    .flatMap((holding) =>
      [holding, ...holding.lines].map(
        (one) =>
          `${named(holding)} ${named(one)}: ${days.map((day) => `${day} ${stateOn(one, day)}`).join(', ')}`,
      ),
    )
    .sort();
}

/** Whether a row might put a day in force: it is live, or it is an end that says since when, or a lapse. */
function mightCover({ status, begins, ends, since }: DatedRow, day: string, knownOn: string): boolean {
  if (day >= ends || (begins !== null && day < begins)) return false;
  if (status === 'live') return true;
  const isLapse = status === 'lapsed' && ends !== never;
  return begins !== null && (isLapse || since !== null) && day < (since ?? knownOn);
}

describe.each(histories)('The days of %s', (_what, history) => {
  it('do not depend on the order of statements and rows', () => {
    fc.assert(
      fc.property(history, (statements) => {
        const turned = statements
          .map(({ rows, ...statement }) => ({ ...statement, rows: rows.toReversed() }))
          .toReversed();
        expect(picture(turned)).toEqual(picture(statements));
      }),
      runs,
    );
  });

  it('are in force only where a row that nobody deleted covers them', () => {
    fc.assert(
      fc.property(history, (statements) => {
        for (const holding of holdingsOf(statements)) {
          for (const day of daysOf(statements)) {
            if (stateOn(holding, day) !== 'in force') continue;
            const covering = statements.some(({ rows, knownOn }) =>
              rows.some(
                (row) => holding.said.some((one) => one.row === row) && mightCover(row, day, knownOn),
              ),
            );
            expect({ day, covering }).toEqual({ day, covering: true });
          }
        }
      }),
      runs,
    );
  });

  it('have no end of the last statement in force after it', () => {
    fc.assert(
      fc.property(history, (statements) => {
        const orderOf = ({ at, id }: Statement): string => `${at} ${id}`;
        const last = statements.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)).at(-1);
        if (last === undefined) return;
        for (const holding of holdingsOf(statements)) {
          const own = last.rows.filter((row) => holding.said.some((one) => one.row === row));
          const isEnded =
            own.length > 0 && own.every(({ status }) => ['ended', 'inactive', 'lapsed'].includes(status));
          const state = stateOn(holding, addDays(last.knownOn, 1));
          if (isEnded && last.isComplete) expect(state).not.toBe('in force');
        }
      }),
      runs,
    );
  });
});
