// How the columns of a table are read as the fields of records: what an operator writes once for each source.

import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { invalidAt, invalidFields } from '#platform/contract/errors.ts';
import { stepsOf, withValue } from '#platform/data/json.ts';
import type { Issue } from '#platform/errors/domain-error.ts';
import { jsonValue, parseInput } from '#platform/request/validation.ts';
import { type RecordType, recordSchemas } from '../../functions/import/record-schemas.ts';
import { fieldKinds, recordTypes } from './fields.ts';
import type { SourceColumn, SourceLine } from './report-lines.ts';
import {
  cellText,
  comparable,
  delimiters,
  encodings,
  nameParts,
  partOfName,
  type Row,
  type Value,
  valueReader,
} from './tables.ts';

const text = z.string().check(z.minLength(1));
const value = z.union([z.string(), z.number(), z.boolean()]);

/** A column, and the way in which its cells become the values of a field. */
const columnMapping = z.strictObject({
  column: text,
  /** Forms of dates that are not ISO 8601, such as `M/d/yyyy h:mm:ss a`. */
  dates: z.optional(z.array(text)),
  /** Values by the words that stand for them, in any case; null for a word that says nothing. */
  words: z.optional(z.record(z.string(), z.nullable(value))),
  /** Separator of several values in one cell: those of a list, else of so many records. */
  separator: z.optional(text),
  /** The part of a person's name in the cell. */
  name: z.optional(z.enum(nameParts)),
});

/** A value of all records: null for nothing, which some fields ask to be said. */
const constant = z.strictObject({ constant: z.nullable(z.union([value, z.array(value)])) });

