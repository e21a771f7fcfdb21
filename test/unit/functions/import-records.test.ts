import type { ImportType } from '../../../functions/import/import-records.ts';
import { createImportRecords } from '../../../functions/import/import-records.ts';
import { LineFault } from '../../../functions/import/lines.ts';

const command = { commandId: 'one', commandAt: '2026-07-01T12:00:00.000Z', by: 'import' } as const;

/** Imports lines of licenses, and answers the numbers of the lines that each attempt has. @param faulty the NPN of a bad line. */
async function attemptsOf(npns: readonly string[], faulty: string, lineNumbers?: number[]) {
  const attempts: number[][] = [];
  const licenses: ImportType = {
    types: ['license'],
    async importLines(lines) {
      attempts.push(lines.map(({ line }) => line));
      if (lines.some(({ record }) => (record as { npn?: string }).npn === faulty))
        throw new LineFault({ path: 'npn', message: 'is refused' });
      return [];
    },
  };
  const importRecords = createImportRecords([licenses]);
  const lines = npns.map((npn) => JSON.stringify({ type: 'license', npn }));
  const { outcome } = await importRecords({ firstLine: 1, lines, lineNumbers }, command);
  return { attempts, rejected: outcome.rejected.map(({ line }) => line) };
}

it('never imports a part of what a file says of one producer because a line of another one is refused', async () => {
  expect(await attemptsOf(['1', '2', '2', '2'], '1')).toEqual({
    attempts: [[1, 2, 3, 4], [1], [2, 3, 4]],
    rejected: [1],
  });
  expect(await attemptsOf(['1', '1', '1', '2'], '2')).toEqual({
    attempts: [[1, 2, 3, 4], [1, 2, 3], [4]],
    rejected: [4],
  });
});

it('refuses each line by itself where those of one producer are refused', async () => {
  const { rejected } = await attemptsOf(['1', '1', '2', '1'], '1');
  expect(rejected).toEqual([1, 2, 4]);
});

it('names lines by their numbers in the file where others stand between them', async () => {
  expect((await attemptsOf(['1', '2'], '2', [3, 17])).rejected).toEqual([17]);
});
