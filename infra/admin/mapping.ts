// How the columns of a table are read as the fields of records: what an operator writes once for each source.

import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { DateTime } from 'luxon';
import * as z from 'zod/mini';
import { type RecordType, recordSchemas } from '../../functions/import/record-schemas.ts';
import { invalidAt, invalidFields } from '../../shared/platform/contract/errors.ts';
import { stepsOf, withValue } from '../../shared/platform/data/json.ts';
import type { Issue } from '../../shared/platform/errors/domain-error.ts';
import { jsonValue, parseInput } from '../../shared/platform/request/validation.ts';
import { type FieldKind, fieldKinds, recordTypes } from './fields.ts';
import { decoded, notUtf8, type SourceLine } from './report-lines.ts';

/** A row of a table. */
interface Row {
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
const delimiters = [',', ';', '\t', '|'] as const;

type Delimiter = (typeof delimiters)[number];

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

const text = z.string().check(z.minLength(1));

/** How the cells of a column become the values of a field. */
const columnMapping = z.strictObject({
  column: text,
  /** Forms of dates that are not ISO 8601, such as `M/d/yyyy h:mm:ss a`. */
  dates: z.optional(z.array(text)),
  /** Values by the words that stand for them, in any case; null for a word that says nothing. */
  words: z.optional(z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()])))),
  /** What stands between the values of a list in one cell. */
  separator: z.optional(text),
});

const constant = z.strictObject({ constant: z.union([z.string(), z.number(), z.boolean()]) });

const csvMapping = z.strictObject({
  type: z.enum(recordTypes as [RecordType, ...RecordType[]]),
  delimiter: z._default(z.enum(delimiters), ','),
  /** By the path of a field, such as `npn` or `linesOfAuthority[].code`: the name of its column, or more of it. */
  fields: z.record(z.string(), z.union([text, columnMapping, constant])),
});

export type CsvMapping = z.output<typeof csvMapping>;

/** Reads a mapping. @throws ApiError `validation_error` where that fails. */
export async function readMapping(path: string): Promise<CsvMapping> {
  let value: unknown;
  try {
    value = jsonValue(await readFile(path, 'utf8'));
  } catch {
    throw invalidAt('mapping', `${path} cannot be read, or is not JSON`);
  }
  return parseInput(csvMapping, value);
}

/** A name as it is compared: columns are found whatever their case and spaces. */
const comparable = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** The text of a cell, also of one that a spreadsheet wrote as a formula so that it stays a text. */
export const cellText = (cell: string): string => (/^="(.*)"$/s.exec(cell.trim())?.[1] ?? cell).trim();

/**
 * A number as people write amounts: with a dollar sign, with thousands separated, in parentheses if negative; undefined for others.
 */
export function numberOf(written: string): number | undefined {
  const [, open = '', sign = '', whole = '', rest = '', close = ''] =
    /^(\(?)(-?)\$?(\d{1,3}(?:,\d{3})+|\d*)(\.\d+)?(\)?)$/.exec(
      written.replaceAll(' ', '').replace('$-', '-$'),
    ) ?? [];
  if (whole + rest === '' || (open === '') !== (close === '')) return undefined;
  const value = Number(`${whole.replaceAll(',', '')}${rest}`);
  return open === '(' || sign === '-' ? -value : value;
}

/** Reads dates of these forms; undefined for others. */
function dateReader(forms: readonly string[]): (written: string) => string | undefined {
  const parsers = forms.map((form) => DateTime.buildFormatParser(form, { locale: 'en-US' }));
  return (written) => {
    for (const parser of parsers) {
      const date = DateTime.fromFormatParser(written, parser, { locale: 'en-US', zone: 'utc' });
      if (date.isValid) return date.toISODate();
    }
    return undefined;
  };
}

type Value = string | number | boolean;

/**
 * Reads the text of a cell as a value of a field; undefined where it says nothing. What cannot be read stays as it is, for the
 * import to refuse.
 */
function valueReader(
  { words = {}, dates = [] }: Partial<z.output<typeof columnMapping>>,
  { kind, accepted }: FieldKind,
): (written: string) => Value | undefined {
  const values = new Map(
    Object.entries(words).map(([word, value]) => [comparable(word), value ?? undefined] as const),
  );
  const spelling = new Map(accepted.map((value) => [comparable(value), value]));
  const readDate = dateReader(dates);
  return (written) => {
    const name = comparable(written);
    if (written === '' || values.has(name)) return values.get(name);
    if (kind === 'number') return numberOf(written) ?? written;
    if (kind === 'date') return readDate(written) ?? written;
    return spelling.get(name) ?? written;
  };
}

