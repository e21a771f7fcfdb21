import { type MadeFile, makeFile } from '../support/made-policies.ts';
import { qualityOf } from '../support/match-quality.ts';
import { allTransactions, createMatchingTables, importLines, newOwner } from '../support/matching-tests.ts';
import { count, type Row } from './report.ts';

const [few, many, agencies] = [1_000, 10_000, 200] as const;

/** The seed that was looked at while the rules were written, and one that was not. */
const seeds = ['written', 'other'] as const;

const [mostTimesSlower, mostTimesPerLine, leastRecall] = [1.3, 1.25, 0.95] as const;

/** A carrier with the agencies of a file. */
async function carrierOf({ carrier }: MadeFile): Promise<string> {
  const owner = await newOwner();
  await importLines(owner, carrier.records);
  return owner;
}

/** Seconds of the import of a file's transactions; without matching, they say their statuses themselves. */
async function seconds(owner: string, { lines }: MadeFile, isMatched: boolean): Promise<number> {
  const statuses = { entityMatchStatus: 'auto matched', agentMatchStatus: 'auto matched' };
  const records = lines.map(({ record }) => (isMatched ? record : { ...record, ...statuses }));
  const started = performance.now();
  const { imported } = await importLines(owner, records);
  if (imported !== records.length) throw new Error(`Only ${imported} lines were imported.`);
  return (performance.now() - started) / 1_000;
}

async function qualityRows(seed: string, file: MadeFile, owner: string): Promise<Row[]> {
  const { precision, recall, autoMatched, certain, misdeduplicated } = qualityOf(
    file,
    await allTransactions(owner),
  );
  const of = `${count(many)} made transactions, seed ${seed}`;
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

/** How well a made file is matched whose truth its generator knows, and what matching adds to the time of its import. */
export async function measureMatching(): Promise<Row[]> {
  await createMatchingTables();
  const rows: Row[] = [];
  for (const seed of seeds) {
    const file = makeFile(seed, many, agencies);
    const owner = await carrierOf(file);
    const matched = await seconds(owner, file, true);
    rows.push(...(await qualityRows(seed, file, owner)));
    if (seed !== seeds[0]) continue;
    const small = makeFile(seed, few, agencies);
    const ofFew = await seconds(await carrierOf(small), small, true);
    const without = await seconds(await carrierOf(file), file, false);
    const perLine = (matched * few) / (ofFew * many);
    rows.push(
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
    );
  }
  return rows;
}
