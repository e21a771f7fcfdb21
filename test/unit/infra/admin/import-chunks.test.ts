import * as fc from 'fast-check';
import { statementOf } from '../../../../functions/import/lines.ts';
import { importChunks, recordLines } from '../../../../infra/admin/import-file.ts';

async function chunksOf(lines: readonly string[]) {
  const chunks = [];
  const read = () => recordLines(toAsync(lines));
  for await (const { lines: some } of importChunks(read(), read())) {
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

  it('is not split between the licenses, or the appointments, of one producer', async () => {
    const line = (type: string, npn: string) => JSON.stringify({ type, npn });
    const ofOne = (count: number, record: string) => Array.from({ length: count }, () => record);
    const lengths = async (...lines: string[]) => (await chunksOf(lines)).map((chunk) => chunk.lines.length);
    const licenses = ofOne(502, line('license', '1'));
    expect(await lengths(...licenses, line('license', '2'))).toEqual([502, 1]);
    expect(await lengths(...licenses, line('appointment', '1'))).toEqual([502, 1]);
    expect(await lengths(...licenses, '{')).toEqual([502, 1]);
    expect(await lengths(...licenses, '', ...licenses)).toEqual([1_004]);
    const large = JSON.stringify({ type: 'license', npn: '1', more: 'a'.repeat(900_000) });
    expect(await lengths(...ofOne(5, large))).toEqual([3, 2]);
  });

  it('has the lines of one statement in one chunk, wherever they stand, and each line once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            type: fc.constantFrom('license', 'appointment', 'regulatory-action', 'agent'),
            npn: fc.constantFrom('1', '01', '2', '3'),
          }),
        ),
        async (records) => {
          const lines = records.map((record, index) => JSON.stringify({ ...record, index }));
          const read = () => recordLines(toAsync(lines));
          const sent: { line: number; chunk: number; from: number }[] = [];
          let count = 0;
          for await (const { lines: some, from } of importChunks(read(), read(), { lines: 2, bytes: 100 })) {
            for (const { line } of some) sent.push({ line, chunk: count, from });
            count += 1;
          }
          expect(sent.map(({ line }) => line).toSorted((one, other) => one - other)).toEqual(
            records.map((_, index) => index + 1),
          );
          const chunksOfStatements = new Map<string, Set<number>>();
          for (const { line, chunk } of sent) {
            const statement = statementOf(records[line - 1]);
            if (statement === undefined) continue;
            const known = chunksOfStatements.get(statement) ?? new Set();
            chunksOfStatements.set(statement, known.add(chunk));
          }
          for (const those of chunksOfStatements.values()) expect(those.size).toBe(1);
          // Whoever goes on from there leaves out no line that was not sent.
          for (const { chunk, from } of sent)
            expect(from).toBe(Math.min(...sent.flatMap((one) => (one.chunk >= chunk ? one.line : []))));
        },
      ),
    );
  });

  it('has its empty lines removed, while the others keep their numbers', async () => {
    const read = () => recordLines(toAsync(['', 'one', 'two', ' ', '', 'three', '']));
    const numbers = [];
    for await (const { lines } of importChunks(read(), read())) numbers.push(lines.map(({ line }) => line));
    expect(numbers).toEqual([[2, 3, 6]]);
    expect(await chunksOf([''])).toEqual([]);
  });
});
