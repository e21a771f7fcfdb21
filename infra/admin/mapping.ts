// How the columns of a table are read as the fields of records: what an operator writes once for each source.

import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { invalidAt, invalidFields } from '#platform/contract/errors.ts';
import { stepsOf, withValue } from '#platform/data/json.ts';
import type { Issue } from '#platform/errors/domain-error.ts';
import { jsonValue, parseInput } from '#platform/request/validation.ts';
import { type RecordType, recordSchemas } from '../../functions/import/record-schemas.ts';
import { encodings } from './encodings.ts';
import { fieldKinds, recordTypes } from './fields.ts';
import type { SourceColumn, SourceLine } from './report-lines.ts';
import { cellText, comparable, nameParts, partOfName, type Value, valueReader } from './table-cells.ts';
import { delimiters, type Row } from './table-rows.ts';

const text = z.string().check(z.minLength(1));
const value = z.union([z.string(), z.number(), z.boolean()]);

/** How the cells of a column become the values of a field. */
const columnMapping = z.strictObject({
  column: text,
  /** Forms of dates that are not ISO 8601, such as `M/d/yyyy h:mm:ss a`. */
  dates: z.optional(z.array(text)),
  /** Values by the words that stand for them, in any case; null for a word that says nothing. */
  words: z.optional(z.record(z.string(), z.nullable(value))),
  /** What stands between several values in one cell: those of a list, else of so many records. */
  separator: z.optional(text),
  /** The part of a person's name in the cell. */
  name: z.optional(z.enum(nameParts)),
});

/** What all records say: null for nothing, which some fields ask to be said. */
const constant = z.strictObject({ constant: z.nullable(z.union([value, z.array(value)])) });

/** How a row is read as a record. */
const recordMapping = {
  type: z.enum(recordTypes as [RecordType, ...RecordType[]]),
  /** A column: rows in which it is empty have no such record. */
  when: z.optional(text),
  /** By the path of a field, such as `npn` or `linesOfAuthority[].code`: the name of its column, or more of it. */
  fields: z.record(z.string(), z.union([text, columnMapping, constant])),
};

const tableMapping = z.strictObject({
  delimiter: z._default(z.enum(delimiters), ','),
  encoding: z._default(z.enum(encodings), 'utf-8'),
  ...recordMapping,
  /** The further records of a row. */
  also: z._default(z.array(z.strictObject(recordMapping)), []),
});

export type TableMapping = z.output<typeof tableMapping>;

type RecordMapping = Omit<TableMapping['also'][number], 'when'> & { readonly when?: string | undefined };

/** Reads a mapping. @throws ApiError `validation_error` where that fails. */
export async function readMapping(path: string): Promise<TableMapping> {
  let given: unknown;
  try {
    given = jsonValue(await readFile(path, 'utf8'));
  } catch {
    throw invalidAt('mapping', `${path} cannot be read, or is not JSON`);
  }
  return parseInput(tableMapping, given);
}

