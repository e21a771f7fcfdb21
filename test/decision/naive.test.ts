import * as fc from 'fast-check';
import type { CaseCommand } from './commands.ts';
import {
  type AskedDay,
  answerOf,
  asked,
  commands,
  configs,
  histories,
  reasonsOf,
  recordedBy,
  texts,
} from './histories.ts';
import { decidePartyNaively, type NaiveConfig } from './naive.ts';

type Configs = Parameters<typeof answerOf>[2];

function decided(history: readonly CaseCommand[], question: AskedDay, versions: Configs) {
  const answer = answerOf(recordedBy(history), question, versions);
  return {
    verdict: answer.verdict,
    licenseStatus: answer.licenseStatus.statusName,
    appointmentStatus: answer.appointmentStatus.statusName,
    reasons: reasonsOf(answer),
    warnings: texts(answer.warnings.map(({ code }) => code)),
    configBasis: answer.configBasis,
  };
}

it('agrees with the naive implementation', async () => {
  await fc.assert(
    fc.property(commands, asked, configs, (history, { party, ...question }, versions) => {
      expect(decided(history, { party, ...question }, versions)).toEqual(
        decidePartyNaively({
          ...question,
          configs: versions as unknown as NaiveConfig[],
          party: { party, commands: history },
        }),
      );
    }),
    { numRuns: histories },
  );
});
