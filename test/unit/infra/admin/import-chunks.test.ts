import { importChunks, recordLines } from '../../../../infra/admin/import-file.ts';

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

  it('has the lines of one holder that follow each other in one chunk, up to what a call takes', async () => {
    const appointment = (npn: string, index: number, more = '') =>
      JSON.stringify({ type: 'appointment', npn, companyCode: String(index), more });
    const of = (npn: string, count: number, more = '') =>
      Array.from({ length: count }, (_, index) => appointment(npn, index, more));
    const sizes = async (lines: readonly string[]) => (await chunksOf(lines)).map((one) => one.lines.length);
    expect(await sizes([...of('1', 400), ...of('2', 24_000), ...of('3', 3)])).toEqual([24_400, 3]);
    expect(await sizes(of('1', 7, 'x'.repeat(1_000_000)))).toEqual([6, 1]);
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

  it('is split by the size of what is sent, in which each quote of a line is escaped', async () => {
    const quotes = JSON.stringify({ n: '"'.repeat(150_000) });
    const chunks = await chunksOf([quotes, quotes, quotes]);
    expect(quotes.length).toBeLessThan(400_000);
    expect(chunks.map(({ lines }) => lines.length)).toEqual([1, 1, 1]);
  });

  it('has its empty lines removed, while the others keep their numbers', async () => {
    const read = recordLines(toAsync(['', 'one', 'two', ' ', '', 'three', '']));
    const numbers = [];
    for await (const { lines } of importChunks(read)) numbers.push(lines.map(({ line }) => line));
    expect(numbers).toEqual([[2, 3, 6]]);
    expect(await chunksOf([''])).toEqual([]);
  });
});
