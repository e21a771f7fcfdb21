import fc from 'fast-check';
import { type Holding, holdingsOf, stateOn } from '#domain/decision/holdings.ts';
import type { Statement } from '#domain/decision/statements.ts';
import { daysOf, histories, runs } from './day-histories.ts';

/** What is in force, or not known, on each day, by what its rows say. */
function picture(statements: readonly Statement[]): string[] {
  const days = daysOf(statements);
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
});
