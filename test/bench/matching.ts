import { type MadeFile, makeFile } from '../support/made-policies.ts';
import { qualityOf } from '../support/match-quality.ts';
import { allTransactions, createMatchingTables, importLines, newOwner } from '../support/matching-tests.ts';
import { count, type Row } from './report.ts';

const [few, many, agencies] = [1_000, 10_000, 100] as const;

/** The seed that was looked at while the rules were written, whose import is timed, and one that was not. */
const seeds = { timed: { seed: 'written', lines: many }, other: { seed: 'other', lines: many } } as const;

const [mostTimesSlower, mostTimesPerLine, leastRecall] = [1.3, 1.25, 0.95] as const;

/** A carrier with the agencies of a file. */
async function carrierOf({ carrier }: MadeFile): Promise<string> {
  const owner = await newOwner();
  await importLines(owner, carrier.records);
  return owner;
}

/** Seconds of the import of records, none of which is imported yet. */
async function seconds(owner: string, records: readonly object[]): Promise<number> {
  const started = performance.now();
  const { imported } = await importLines(owner, records);
  if (imported !== records.length) throw new Error(`Only ${imported} lines were imported.`);
  return (performance.now() - started) / 1_000;
}

const recordsOf = ({ lines }: MadeFile) => lines.map(({ record }) => record);

/** The transactions of a file for policies of their own, so that they are new to a carrier that has the file. */
const renumbered = (file: MadeFile, prefix: string, fields: object = {}): object[] =>
  recordsOf(file).map((record) => ({
    ...record,
    policyNumber: `${prefix}${record['policyNumber']}`,
    ...fields,
  }));

/** Without matching: a record that says its statuses itself. */
const settled = { entityMatchStatus: 'auto matched', agentMatchStatus: 'auto matched' };

async function qualityRows(seed: string, file: MadeFile, owner: string): Promise<Row[]> {
  const { precision, recall, autoMatched, certain, misdeduplicated } = qualityOf(
    file,
    await allTransactions(owner),
  );
  const of = `${count(file.lines.length)} made transactions, seed ${seed}`;
  return [
    {
      what: `matching: precision of \`auto matched\`, ${of}`,
      measured: `${precision.toFixed(3)} of ${count(autoMatched)}`,
      budget: '1.000',
      isWithin: precision === 1,
    },
    {
      what: `matching: recall of the certain, ${of}`,
      measured: `${recall.toFixed(3)} of ${count(certain)}`,
      budget: `at least ${leastRecall}`,
      isWithin: recall >= leastRecall,
    },
    {
      what: `matching: duplicates and amendments that were not recognized, ${of}`,
      measured: count(misdeduplicated.length),
      budget: 'none',
      isWithin: misdeduplicated.length === 0,
    },
  ];
}

/** How well made files are matched whose truth their generator knows, and what matching adds to the time of an import. */
export async function measureMatching(): Promise<Row[]> {
  await createMatchingTables();
  const { timed, other } = seeds;
  // First, so that it warms up what is timed afterwards.
  const otherFile = makeFile(other.seed, other.lines, agencies);
  const otherOwner = await carrierOf(otherFile);
  await seconds(otherOwner, recordsOf(otherFile));
  const ofOther = await qualityRows(other.seed, otherFile, otherOwner);

  const file = makeFile(timed.seed, timed.lines, agencies);
  const owner = await carrierOf(file);
  const matched = await seconds(owner, recordsOf(file));
  const ofTimed = await qualityRows(timed.seed, file, owner);
  const ofFew = await seconds(owner, renumbered(makeFile(timed.seed, few, agencies), 'FEW-'));
  const without = await seconds(owner, renumbered(file, 'SETTLED-', settled));
  const perLine = (matched * few) / (ofFew * many);
  return [
    ...ofTimed,
    ...ofOther,
    {
      what: `matching: import of ${count(many)} lines`,
      measured: `${matched.toFixed(1)} s`,
      comparedWith: `without ${without.toFixed(1)} s`,
      ratio: matched / without,
      budget: `at most ${mostTimesSlower}`,
      isWithin: matched / without <= mostTimesSlower,
    },
    {
      what: `matching: time of a line of ${count(many)}`,
      measured: `${((matched * 1_000) / many).toFixed(2)} ms`,
      comparedWith: `of ${count(few)} ${((ofFew * 1_000) / few).toFixed(2)} ms`,
      ratio: perLine,
      budget: `linear: at most ${mostTimesPerLine}`,
      isWithin: perLine <= mostTimesPerLine,
    },
  ];
}
