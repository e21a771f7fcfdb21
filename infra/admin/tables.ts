// The rows of a table, as they stand in the file, and the texts of their cells as the values that they stand for.
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { DateTime } from 'luxon';
import type { FieldKind } from './fields.ts';

/** Encodings of tables: those that spreadsheets write on Windows and on a Mac, beside UTF-8. */
export const encodings = ['utf-8', 'windows-1252', 'macintosh'] as const;

type Encoding = (typeof encodings)[number];

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

type Delimiter = (typeof delimiters)[number];

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

/** A name as it is compared: columns are found whatever their case and spaces. */
export const comparable = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** The text of a cell, also of one that a spreadsheet wrote as a formula so that it stays a text. */
export const cellText = (cell: string): string => (/^="(.*)"$/s.exec(cell.trim())?.[1] ?? cell).trim();

/**
 * A number as people write amounts: with a dollar sign, with thousands separated, in parentheses if negative; undefined for others.
 */
export function numberOf(text: string): number | undefined {
  const [, open = '', sign = '', digits = '', rest = '', close = ''] =
    /^(\(?)(-?)\$?(\d{1,3}(?:,\d{3})+|\d*)(\.\d+)?(\)?)$/.exec(
      text.replaceAll(' ', '').replace('$-', '-$'),
    ) ?? [];
  if (digits + rest === '' || (open === '') !== (close === '')) return undefined;
  const value = Number(`${digits.replaceAll(',', '')}${rest}`);
  return open === '(' || sign === '-' ? -value : value;
}

/** Reads dates of these forms; undefined for others. */
function dateReader(forms: readonly string[]): (text: string) => string | undefined {
  const parsers = forms.map((form) => ({
    parser: DateTime.buildFormatParser(form, { locale: 'en-US' }),
    hasShortYear: /(?<!y)yy(?!y)/.test(form),
  }));
  return (text) => {
    // Luxon reads longer years by `yy`, too: 0001 as 2001.
    const hasLongYear = /(?<!\d)\d{3,4}(?!\d)/.test(text);
    for (const { parser, hasShortYear } of parsers) {
      if (hasShortYear && hasLongYear) continue;
      const date = DateTime.fromFormatParser(text, parser, { locale: 'en-US', zone: 'utc' });
      if (date.isValid) return date.toISODate();
    }
    return undefined;
  };
}

export type Value = string | number | boolean;

/** The parts of a person's name. */
export const nameParts = ['first', 'middle', 'last'] as const;

const suffix = /^(jr|sr|ii|iii|iv|v)\.?$/i;

/** A part of a person's name that is written `Maria L Delgado Jr` or `DELGADO JR, MARIA L`; empty where it has none. */
export function partOfName(name: string, part: (typeof nameParts)[number]): string {
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');
  const [before = '', ...after] = name.split(',');
  const givenNames = wordsOf(after.join(' '));
  const isReversed = givenNames.some((word) => !suffix.test(word));
  const allWords = isReversed ? givenNames : wordsOf(before);
  const names = allWords.filter((word) => !suffix.test(word));
  const [first = '', ...rest] = names;
  if (part === 'first') return first;
  if (part === 'middle') return (isReversed ? rest : rest.slice(0, -1)).join(' ');
  return isReversed ? before.trim() : (rest.at(-1) ?? '');
}

/** Words and date forms of a column's texts. */
interface CellWords {
  readonly words?: Readonly<Record<string, Value | null>> | undefined;
  readonly dates?: readonly string[] | undefined;
}

/**
 * Reads the text of a cell as a value of a field; undefined where it says nothing. What cannot be read stays as it is, for the
 * import to refuse.
 */
export function valueReader(
  { words = {}, dates = [] }: CellWords,
  { kind, accepted }: FieldKind,
): (text: string) => Value | undefined {
  const values = new Map(
    Object.entries(words).map(([word, value]) => [comparable(word), value ?? undefined] as const),
  );
  const spelling = new Map(accepted.map((value) => [comparable(value), value]));
  const readDate = dateReader(dates);
  return (text) => {
    const name = comparable(text);
    if (text === '' || values.has(name)) return values.get(name);
    if (kind === 'number') return numberOf(text) ?? text;
    if (kind === 'date') return readDate(text) ?? text;
    // Programs write a number that they take for a decimal with its zero: 8123456.0.
    return spelling.get(name) ?? text.replace(/^(\d+)\.0$/, '$1');
  };
}
