import * as fc from 'fast-check';
import { decideSale, type SaleParty } from '../../shared/domain/decision/sale.ts';
import type { CaseCommand } from './commands.ts';
import {
  type AskedDay,
  answerOf,
  asked,
  askedOfSales,
  commands,
  configs,
  coverageAt,
  reasonsOf,
  recordedBy,
  texts,
} from './histories.ts';
import { decidePartyNaively, decideSaleNaively, type NaiveAnswer, type NaiveConfig } from './naive.ts';

type Configs = Parameters<typeof answerOf>[2];

/** How many histories are compared; those of `npm test` are the same each time. */
const { histories, seed } =
  process.env['DECISION_HISTORIES'] === undefined
    ? { histories: 2_000, seed: 42 }
    : { histories: Number(process.env['DECISION_HISTORIES']), seed: undefined };

const asksFurther = (versions: Configs): boolean =>
  versions.some(({ states }) => states.some(({ furtherLicenses = [] }) => furtherLicenses.length > 0));

/**
 * What both say, but for which ends ended nothing where a row is stated more than once: whether what repeats a row says anything new,
 * which is told, depends on how it is recorded.
 */
function compared({ warnings, ...answer }: NaiveAnswer, commands: readonly CaseCommand[]): NaiveAnswer {
  const rows = commands.flatMap((command) =>
    command.kind === 'not found' ? [] : [...(command.licenses ?? []), ...(command.appointments ?? [])],
  );
  const texts = rows.map((row) => JSON.stringify({ ...row, validFrom: undefined, isDeleted: undefined }));
  const isRepeating = new Set(texts).size < texts.length;
  return { ...answer, warnings: warnings.filter((code) => !(isRepeating && code === 'end_unmatched')) };
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
    fc.property(commands, askedOfSales, configs, (history, { party, ...question }, versions) => {
      const naive = decidePartyNaively({
        ...question,
        configs: versions as unknown as NaiveConfig[],
        party: { party, commands: history },
      });
      expect(compared(decided(history, { party, ...question }, versions), history)).toEqual(
        compared(naive, history),
      );
    }),
    { numRuns: histories, ...(seed === undefined ? {} : { seed }) },
  );
});

/** What the carrier itself says of a party, and when what is known of it was verified. */
const said = fc
  .record({
    isArchived: fc.option(fc.boolean(), { nil: undefined, freq: 1 }),
    states: fc.option(fc.constantFrom([], ['TX'], ['CA']), { nil: undefined, freq: 1 }),
    isAssociationActive: fc.option(fc.boolean(), { nil: undefined, freq: 1 }),
    verifiedAt: fc.constantFrom(undefined, null, '2026-01-20T15:00:00.000Z', '2026-03-20T15:00:00.000Z'),
  })
  .map(({ isArchived, states, isAssociationActive, verifiedAt }) => ({
    ownWord: {
      isArchived,
      authority: states ? [{ upstreamEntityProductId: 'the product', approvedStates: states }] : [],
      isAssociationActive,
    },
    verifiedAt,
  }));

it('agrees with the naive implementation about sales', async () => {
  await fc.assert(
    fc.property(
      fc.tuple(commands, said),
      fc.array(fc.tuple(commands, said), { minLength: 1, maxLength: 2 }),
      asked,
      configs,
      fc.constantFrom(undefined, 'ignored' as const, 'if stated' as const, 'required' as const),
      fc.constantFrom(undefined, 30),
      fc.constantFrom('2026-01-01', '2026-06-01'),
      (ofAgency, ofSellers, { party: _party, ...question }, some, authority, verifiedWithinDays, today) => {
        const versions = some.map((one) => ({
          ...one,
          ...(authority && { authority }),
        })) as unknown as Configs;
        const coverageOf = (history: readonly CaseCommand[]) =>
          coverageAt(recordedBy(history), question.knownAt, question.classKinds);
        const sale = { ...question, productId: 'the product', today, verifiedWithinDays };
        const {
          sellers: _sellers,
          agency: _agency,
          ...answer
        } = decideSale<SaleParty>({
          ...sale,
          configs: versions,
          agency: { party: 'agency', coverage: coverageOf(ofAgency[0]), ...ofAgency[1] },
          sellers: ofSellers.map(([history, one]) => ({
            party: 'agent' as const,
            coverage: coverageOf(history),
            ...one,
          })),
        });
        const { verifiedAt, ...naive } = decideSaleNaively({
          ...sale,
          configs: versions as unknown as NaiveConfig[],
          agency: { party: 'agency', commands: ofAgency[0], ...ofAgency[1] },
          sellers: ofSellers.map(([history, one]) => ({
            party: 'agent' as const,
            commands: history,
            ...one,
          })),
        });
        const mine = {
          verdict: answer.verdict,
          licenseStatus: answer.licenseStatus.statusName,
          appointmentStatus: answer.appointmentStatus.statusName,
          reasons: reasonsOf(answer),
          warnings: texts(answer.warnings.map(({ code }) => code)),
          configBasis: answer.configBasis,
        };
        // Where the state is not configured, nothing else is asked.
        if (naive.licenseStatus === 'State Not Configured') {
          expect(mine.licenseStatus).toBe(naive.licenseStatus);
          return;
        }
        const all = [ofAgency, ...ofSellers].flatMap(([history]) => history);
        expect(compared(mine, all)).toEqual(compared(naive, all));
        // A further license may be asked of either.
        if (!asksFurther(versions)) expect(answer.verifiedAt).toBe(verifiedAt);
      },
    ),
    { numRuns: Math.ceil(histories / 4), ...(seed === undefined ? {} : { seed }) },
  );
});
