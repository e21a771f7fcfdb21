import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { importChunks, importFile, recordLines } from '../../../../infra/admin/import-file.ts';
import { numberOf } from '../../../../infra/admin/mapping.ts';

async function chunksOf(lines: readonly string[]) {
  const chunks = [];
  for await (const { lines: some } of importChunks(recordLines(toAsync(lines)))) {
    chunks.push({ firstLine: some[0]?.line, lines: some.map(({ text }) => text) });
  }
  return chunks;
}

async function* toAsync(lines: readonly string[]): AsyncGenerator<Buffer> {
  for (const line of lines) yield Buffer.from(line);
}

describe("an operator's file", () => {
  it('is split into chunks of 500 lines', async () => {
    const chunks = await chunksOf(Array.from({ length: 1_001 }, (_, index) => `{"n":${index}}`));
    expect(chunks.map(({ firstLine, lines }) => [firstLine, lines.length])).toEqual([
      [1, 500],
      [501, 500],
      [1_001, 1],
    ]);
  });

  it('is split into chunks of a megabyte, and a longer line is a chunk of its own', async () => {
    const chunks = await chunksOf(['a'.repeat(600_000), 'b'.repeat(600_000), 'c'.repeat(2_000_000), 'd']);
    expect(chunks.map(({ firstLine, lines }) => [firstLine, lines.length])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
    ]);
  });

  it('has its empty lines removed, while the others keep their numbers', async () => {
    const read = recordLines(toAsync(['', 'one', 'two', ' ', '', 'three', '']));
    const numbers = [];
    for await (const { lines } of importChunks(read)) numbers.push(lines.map(({ line }) => line));
    expect(numbers).toEqual([[2, 3, 6]]);
    expect(await chunksOf([''])).toEqual([]);
  });
});

describe('csv', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csv-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const chunk = z.object({
    firstLine: z.number(),
    lines: z.array(z.string()),
    lineNumbers: z.optional(z.array(z.number())),
  });

  /** Reads a table; answers its records with the numbers of their lines, what is rejected, and the file of what is. */
  async function read(table: string, mapping: object) {
    const [file, mappingFile, rejectedFile] = ['table.csv', 'mapping.json', 'rejected.csv'].map((name) =>
      join(folder, name),
    );
    await writeFile(String(file), table, 'latin1');
    await writeFile(String(mappingFile), JSON.stringify(mapping));
    const records: unknown[] = [];
    const invoke = async (_: string, payload: object) => {
      const { firstLine, lines, lineNumbers } = z.parse(chunk, payload);
      const numberOfLine = (index: number) => lineNumbers?.[index] ?? firstLine + index;
      records.push(...lines.map((line, index) => [numberOfLine(index), JSON.parse(line) as unknown]));
      return { imported: lines.length, rejected: [], ids: [] };
    };
    const answer = await importFile(invoke, { file, mapping: mappingFile, rejectedFile });
    const { rejected } = answer as { rejected: unknown };
    return { records, rejected, rejectedLines: await readFile(String(rejectedFile), 'latin1') };
  }

  const utf8Mark = '\xef\xbb\xbf';

  it('a table is read as it is, by its columns, and what cannot be read is left for a person', async () => {
    const table = [
      `${utf8Mark}NPN,Name,Ended,Lines`,
      '="0017","A ""B"" & Sons",3/1/2026,C; P',
      '',
      '18,"two',
      'lines",N/A,',
      '19,G\xe9n,,',
      '20,x',
      '21,last,46082,C',
      '22,"never closed,,',
      '23,,,',
    ].join('\r\n');
    const mapping = {
      type: 'license',
      fields: {
        npn: 'npn',
        status: { constant: 'active' },
        licenseClassName: 'NAME',
        expirationDate: { column: 'Ended', dates: ['yyyyMMdd', 'M/d/yyyy'], words: { 'n/a': null } },
        'linesOfAuthority[].status': { constant: 'active' },
        'linesOfAuthority[].code': { column: 'Lines', separator: ';' },
      },
    };
    const license = (npn: string, licenseClassName: string, lines: readonly string[], more: object = {}) => ({
      type: 'license',
      npn,
      licenseClassName,
      status: 'active',
      linesOfAuthority: lines.map((code) => ({ code, status: 'active' })),
      ...more,
    });
    const { records, rejected, rejectedLines } = await read(table, mapping);
    expect(records).toEqual([
      [2, license('0017', 'A "B" & Sons', ['C', 'P'], { expirationDate: '2026-03-01' })],
      [4, license('18', 'two\r\nlines', [])],
      [8, license('21', 'last', ['C'], { expirationDate: '46082' })],
    ]);
    const issue = (message: string) => [{ path: '', message }];
    expect(rejected).toEqual([
      { line: 6, issues: issue('is not UTF-8') },
      { line: 7, issues: issue('has 2 columns, and the header 4') },
      { line: 9, issues: issue('has a quote that is not closed: nothing from there on was read') },
    ]);
    expect(rejectedLines).toBe('NPN,Name,Ended,Lines\n19,G\xe9n,,\n20,x\n\n');
  });

  it.each([
    ['$1,234.50', 1234.5],
    ['1234.5', 1234.5],
    ['(120.25)', -120.25],
    ['-$1,000', -1000],
    ['$-7', -7],
    ['.5', 0.5],
    ['1.234,50', undefined],
    ['1,23', undefined],
    ['(1', undefined],
    ['$', undefined],
    ['USD 5', undefined],
  ])('the amount %s is %d', (written, value) => {
    expect(numberOf(written)).toBe(value);
  });
});
