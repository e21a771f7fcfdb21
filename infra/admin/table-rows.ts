// The rows of a table, as they stand in the file.

import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';

/** Encodings of tables: those that spreadsheets write on Windows and on a Mac, beside UTF-8. */
export const encodings = ['utf-8', 'windows-1252', 'macintosh'] as const;

export type Encoding = (typeof encodings)[number];

/**
 * Reads text without a byte order mark; undefined if it is not in the encoding, or is UTF-16 of which each byte is a character of
 * it.
 */
export function decoderOf(encoding: Encoding): (bytes: Uint8Array) => string | undefined {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) => {
    try {
      return bytes.includes(0) ? undefined : decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
}

/** A row of a table. */
export interface Row {
  /** The number of its first line in the file, from 1. */
  readonly line: number;
  readonly raw: Uint8Array;
  /** Undefined where the row cannot be read. */
  readonly cells: readonly string[] | undefined;
  /** Why it cannot be read. */
  readonly fault?: string | undefined;
}

/** A row as the parser gives it, with the number of empty lines until it. The parser counts a line feed within a cell twice. */
interface ParsedRow {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly empty_lines: number };
}

/** Separators between the cells of a row. */
export const delimiters = [',', ';', '\t', '|', ':'] as const;

export type Delimiter = (typeof delimiters)[number];

const byteOrderMark = Buffer.from('\uFEFF');

/** Bytes without a mark at their beginning. */
async function* withoutMark(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const part of bytes) {
    const isMarked = isFirst && part.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    isFirst = false;
    yield isMarked ? part.subarray(byteOrderMark.length) : part;
  }
}

const lineEnd = /\r\n|\n|\r/;

/** The fault of a row over several lines of which one, but for the first, has as many cells as the header: a stray quote. */
function swallowedRow(lines: readonly string[], delimiter: Delimiter, width: number): string | undefined {
  const index = lines.findIndex((line, index) => index > 0 && line.split(delimiter).length >= width);
  return index === -1 ? undefined : `has a quote that takes in its line ${index + 1}, which looks like a row`;
}

/**
 * The rows of a table that are not empty, its header first. Each byte is read as a character, so that a row that is not in the
 * encoding is found among the others.
 */
export async function* rowsOf(
  bytes: AsyncIterable<Buffer>,
  {
    delimiter = ',',
    encoding = 'utf-8',
  }: { readonly delimiter?: Delimiter; readonly encoding?: Encoding } = {},
): AsyncGenerator<Row> {
  const decode = decoderOf(encoding);
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
    recordDelimiter: ['\r\n', '\n', '\r'],
    relaxColumnCount: true,
    // Spreadsheets write ="0012" for a code that is a text.
    relaxQuotes: true,
    skipEmptyLines: true,
    skipRecordsWithError: true,
  });
  const rows: AsyncIterable<ParsedRow> = pipeline(withoutMark(bytes), parser, () => undefined);
  let [next, empty] = [1, 0];
  let width: number | undefined;
  for await (const { record, raw, info } of rows) {
    const text = raw.replace(/^[\r\n]+|[\r\n]+$/g, '');
    const lines = text.split(lineEnd);
    const line = next + info.empty_lines - empty;
    next = line + lines.length;
    empty = info.empty_lines;
    // Excel's own line, which names the delimiter.
    if (width === undefined && /^sep=.$/i.test(text)) continue;
    const rowPlace = { line, raw: Buffer.from(text, 'latin1') };
    const cells = record.flatMap((cell) => decode(Buffer.from(cell, 'latin1')) ?? []);
    const fault =
      cells.length < record.length
        ? `is not ${encoding.toUpperCase()}: save the file as CSV UTF-8, or name its \`encoding\` in the mapping`
        : width !== undefined && lines.length > 1
          ? swallowedRow(lines, delimiter, width)
          : undefined;
    width ??= record.length;
    if (fault !== undefined) yield { ...rowPlace, cells: undefined, fault };
    else if (cells.some((cell) => cell.trim() !== '')) yield { ...rowPlace, cells };
  }
  if (isOpen) {
    const fault = 'has a quote that is not closed: nothing from there on was read';
    yield { line: next, raw: Buffer.alloc(0), cells: undefined, fault };
  }
}
