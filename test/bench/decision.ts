import {
  type Coverage,
  coverageFrom,
  coverageOf,
  emptyState,
  type StateCoverage,
} from '../../shared/domain/decision/coverage.ts';
import { decideParty } from '../../shared/domain/decision/decide.ts';
import { recordReport, withAddition } from '../../shared/domain/decision/record.ts';
import { type HolderRecords, noRecords } from '../../shared/domain/decision/records.ts';
import { headOf, stateOfHead } from '../../shared/domain/registry-records/heads.ts';
import { beacon, config } from '../decision/case-rows.ts';
import { sampleLicense } from '../support/sample-records.ts';
import { atMost, count, median, type Row } from './report.ts';

const [licenses, reports] = [20, 20];
const day = '2026-06-30';
const knownAt = '2026-07-01T12:00:00.000Z';
/** Answers a round: enough for the clock; and rounds, of which those of both sides take turns. The first ones warm the code up. */
const answers = 20;
const rounds = 30;
const warmingRounds = 50;

/** Twenty licenses of one state, which are renewed one after another: each report states something new. */
const recorded: HolderRecords = Array.from({ length: reports }).reduce<HolderRecords>(
  (records, _report, index) => {
    const at = `2025-01-${String(index + 1).padStart(2, '0')}T09:00:00.000Z`;
    const held = Array.from({ length: licenses }, (_license, number) =>
      sampleLicense({
        stateCode: 'TX',
        licenseNumber: String(2_000_000 + number),
        nextRenewalDate: number <= index ? '2027-01-31' : '2026-12-31',
      }),
    );
    const report = { id: at, at, recordedAt: at, isFound: true, rows: { license: held, appointment: [] } };
    return withAddition(records, recordReport(records, report));
  },
  noRecords,
);

function microseconds(work: () => void): number {
  const started = performance.now();
  for (let done = 0; done < answers; done += 1) work();
  return ((performance.now() - started) * 1_000) / answers;
}

function answer(coverage: Coverage): void {
  const configs = [config({ linesOfAuthority: ['16'] })] as const;
  const asked = {
    party: 'agent',
    stateCode: 'TX',
    day,
    knownAt,
    coverage,
    configs,
    carrier: beacon,
  } as const;
  if (decideParty(asked).verdict !== 'yes') throw new Error('The licenses of the bench are not in force.');
}

/** Answers by what a text says, beside reading the text. */
function measured(what: string, text: string, most: number, coverageBy: (text: string) => Coverage): Row {
  const read = (): void => {
    JSON.parse(text);
  };
  const decide = (): void => answer(coverageBy(text));
  for (let round = 0; round < warmingRounds; round += 1) {
    microseconds(decide);
    microseconds(read);
  }
  const times = Array.from({ length: rounds }, () => [microseconds(decide), microseconds(read)] as const);
  const [decided, parsed] = [median(times.map(([one]) => one)), median(times.map(([, other]) => other))];
  const reading = `JSON.parse of the same ${count(text.length / 1_000)} KB: ${count(parsed)} µs`;
  return atMost(most, decided / parsed, what, `${count(decided)} µs`, reading);
}

function coverageOfHead(text: string): Coverage {
  const state: StateCoverage = { ...emptyState, ...stateOfHead(JSON.parse(text)) };
  return coverageFrom({
    states: new Map([['TX', () => state]]),
    homes: () => [state],
    classKinds: [],
    reports: [],
  });
}

/** What it takes to answer whether somebody may sell, beside reading what the answer is made of. */
export const measure = async (): Promise<Row[]> => [
  measured(
    `a head of ${licenses} licenses, read and answered by`,
    JSON.stringify(headOf(coverageOf(recorded, knownAt).get('TX') ?? emptyState)),
    1.3,
    coverageOfHead,
  ),
  measured(
    `${reports} statements of ${licenses} licenses, read, folded and answered by`,
    JSON.stringify(recorded),
    3,
    (text) => coverageOf(JSON.parse(text), knownAt),
  ),
];