interface FieldPath {
  /** Undefined for a field that is not within a list. */
  readonly list: string | undefined;
  /** The names of the objects that the field is within, and its own; none for the values of a list. */
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
function recordOf(
  type: string,
  read: readonly (FieldReader & { readonly values: readonly (Value | undefined)[] })[],
  index: number,
): unknown {
  let record: unknown = { type };
  const lists = new Map<string, unknown[]>();
  for (const { list, names, values, isConstant } of read) {
    if (list === undefined) {
      const one = values.length === 1 ? values[0] : values[index];
      if (one !== undefined) record = withValue(record, names, one);
      continue;
    }
    const elements = lists.get(list) ?? [];
    lists.set(list, elements);
    const given =
      isConstant && names.length > 0
        ? elements.map((element) => (element === undefined ? undefined : values[0]))
        : values;
    for (const [at, one] of given.entries()) {
      elements[at] = one === undefined ? elements[at] : withValue(elements[at], names, one);
    }
  }
  for (const [list, elements] of lists) {
    const said = elements.filter((element) => element !== undefined);
    record = withValue(record, [list], said);
  }
  return record;
}

/** The records of a row: several where a cell outside of lists has several values. */
function recordsOf(type: string, readers: readonly FieldReader[], cells: readonly string[]): unknown[] {
  const read = readers.map((reader) => ({ ...reader, values: reader.valuesOf(cells) }));
  const counts = read.map(({ list, values }) => (list === undefined ? values.length : 1));
  return Array.from({ length: Math.max(1, ...counts) }, (_, index) => recordOf(type, read, index));
}

/** The columns of a table. */
type Header = ReturnType<typeof headerOf>;

function headerOf(written: readonly string[]) {
  const names = written.map((name) => comparable(cellText(name)));
  return {
    written,
    /** The position of a column, or what is wrong with its name. */
    find(column: string): number | Omit<Issue, 'path'> {
      const name = comparable(column);
      const at = names.indexOf(name);
      if (at !== -1 && !names.includes(name, at + 1)) return at;
      const fault = at === -1 ? 'not a column' : 'the name of several columns';
      return { message: `${column} is ${fault} of the file`, accepted: written };
    },
  };
}

/** Licenses without an end are in force for ever, so that it must be said. */
const endsOfLicenses = ['expirationDate', 'nextRenewalDate'];

const openEnds =
  'is not mapped, nor is nextRenewalDate: by such a table licenses never end; if it does not have their ends, {"constant": null} says so';

/** Reads the cells of rows as the records of one type; what is wrong with the mapping is added to `issues`. */
function recordReader({ type, when, fields }: RecordMapping, header: Header, at: string, issues: Issue[]) {
  const kinds = fieldKinds(recordSchemas[type]);
  const columnAt = (path: string, column: string): number | undefined => {
    const found = header.find(column);
    if (typeof found === 'number') return found;
    issues.push({ path: `${at}.${path}`, ...found });
    return undefined;
  };
  const columns = new Map<string, SourceColumn>();
  const readers = Object.entries(fields).flatMap(([path, given]): FieldReader[] => {
    const kind = kinds.get(path);
    if (kind === undefined) {
      const accepted = [...kinds.keys()];
      issues.push({ path: `${at}.fields.${path}`, message: `is not a field of ${type}`, accepted });
      return [];
    }
    if (typeof given === 'object' && 'constant' in given) {
      const constants = [given.constant].flat().map((one) => one ?? undefined);
      return [{ ...partsOf(path), valuesOf: () => constants, isConstant: true }];
    }
    const column = typeof given === 'string' ? { column: given } : given;
    const index = columnAt(`fields.${path}`, column.column);
    if (index === undefined) return [];
    columns.set(path, column);
    const read = valueReader(column, kind);
    const { separator, name } = column;
    const valuesOf = (cells: readonly string[]) => {
      const written = cellText(cells[index] ?? '');
      const parts = separator === undefined ? [written] : written.split(separator);
      return parts.map((part) => read(name === undefined ? part.trim() : partOfName(part, name)));
    };
    return [{ ...partsOf(path), valuesOf, isConstant: false }];
  });
  if (type === 'license' && !endsOfLicenses.some((name) => name in fields)) {
    issues.push({ path: `${at}.fields.expirationDate`, message: openEnds });
  }
  const whenIndex = when === undefined ? undefined : columnAt('when', when);
  // What is constant comes last, when the elements of lists are known.
  const inOrder = readers.toSorted((one, other) => Number(one.isConstant) - Number(other.isConstant));
  return {
    columnOf: (path: string) => columns.get(path.replace(/\[\d+\]/g, '[]')),
    read: (cells: readonly string[]): unknown[] =>
      whenIndex !== undefined && cellText(cells[whenIndex] ?? '') === ''
        ? []
        : recordsOf(type, inOrder, cells),
  };
}

/**
 * Reads the rows of a table below its first one as records.
 * @throws ApiError `validation_error` for a first row that cannot be read, and for a field or a column that there is not.
 */
export function rowReader(mapping: TableMapping, first: Row): (row: Row) => SourceLine[] {
  if (first.cells === undefined) throw invalidAt('file', `has a first row that ${first.fault ?? ''}`);
  const header = headerOf(first.cells);
  const { also, ...own } = mapping;
  const issues: Issue[] = [];
  const readers = [
    recordReader(own, header, 'mapping', issues),
    ...also.map((one, index) => recordReader(one, header, `mapping.also[${index}]`, issues)),
  ];
  if (issues.length > 0) throw invalidFields(issues);
  const { length: width } = header.written;
  return ({ line, raw, cells, fault }) => {
    const of = { line, raw, text: undefined };
    if (cells === undefined) return [{ ...of, fault }];
    if (cells.length !== width) {
      return [{ ...of, fault: `has ${cells.length} columns, and the header ${width}` }];
    }
    return readers.flatMap(({ columnOf, read }) =>
      read(cells).map((record) => ({ line, raw, text: JSON.stringify(record), columnOf })),
    );
  };
}
