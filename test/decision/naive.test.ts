import * as fc from 'fast-check';
import type { CaseCommand } from './commands.ts';
import {
  type AskedDay,
  answerOf,
  asked,
  commands,
  configs,
  reasonsOf,
  recordedBy,
  texts,
} from './histories.ts';
import { decidePartyNaively, type NaiveAnswer, type NaiveConfig } from './naive.ts';

type Configs = Parameters<typeof answerOf>[2];

/** How many histories are compared; those of `npm test` are the same each time. */
const { histories, seed } =
  process.env['DECISION_HISTORIES'] === undefined
    ? { histories: 2_000, seed: 42 }
    : { histories: Number(process.env['DECISION_HISTORIES']), seed: undefined };

/**
 * What both say. What is worth knowing of a further license is not compared, nor which ends of imports ended nothing: the naive
 * implementation looks at rows where the other looks at what was recorded of them.
 */
function compared({ warnings, ...answer }: NaiveAnswer, versions: Configs): unknown {
  const isFurther = versions.some(({ states }) =>
    states.some(({ furtherLicenses = [] }) => furtherLicenses.length > 0),
  );
  return { ...answer, warnings: isFurther ? [] : warnings.filter((code) => code !== 'end_unmatched') };
}

function decided(history: readonly CaseCommand[], question: AskedDay, versions: Configs): NaiveAnswer {
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
      const naive = decidePartyNaively({
        ...question,
        configs: versions as unknown as NaiveConfig[],
        party: { party, commands: history },
      });
      expect(compared(decided(history, { party, ...question }, versions), versions)).toEqual(
        compared(naive, versions),
      );
    }),
    { numRuns: histories, ...(seed === undefined ? {} : { seed }) },
  );
});