/** The way in which a row is read as a record. */
const recordMapping = {
  type: z.enum(recordTypes as [RecordType, ...RecordType[]]),
  /** A column: rows in which it is empty have no such record. */
  when: z.optional(text),
  /** Columns by the path of a field, such as `npn` or `linesOfAuthority[].code`: the column's name, or more of it. */
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
  let content: unknown;
  try {
    content = jsonValue(await readFile(path, 'utf8'));
  } catch {
    throw invalidAt('mapping', `${path} cannot be read, or is not JSON`);
  }
  return parseInput(tableMapping, content);
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

/** A field with what a row's cells say of it. */
interface ReadField extends FieldReader {
  readonly values: readonly unknown[];
}

/** No value of any field: the import refuses the record, and names the field. */
const missingPart: unknown = [];

/** Licenses without an end are in force for ever, so that it must be said. */
const endsOfLicenses = ['expirationDate', 'nextRenewalDate'];

/** Fields without which a record of several says more: an appointment of all lines, a license without an end. */
const narrowingFields = ['lineOfAuthorityCode', 'lineOfAuthorityName', ...endsOfLicenses];

/**
 * The parts of cells that belong together, without those that are empty in all of them. A part that a column lacks beside those of
 * others is missing: what it would have said is not known. Of a list, a status is never left to its default.
 */
function withParts(fields: readonly ReadField[], list: string | undefined): readonly ReadField[] {
  const columns = fields.filter(
    ({ isConstant, values }) => !isConstant && (list !== undefined || values.length > 1),
  );
  const size = Math.max(0, ...columns.map(({ values }) => values.length));
  const filledPositions = Array.from({ length: size }, (_, position) => position).filter((position) =>
    columns.some(({ values }) => values[position] !== undefined),
  );
  const positions = list === undefined && filledPositions.length === 0 ? [0] : filledPositions;
  const neededNames = list === undefined ? narrowingFields : ['status'];
  const isNeeded = ({ names, values }: ReadField, position: number): boolean =>
    (values.length > 1 && position >= values.length) || neededNames.includes(names.at(-1) ?? '');
  return fields.map((field) =>
    columns.includes(field)
      ? {
          ...field,
          values: positions.map(
            (position) => field.values[position] ?? (isNeeded(field, position) ? missingPart : undefined),
          ),
        }
      : field,
  );
}

/** A record of a row: its fields in the order of the mapping; what is constant in a list is so in each of its elements. */
function recordOf(type: string, read: readonly ReadField[], index: number): unknown {
  let record: unknown = { type };
  const lists = new Map<string, unknown[]>();
  for (const { list, names, values, isConstant } of read) {
    if (list === undefined) {
      const value = values.length === 1 ? values[0] : values[index];
      if (value !== undefined) record = withValue(record, names, value);
      continue;
    }
    // A list that nothing is in is not said.
    if (isConstant ? names.length > 0 && !lists.has(list) : values.every((value) => value === undefined))
      continue;
    const elements = lists.get(list) ?? [];
    lists.set(list, elements);
    const elementValues =
      isConstant && names.length > 0
        ? elements.map((element) => (element === undefined ? undefined : values[0]))
        : values;
    for (const [position, value] of elementValues.entries()) {
      elements[position] =
        value === undefined ? elements[position] : withValue(elements[position], names, value);
    }
  }
  for (const [list, elements] of lists) {
    const namedElements = elements.filter((element) => element !== undefined);
    record = withValue(record, [list], namedElements);
  }
  return record;
}

/** The records of a row: several where a cell outside of lists has several values. */
function recordsOf(type: string, readers: readonly FieldReader[], cells: readonly string[]): unknown[] {
  const fields = readers.map((reader) => ({ ...reader, values: reader.valuesOf(cells) }));
  const ofLists = Map.groupBy(fields, ({ list, names }) => (names.length === 0 ? null : list));
  const read = Array.from(ofLists, ([list, ofList]) =>
    list === null ? ofList : withParts(ofList, list),
  ).flat();
  const counts = read.map(({ list, values }) => (list === undefined ? values.length : 1));
  return Array.from({ length: Math.max(1, ...counts) }, (_, index) => recordOf(type, read, index));
}

/** The columns of a table. */
type Header = ReturnType<typeof headerOf>;

function headerOf(columnNames: readonly string[]) {
  const names = columnNames.map((name) => comparable(cellText(name)));
  return {
    written: columnNames,
    /** The position of a column, or what is wrong with its name. */
    find(column: string): number | Omit<Issue, 'path'> {
      const name = comparable(column);
      const position = names.indexOf(name);
      if (position !== -1 && !names.includes(name, position + 1)) return position;
      const fault = position === -1 ? 'not a column' : 'the name of several columns';
      return { message: `${column} is ${fault} of the file`, accepted: columnNames };
    },
  };
}

const openEnds =
  'is not mapped, nor is nextRenewalDate: by such a table licenses never end; if it does not have their ends, {"constant": null} says so';

/** Reads the cells of rows as the records of one type; what is wrong with the mapping is added to `issues`. */
function recordReader(
  { type, when, fields }: RecordMapping,
  header: Header,
  mappingPath: string,
  issues: Issue[],
) {
  const kinds = fieldKinds(recordSchemas[type]);
  const columnAt = (path: string, column: string): number | undefined => {
    const columnIndex = header.find(column);
    if (typeof columnIndex === 'number') return columnIndex;
    issues.push({ path: `${mappingPath}.${path}`, ...columnIndex });
    return undefined;
  };
  const columns = new Map<string, SourceColumn>();
  const readers = Object.entries(fields).flatMap(([path, source]): FieldReader[] => {
    const kind = kinds.get(path);
    if (kind === undefined) {
      const acceptedPaths = [...kinds.keys()];
      issues.push({
        path: `${mappingPath}.fields.${path}`,
        message: `is not a field of ${type}`,
        accepted: acceptedPaths,
      });
      return [];
    }
    if (typeof source === 'object' && 'constant' in source) {
      const constants = [source.constant].flat().map((value) => value ?? undefined);
      return [{ ...partsOf(path), valuesOf: () => constants, isConstant: true }];
    }
    const column = typeof source === 'string' ? { column: source } : source;
    const index = columnAt(`fields.${path}`, column.column);
    if (index === undefined) return [];
    columns.set(path, column);
    const read = valueReader(column, kind);
    const { separator, name } = column;
    const valuesOf = (cells: readonly string[]) => {
      const cell = cellText(cells[index] ?? '');
      const parts = separator === undefined ? [cell] : cell.split(separator);
      return parts.map((part) => read(name === undefined ? part.trim() : partOfName(part, name)));
    };
    return [{ ...partsOf(path), valuesOf, isConstant: false }];
  });
  if (type === 'license' && !endsOfLicenses.some((name) => name in fields)) {
    issues.push({ path: `${mappingPath}.fields.expirationDate`, message: openEnds });
  }
  const whenIndex = when === undefined ? undefined : columnAt('when', when);
  // What is constant comes last, when the elements of lists are known.
  const inOrder = readers.toSorted((a, b) => Number(a.isConstant) - Number(b.isConstant));
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
  const { also, ...ownMapping } = mapping;
  const issues: Issue[] = [];
  const readers = [
    recordReader(ownMapping, header, 'mapping', issues),
    ...also.map((recordMapping, index) =>
      recordReader(recordMapping, header, `mapping.also[${index}]`, issues),
    ),
  ];
  if (issues.length > 0) throw invalidFields(issues);
  const { length: width } = header.written;
  return ({ line, raw, cells, fault }) => {
    const faultyLine = { line, raw, text: undefined };
    if (cells === undefined) return [{ ...faultyLine, fault }];
    if (cells.length !== width) {
      return [{ ...faultyLine, fault: `has ${cells.length} columns, and the header ${width}` }];
    }
    return readers.flatMap(({ columnOf, read }) =>
      read(cells).map((record) => ({ line, raw, text: JSON.stringify(record), columnOf })),
    );
  };
}
