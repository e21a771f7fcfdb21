import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { decoded } from '../source-line.ts';

/** A row of a table. */
export interface Row {
  /** The number of its first line in the file, from 1. */
  readonly line: number;
  readonly raw: Uint8Array;
  /** Undefined where the row cannot be read. */
  readonly cells: readonly string[] | undefined;
  /** Whether a quote in it is never closed, so that it does not end. */
  readonly isOpen: boolean;
}

/** A row as the parser gives it, with the number of empty lines until it. The parser counts a line feed within a cell twice. */
interface ParsedRow {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly empty_lines: number };
}

/** What stands between the cells of a row. */
export const delimiters = [',', ';', '\t', '|'] as const;

export type Delimiter = (typeof delimiters)[number];

const byteOrderMark = Buffer.from('\uFEFF');

/** Bytes without a mark at their beginning. */
async function* withoutMark(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const some of bytes) {
    const isMarked = isFirst && some.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    isFirst = false;
    yield isMarked ? some.subarray(byteOrderMark.length) : some;
  }
}

/**
 * The rows of a table that are not empty, its header first. Each byte is read as a character, so that a row that is not UTF-8
 * is found among the others.
 */
export async function* rowsOf(bytes: AsyncIterable<Buffer>, delimiter: Delimiter): AsyncGenerator<Row> {
  let isOpen = false;
  const parser = parse({
    delimiter,
    encoding: 'latin1',
    info: true,
    // The end of a file within quotes. As an error, it would take the rows before it along, which are not read yet.
    onSkip: () => {
      isOpen = true;
    },
    raw: true,
    recordDelimiter: ['\r\n', '\n'],
    relaxColumnCount: true,
    // Spreadsheets write ="0012" for a code that is a text.
    relaxQuotes: true,
    skipEmptyLines: true,
    skipRecordsWithError: true,
  });
  const rows: AsyncIterable<ParsedRow> = pipeline(withoutMark(bytes), parser, () => undefined);
  let [next, empty] = [1, 0];
  for await (const { record, raw, info } of rows) {
    const cells = record.map((cell) => decoded(Buffer.from(cell, 'latin1')));
    const written = raw.replace(/^[\r\n]+|[\r\n]+$/g, '');
    const line = next + info.empty_lines - empty;
    next = line + written.split('\n').length;
    empty = info.empty_lines;
    yield {
      line,
      raw: Buffer.from(written, 'latin1'),
      cells: cells.every((cell) => cell !== undefined) ? cells : undefined,
      isOpen: false,
    };
  }
  if (isOpen) yield { line: next, raw: Buffer.alloc(0), cells: undefined, isOpen };
}
