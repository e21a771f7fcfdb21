import { type DayState, holdingsOf, stateOn } from '#domain/decision/holdings.ts';
import { type Identity, isSame, type Statement } from '#domain/decision/statements.ts';
import { dayCases } from './day-cases.ts';
import { dayCasesOfSeveral } from './day-cases-of-several.ts';
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
      for (const stateOf of [folded, alone].map((way) => way(after, of, line)))
        expect(Object.fromEntries(Object.keys(is).map((day) => [day, stateOf(day)]))).toEqual(is);
    });
  },
);
