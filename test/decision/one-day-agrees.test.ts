import fc from 'fast-check';
import { type DayState, holdingsOf, stateOn } from '#domain/decision/holdings.ts';
import { type DatedRow, type Identity, identityKey, type Statement } from '#domain/decision/statements.ts';
import { daysOf, histories, runs } from './day-histories.ts';
import { daysOfThings } from './one-day.ts';

const identitiesOf = (rows: readonly DatedRow[]): Map<string, Identity> =>
  new Map(rows.map(({ identity }) => [identityKey(identity), identity]));

/** The days of which the fold and the rules that are gone through one day at a time say another thing. */
function differences(statements: readonly Statement[]): object[] {
  const days = daysOf(statements);
  const stated = statements.flatMap(({ rows }) => rows);
  const [identities, lines] = [identitiesOf(stated), identitiesOf(stated.flatMap((row) => row.lines ?? []))];
  const answer = daysOfThings(statements);
  const holdings = holdingsOf(statements);
  const compared = (of: Identity, state: (day: string) => DayState, line?: Identity): object[] =>
    days.flatMap((day) => {
      const [folded, alone] = [state(day), answer(of, day, line)];
      return folded === alone ? [] : { of, line, day, folded, alone };
    });
  const ofHoldings = holdings.flatMap((holding) => {
    const of = identities.get(holding.key);
    if (of === undefined) return [{ unknown: holding.key }];
    const ofLines = holding.lines.flatMap(({ key }) =>
      compared(of, (day) => stateOn(holding, day, (line) => line.key === key), lines.get(key)),
    );
    return [...compared(of, (day) => stateOn(holding, day)), ...ofLines];
  });
  // Nothing that has days is missing among what is held.
  const held = holdings.map((holding) => days.map((day) => stateOn(holding, day)).join());
  const none = days.map(() => 'not in force').join();
  const missing = [...identities].filter(
    ([, of]) => ![none, ...held].includes(days.map((day) => answer(of, day)).join()),
  );
  return [...ofHoldings, ...missing.map(([key]) => ({ missing: key }))];
}

test.each(histories)('The days of %s are those of the rules, one day at a time', (_what, history) => {
  fc.assert(
    fc.property(history, (statements) => {
      expect(differences(statements)).toEqual([]);
    }),
    runs,
  );
});
