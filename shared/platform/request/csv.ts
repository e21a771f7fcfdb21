// A list as a table (OpenAPI, "Lists").
import type * as z from 'zod/mini';
import { unwrapSchema } from './validation.ts';

/** Content type of a list in this form. */
export const csvType = 'text/csv; charset=utf-8';

/**
 * Whether an `accept` prefers CSV to JSON (RFC 9110, section 12.5.1). Where it likes both as well, the one that it names counts, and
 * JSON where it names both: generated clients list all that an operation answers.
 */
export function prefersCsv(accept = ''): boolean {
  const qualities = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map((range) => {
        const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
        return [type, Number(parameters.find((part) => part.startsWith('q='))?.slice('q='.length) ?? 1)];
      }),
  );
  const qualityOf = (type: string, wider: string): number =>
    qualities.get(type) ?? qualities.get(wider) ?? qualities.get('*/*') ?? 0;
  const csv = qualityOf('text/csv', 'text/*');
  const json = qualityOf('application/json', 'application/*');
  const isCsvAlone = qualities.has('text/csv') && !qualities.has('application/json');
  return csv > json || (csv === json && csv > 0 && isCsvAlone);
}

/** The fields on the way to a column's value. */
type Column = readonly string[];

/** Rows of one list as text. */
export interface CsvTable {
  /** The names of its columns, which stand before the first row. */
  readonly header: string;
  readonly rows: (items: readonly unknown[]) => string;
}

/** The table of a list whose items have a schema. */
export function csvTableOf(item: z.core.$ZodType): CsvTable {
  const columns = columnsOf(item);
  return {
    header: lineOf(columns.map((column) => column.join('.'))),
    rows: (items) =>
      items.map((row) => lineOf(columns.map((column) => cellOf(valueAt(row, column))))).join(''),
  };
}

/**
 * A column for each value of a schema. What has no columns of its own is one column: what the schema leaves open, and what lies in
 * a list within a list.
 */
function columnsOf(schema: z.core.$ZodType, path: Column = [], isListed = false): Column[] {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type === 'array' && !isListed) return columnsOf(def.element, path, true);
  if (def.type === 'object') {
    return Object.entries(def.shape).flatMap(([name, member]) =>
      columnsOf(member, [...path, name], isListed),
    );
  }
  if (def.type !== 'union' || !def.options.every(isObjectSchema)) return [path];
  // A column that several of them have stands where the first one has it.
  const columns = def.options.flatMap((option) => columnsOf(option, path, isListed));
  return [...new Map(columns.map((column) => [column.join('.'), column])).values()];
}

const isObjectSchema = (schema: z.core.$ZodType): boolean => unwrapSchema(schema)._zod.def.type === 'object';

/** The value of a column; that of a list is the values of its members. */
function valueAt(value: unknown, column: Column, from = 0): unknown {
  const name = column[from];
  if (name === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => valueAt(member, column, from));
  return valueAt((value as Readonly<Record<string, unknown>>)[name], column, from + 1);
}

const separator = '; ';

const cellOf = (value: unknown): string =>
  Array.isArray(value)
    ? // A separator within a value would move those after it.
      value.map((member) => textOf(member).replaceAll(separator, ', ')).join(separator)
    : textOf(value);

/** A value as text. A spreadsheet runs a text that begins like a formula. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value ?? '');
}

/** A line of RFC 4180. A semicolon is quoted too: some spreadsheets part columns there. */
const lineOf = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join()}\r\n`;
