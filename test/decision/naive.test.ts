import * as fc from 'fast-check';
import type { CaseCommand } from './commands.ts';
import { type AskedDay, answerOf, asked, commands, configs, reasonsOf, recordedBy } from './histories.ts';
import { decidePartyNaively, type NaiveConfig } from './naive.ts';

type Configs = Parameters<typeof answerOf>[2];

/** How many histories are compared; those of `npm test` are the same each time. */
const { histories, seed } =
  process.env['DECISION_HISTORIES'] === undefined
    ? { histories: 2_000, seed: 42 }
    : { histories: Number(process.env['DECISION_HISTORIES']), seed: undefined };

function decided(history: readonly CaseCommand[], question: AskedDay, versions: Configs) {
  const answer = answerOf(recordedBy(history), question, versions);
  return {
    verdict: answer.verdict,
    licenseStatus: answer.licenseStatus.statusName,
    appointmentStatus: answer.appointmentStatus.statusName,
    reasons: reasonsOf(answer),
    configBasis: answer.configBasis,
  };
}

it('agrees with the naive implementation', async () => {
  await fc.assert(
    fc.property(commands, asked, configs, (history, { party, ...question }, versions) => {
      const { warnings: _warnings, ...naive } = decidePartyNaively({
        ...question,
        configs: versions as unknown as NaiveConfig[],
        party: { party, commands: history },
      });
      expect(decided(history, { party, ...question }, versions)).toEqual(naive);
    }),
    { numRuns: histories, ...(seed === undefined ? {} : { seed }) },
  );
});
