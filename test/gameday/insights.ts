import {
  type Expression,
  type Functions,
  fieldsOf,
  numberOf,
  parseExpression,
  type Value,
} from './expression.ts';

/** A line of a log, with `@timestamp` (Unix milliseconds), `@log`, and `@message`. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A row of a query's result. */
export type Row = Readonly<Record<string, Value>>;

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

const functions: Functions = {
  coalesce: (given, lookup) => given.map((one) => one(lookup)).find((value) => value !== undefined),
  ispresent: ([one], lookup) => one?.(lookup) !== undefined,
  bin: ([size], lookup) => {
    const [, count, unit = ''] = /^(\d+)([smh])$/.exec(String(size?.(lookup))) ?? [];
    const ms = Number(count) * (units[unit] ?? Number.NaN);
    return timeOf(Math.floor(numberOf(lookup('@timestamp')) / ms) * ms);
  },
};

/** A time as Logs Insights shows it. */
export const timeOf = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '');

const sorted = (values: readonly Value[]): Value[] => values.toSorted(compare);

function compare(one: Value, other: Value): number {
  const difference = numberOf(one) - numberOf(other);
  if (!Number.isNaN(difference)) return difference;
  return String(one ?? '') < String(other ?? '') ? -1 : Number(String(one ?? '') > String(other ?? ''));
}

/** The value below which this share of the values lies. */
export const percentile = (values: readonly number[], percent: number): number | undefined =>
  values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil((values.length * percent) / 100) - 1)];

/** Aggregates over the values of a field that the lines have, in the order of the lines. */
const aggregates: Readonly<Record<string, (values: readonly Value[], percent: number) => Value>> = {
  sum: (values) => values.reduce<number>((sum, one) => sum + numberOf(one), 0),
  max: (values) => sorted(values).at(-1),
  min: (values) => sorted(values)[0],
  pct: (values, percent) => percentile(values.map(numberOf), percent),
  latest: (values) => values.at(-1),
  sortsLast: (values) => sorted(values).at(-1),
};

type Command = (rows: readonly Row[]) => Row[];

/** The parts of a list, whose commas within parentheses separate nothing. */
const partsOf = (list: string): string[] => list.split(/,\s*(?![^(]*\))/).map((part) => part.trim());

/** An expression, with the name that it is given. */
function named(part: string): readonly [name: string, expression: Expression] {
  const [, text = part, name = part] = /^(.+) as (\w+)$/.exec(part) ?? [];
  return [name, parseExpression(text, functions)];
}

function aggregate(part: string): readonly [name: string, of: (rows: readonly Row[]) => Value] {
  const [, kind = '', argument = '', percent = '', name = part] =
    /^(\w+)\((.*?)(?:, (\d+))?\)(?: as (\w+))?$/.exec(part) ?? [];
  if (kind === 'count' && argument === '') return [name, (rows) => rows.length];
  const compute = aggregates[kind];
  if (compute === undefined) throw new Error(`The aggregate ${part} is not supported.`);
  const field = parseExpression(argument, functions);
  const values = (rows: readonly Row[]): Value[] => rows.map((row) => field(lookUp(row)));
  return [
    name,
    (rows) =>
      compute(
        values(rows).filter((value) => value !== undefined),
        Number(percent),
      ),
  ];
}

/** A row's fields: its own names first, since a path through an object may be one. */
const lookUp = (row: Row) => (name: string) => (Object.hasOwn(row, name) ? row[name] : fieldsOf(row)(name));

const commands: Readonly<Record<string, (rest: string) => Command>> = {
  fields: (rest) => {
    const fields = partsOf(rest).map(named);
    return (rows) =>
      rows.map((row) => ({
        ...row,
        ...Object.fromEntries(fields.map(([name, of]) => [name, of(lookUp(row))])),
      }));
  },
  filter: (rest) => {
    const holds = parseExpression(rest, functions);
    return (rows) => rows.filter((row) => holds(lookUp(row)) === true);
  },
  stats: (rest) => {
    const [, given = rest, by = ''] = /^(.+?) by (.+)$/.exec(rest) ?? [];
    const computed = partsOf(given).map(aggregate);
    const keys = by === '' ? [] : partsOf(by).map(named);
    return (rows) => {
      const groups = new Map<string, { readonly key: Row; readonly rows: Row[] }>();
      for (const row of rows) {
        const key = Object.fromEntries(keys.map(([name, of]) => [name, of(lookUp(row))]));
        const id = JSON.stringify(key);
        const group = groups.get(id) ?? { key, rows: [] };
        groups.set(id, group);
        group.rows.push(row);
      }
      return Array.from(groups.values(), ({ key, rows: ofGroup }) => ({
        ...key,
        ...Object.fromEntries(computed.map(([name, of]) => [name, of(ofGroup)])),
      }));
    };
  },
  sort: (rest) => {
    const keys = partsOf(rest).map((part) => {
      const [, field = '', order = 'asc'] = /^([@\w.]+)(?: (asc|desc))?$/.exec(part) ?? [];
      if (field === '') throw new Error(`The order ${rest} is not supported.`);
      return { field, sign: order === 'asc' ? 1 : -1 };
    });
    return (rows) =>
      rows.toSorted((one, other) =>
        keys.reduce(
          (before, { field, sign }) => before || sign * compare(lookUp(one)(field), lookUp(other)(field)),
          0,
        ),
      );
  },
  limit: (rest) => (rows) => rows.slice(0, Number(rest)),
};

/**
 * Parses a query of CloudWatch Logs Insights into a function of log lines. The rows have the fields that the last command
 * of this kind names.
 *
 * @throws Error for a command, a function, or an operator that no saved query uses
 */
export function parseQuery(query: string): (lines: readonly LogLine[]) => Row[] {
  const parsed = query.split('\n| ').map((command) => {
    const [, name = '', rest = ''] = /^(\w+) (.+)$/.exec(command) ?? [];
    const make = commands[name];
    if (make === undefined) throw new Error(`The command ${command} is not supported.`);
    return { name, rest, apply: make(rest) };
  });
  const shown = parsed.findLast(({ name }) => name === 'stats' || name === 'fields');
  const columns =
    shown?.name === 'fields' ? partsOf(shown.rest).map((part) => part.replace(/^.+ as /, '')) : undefined;
  return (lines) => {
    const rows = parsed.reduce<Row[]>((before, { apply }) => apply(before), lines as unknown as Row[]);
    if (columns === undefined) return rows;
    return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
  };
}
