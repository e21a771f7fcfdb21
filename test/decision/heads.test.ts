import * as fc from 'fast-check';
import { coverageOf, emptyState } from '#domain/decision/coverage.ts';
import { headOf } from '#domain/registry-records/heads.ts';
import { type Records, recordedBy } from './commands.ts';
import { commands, holds } from './histories.ts';

const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const headsOf = (known: Records) => {
  const folded = coverageOf(known, '9999-12-31T00:00:00.000Z');
  return [...folded.keys()].sort().map((stateCode) => headOf(folded.get(stateCode) ?? emptyState));
};

test('A head is the same again where it is folded from what was stored', () =>
  holds(
    fc.property(commands, (history) => {
      const records = recordedBy(history);
      expect(headsOf(stored(records))).toEqual(stored(headsOf(records)));
    }),
    100,
  ));