interface FieldPath {
  /** Undefined for a field that is not within a list. */
  readonly list: string | undefined;
  /** The names of the objects that the field is within, and its own. */
  readonly names: readonly string[];
}

const partsOf = (path: string): FieldPath => {
  const [list = '', member] = path.split('[]');
  return member === undefined ? { list: undefined, names: stepsOf(path) } : { list, names: stepsOf(member) };
};

/** Reads the cells of a row as a field of a record. */
interface FieldReader extends FieldPath {
  readonly valuesOf: (cells: readonly string[]) => readonly (Value | undefined)[];
  readonly isConstant: boolean;
}

/** A record of a row: its fields in the order of the mapping; what is constant in a list is so in each of its elements. */
function recordOf(type: string, readers: readonly FieldReader[], cells: readonly string[]): unknown {
  let record: unknown = { type };
  const lists = new Map<string, unknown[]>();
  for (const { list, names, valuesOf, isConstant } of readers) {
    const values = valuesOf(cells);
    if (list === undefined) {
      const [value] = values;
      if (value !== undefined) record = withValue(record, names, value);
      continue;
    }
    const elements = lists.get(list) ?? [];
    lists.set(list, elements);
    const given = isConstant
      ? elements.map((element) => (element === undefined ? undefined : values[0]))
      : values;
    for (const [index, value] of given.entries()) {
      elements[index] = value === undefined ? elements[index] : withValue(elements[index], names, value);
    }
  }
  for (const [list, elements] of lists) {
    const said = elements.filter((element) => element !== undefined);
    record = withValue(record, [list], said);
  }
  return record;
}

/**
 * Reads the rows of a table below its header as records.
 * @throws ApiError `validation_error` for a field or a column that there is not.
 */
export function rowReader(mapping: CsvMapping, header: readonly string[]): (row: Row) => SourceLine {
  const { type, fields } = mapping;
  const kinds = fieldKinds(recordSchemas[type]);
  const columns = header.map((name) => comparable(cellText(name)));
  const issues: Issue[] = [];
  const readers = Object.entries(fields).flatMap(([path, given]): FieldReader[] => {
    const kind = kinds.get(path);
    if (kind === undefined) {
      issues.push({
        path: `mapping.fields.${path}`,
        message: `is not a field of ${type}`,
        accepted: [...kinds.keys()],
      });
      return [];
    }
    if (typeof given === 'object' && 'constant' in given) {
      return [{ ...partsOf(path), valuesOf: () => [given.constant], isConstant: true }];
    }
    const column = typeof given === 'string' ? { column: given } : given;
    const at = columns.indexOf(comparable(column.column));
    if (at === -1 || columns.includes(comparable(column.column), at + 1)) {
      const message = `is ${at === -1 ? 'not a column' : 'the name of several columns'} of the file`;
      issues.push({
        path: `mapping.fields.${path}`,
        message: `${column.column} ${message}`,
        accepted: header,
      });
      return [];
    }
    const read = valueReader(column, kind);
    const { separator } = column;
    const valuesOf = (cells: readonly string[]) => {
      const written = cellText(cells[at] ?? '');
      const parts = separator === undefined ? [written] : written.split(separator);
      return parts.map((part) => read(part.trim()));
    };
    return [{ ...partsOf(path), valuesOf, isConstant: false }];
  });
  if (issues.length > 0) throw invalidFields(issues);
  // What is constant comes last, when the elements of lists are known.
  const inOrder = readers.toSorted((one, other) => Number(one.isConstant) - Number(other.isConstant));
  return ({ line, raw, cells, isOpen }) => {
    const of = { line, raw, text: undefined };
    if (isOpen) return { ...of, fault: 'has a quote that is not closed: nothing from there on was read' };
    if (cells === undefined) return { ...of, fault: notUtf8 };
    if (cells.length !== columns.length) {
      return { ...of, fault: `has ${cells.length} columns, and the header ${columns.length}` };
    }
    return { line, raw, text: JSON.stringify(recordOf(type, inOrder, cells)) };
  };
}
