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
import { every, inTurns } from './measuring.ts';
import { atMost, count, type Row } from './report.ts';

const [licenses, reports] = [20, 20];
const day = '2026-06-30';
const knownAt = '2026-07-01T12:00:00.000Z';
/** Answers a turn: enough for the clock. */
const answers = 20;
const turns = 40;

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
async function measured(
  what: string,
  text: string,
  most: number,
  coverageBy: (text: string) => Coverage,
): Promise<Row> {
  const { own, other } = await inTurns(
    turns,
    () => every(answers, () => answer(coverageBy(text))),
    () => every(answers, () => JSON.parse(text)),
  );
  const microseconds = (time: number) => `${count((time * 1_000) / answers)} µs`;
  const reading = `JSON.parse of the same ${count(text.length / 1_000)} KB: ${microseconds(other)}`;
  return atMost(most, own / other, what, microseconds(own), reading);
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
  await measured(
    `a head of ${licenses} licenses, read and answered by`,
    JSON.stringify(headOf(coverageOf(recorded, knownAt).get('TX') ?? emptyState)),
    1.3,
    coverageOfHead,
  ),
  await measured(
    `${reports} statements of ${licenses} licenses, read, folded and answered by`,
    JSON.stringify(recorded),
    3,
    (text) => coverageOf(JSON.parse(text), knownAt),
  ),
];
