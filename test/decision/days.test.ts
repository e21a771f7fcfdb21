import fc from 'fast-check';
import { type DayState, type Holding, holdingsOf, stateOn } from '#domain/decision/holdings.ts';
import {
  type DatedRow,
  type Identity,
  identityKey,
  isSame,
  type Statement,
} from '#domain/decision/statements.ts';
import { dayCases, dayCasesOfSeveral } from './day-cases.ts';
import { daysOf, histories, runs } from './day-histories.ts';
import type { State } from './day-rows.ts';
import { daysOfThings } from './one-day.ts';

const states: Readonly<Record<DayState, State>> = {
  'in force': 'yes',
  'not known': '?',
  'not in force': 'no',
};

/** The strictest that is known of all: in force where one is. */
const stateOfAll = (all: readonly DayState[]): State =>
  states[
    all.find((state) => state === 'in force') ?? all.find((state) => state === 'not known') ?? 'not in force'
  ];

/** The code of a line. */
const codeOf = ([part]: Identity): string | null | undefined => part?.names[0];

/** What the fold says of days. */
function folded(after: readonly Statement[], of?: Identity, line?: string): (day: string) => State {
  const holdings = holdingsOf(after).filter(
    ({ said }) => of === undefined || said.some(({ row }) => isSame(row.identity, of)),
  );
  return (day) =>
    stateOfAll(
      holdings.map((holding) =>
        stateOn(
          holding,
          day,
          ({ said }) => line === undefined || said.some(({ row }) => codeOf(row.identity) === line),
        ),
      ),
    );
}

/** What the rules say of days, gone through one day at a time. */
function alone(after: readonly Statement[], of?: Identity, line?: string): (day: string) => State {
  const answer = daysOfThings(after);
  const rows = after.flatMap((statement) => statement.rows);
  const meant = rows.map(({ identity }) => identity).filter((one) => of === undefined || isSame(one, of));
  const lines = rows.flatMap((row) => row.lines ?? []).map(({ identity }) => identity);
  const asked = lines.find((one) => codeOf(one) === line);
  return (day) => stateOfAll(meant.map((one) => answer(one, day, asked)));
}

describe.each(Object.entries({ ...dayCases, ...dayCasesOfSeveral }))(
  'the rule of days %s',
  (_rule, cases) => {
    it.each(Object.entries(cases))('%s', (_says, { after, is, of, line }) => {
      const days = is.split(', ').map((state) => state.slice(0, state.indexOf(' ')));
      for (const stateOf of [folded, alone].map((way) => way(after, of, line)))
        expect(days.map((day) => `${day} ${stateOf(day)}`).join(', ')).toBe(is);
    });
  },
);

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
  it('are those of the rules, one day at a time', () => {
    fc.assert(
      fc.property(history, (statements) => {
        expect(differences(statements)).toEqual([]);
      }),
      runs,
    );
  });

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
