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

  it('is split into chunks of a megabyte, and a longer line is a chunk of its own', async () => {
    const chunks = await chunksOf(['a'.repeat(600_000), 'b'.repeat(600_000), 'c'.repeat(2_000_000), 'd']);
    expect(chunks.map(({ firstLine, lines }) => [firstLine, lines.length])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
    ]);
  });

  it('is not split between the licenses, or the appointments, of one producer that stand side by side', async () => {
    const line = (type: string, npn: string) => JSON.stringify({ type, npn });
    const ofOne = (count: number, record: string) => Array.from({ length: count }, () => record);
    const lengths = async (...lines: string[]) => (await chunksOf(lines)).map((chunk) => chunk.lines.length);
    const licenses = ofOne(502, line('license', '1'));
    expect(await lengths(...licenses, line('license', '2'))).toEqual([502, 1]);
    expect(await lengths(...licenses, line('appointment', '1'))).toEqual([502, 1]);
    expect(await lengths(...licenses, '{')).toEqual([502, 1]);
    expect(await lengths(...licenses, '', ...licenses)).toEqual([502, 502]);
    const large = JSON.stringify({ type: 'license', npn: '1', more: 'a'.repeat(900_000) });
    expect(await lengths(...ofOne(5, large))).toEqual([3, 2]);
  });

  it('has its empty lines removed, while the others keep their numbers', async () => {
    expect(await chunksOf(['', 'one', 'two', ' ', '', 'three', ''])).toEqual([
      { firstLine: 2, lines: ['one', 'two'] },
      { firstLine: 6, lines: ['three'] },
    ]);
    expect(await chunksOf([''])).toEqual([]);
  });
});
