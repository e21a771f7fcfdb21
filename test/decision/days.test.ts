import { type DayState, holdingsOf, stateOn } from '../../shared/domain/decision/holdings.ts';
import { isSame } from '../../shared/domain/decision/identity.ts';
import type { Identity, Statement } from '../../shared/domain/decision/statements.ts';
import { dayCases } from './day-cases.ts';
import { dayCasesOfSeveral } from './day-cases-of-several.ts';
import type { State } from './day-rows.ts';

const states: Readonly<Record<DayState, State>> = {
  'in force': 'yes',
  'not known': '?',
  'not in force': 'no',
};

/** The strictest that is known of all: in force where one is. */
function stateOf(after: readonly Statement[], day: string, of?: Identity, line?: string): State {
  const holdings = holdingsOf(after).filter(
    ({ said }) => of === undefined || said.some(({ row }) => isSame(row.identity, of)),
  );
  const all = holdings.map((holding) =>
    stateOn(
      holding,
      day,
      ({ said }) => line === undefined || said.some(({ row }) => row.identity[0]?.names[0] === line),
    ),
  );
  return states[
    all.find((state) => state === 'in force') ?? all.find((state) => state === 'not known') ?? 'not in force'
  ];
}

describe.each(Object.entries({ ...dayCases, ...dayCasesOfSeveral }))(
  'the rule of days %s',
  (_rule, cases) => {
    it.each(cases.map((one) => [one.says, one] as const))('%s', (_says, { after, is, of, line }) => {
      const found = Object.fromEntries(Object.keys(is).map((day) => [day, stateOf(after, day, of, line)]));
      expect(found).toEqual(is);
    });
  },
);
