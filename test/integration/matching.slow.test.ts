import { importLines, newOwner } from '../support/carrier-records.ts';
import { inShort } from '../support/extent.ts';
import { kinds, makeFile } from '../support/made-policies.ts';
import { qualityOf } from '../support/match-quality.ts';
import { allTransactions } from '../support/policies-tests.ts';

describe('match quality', () => {
  /** `written` was looked at while the rules were written, `other` was not. */
  it.each(inShort(['other'], ['written', 'other']))(
    'decides rightly, or leaves it to a person: seed %s',
    async (seed) => {
      const owner = await newOwner();
      const file = makeFile(seed, 200, 14);
      expect([...new Set(file.lines.map(({ kind }) => kind))].sort()).toEqual([...kinds].sort());
      const lines = [...file.carrier.records, ...file.lines.map(({ record }) => record)];
      expect(await importLines(owner, lines)).toMatchObject({ imported: lines.length, rejected: [] });
      const quality = qualityOf(file, await allTransactions(owner));
      expect(quality).toMatchObject({ precision: 1, agentPrecision: 1, wrong: [], misdeduplicated: [] });
      expect(quality.recall).toBeGreaterThanOrEqual(0.95);
      expect(quality.certain).toBeGreaterThan(100);
    },
  );
});
