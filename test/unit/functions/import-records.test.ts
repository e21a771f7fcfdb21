import {
  createImportRecords,
  type ImportType,
  momentOfFile,
  parseLine,
} from '../../../functions/import/run/import-records.ts';
import { LineFault } from '../../../functions/import/run/lines.ts';

const command = { id: 'one', at: '2026-07-01T12:00:00.000Z', recordedAt: '2026-07-01T12:00:00.000Z' };

/** Imports lines as a complete statement, and answers the numbers of the lines that each attempt has. @param faulty the NPN of a bad line. */
async function attemptsOf(npns: readonly string[], faulty: string, lineNumbers?: number[]) {
  const attempts: { lines: number[]; isComplete: boolean }[] = [];
  const licenses: ImportType = {
    types: ['license'],
    async importLines(lines, _, isComplete) {
      attempts.push({ lines: lines.map(({ line }) => line), isComplete });
      if (lines.some(({ record }) => (record as { npn?: string }).npn === faulty))
        throw new LineFault({ path: 'npn', message: 'is refused' });
    },
  };
  const importRecords = createImportRecords([licenses]);
  const lines = npns.map((npn) => JSON.stringify({ type: 'license', npn }));
  const { rejected } = await importRecords({ firstLine: 1, lines, lineNumbers, complete: true }, command);
  return { attempts, rejected: rejected.map(({ line }) => line) };
}

it('imports the lines of each holder by themselves where one of them is refused, and its own one by one, as parts', async () => {
  expect(await attemptsOf(['1', '2', '1', '2', '3'], '2')).toEqual({
    attempts: [
      { lines: [1, 2, 3, 4, 5], isComplete: true },
      { lines: [1, 3], isComplete: true },
      { lines: [2, 4], isComplete: true },
      ...[2, 4].map((line) => ({ lines: [line], isComplete: false })),
      { lines: [5], isComplete: true },
    ],
    rejected: [2, 4],
  });
});

it('names lines by their numbers in the file where others stand between them', async () => {
  expect((await attemptsOf(['1', '2'], '2', [3, 17])).rejected).toEqual([17]);
});

it('says of a line that is not JSON where', () => {
  expect(() => parseLine('{"a" 1}')).toThrow('is not valid JSON at position 5 (line 1 column 6)');
});

it.each([
  ['a day, at its end in New York in summer', '2026-06-30', '2026-07-01T03:59:59.999Z'],
  ['a day, at its end in New York in winter', '2026-01-31', '2026-02-01T04:59:59.999Z'],
  ['today, at the moment of the command', '2026-07-01', '2026-07-01T12:00:00.000Z'],
  ['a time', '2026-06-30T10:00:00+02:00', '2026-06-30T08:00:00.000Z'],
  ['now, unless it says so', undefined, '2026-07-01T12:00:00.000Z'],
])('a file is about %s', (_, askedAt, moment) => {
  expect(momentOfFile(askedAt, new Date(command.at)).toISOString()).toBe(moment);
});

it.each(['2026-07-02', '2026-07-01T12:00:01Z'])('a file cannot be about %s, in the future', (askedAt) => {
  expect(() => momentOfFile(askedAt, new Date(command.at))).toThrow('askedAt: is in the future');
});
