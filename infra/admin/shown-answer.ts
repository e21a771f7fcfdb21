// What a terminal shows of a command's answer: the answer's own shape decides, but for imports.
import * as z from 'zod/mini';
import { isObject } from '../text.ts';

type Row = Readonly<Record<string, string>>;

/** A value in one cell. */
const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.replace(/[\s\p{Cc}]+/gu, ' ');
  if (Array.isArray(value) && !value.some((element) => typeof element === 'object')) return value.join(', ');
  return JSON.stringify(value);
};

/** The members of an object, those of objects in it by their path. */
const membersOf = (value: object, path = ''): [name: string, member: unknown][] =>
  Object.entries(value).flatMap(([name, member]) =>
    isObject(member)
      ? membersOf(member, `${path}${name}.`)
      : [[`${path}${name}`, member] satisfies [string, unknown]],
  );

const rowOf = (value: object): Row =>
  Object.fromEntries(membersOf(value).map(([name, member]) => [name, cellOf(member)]));

const namesOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** Columns, each as wide as its widest cell. */
function alignedLines(lines: readonly (readonly string[])[]): string[] {
  const widths = lines.reduce<number[]>(
    (widest, cells) => cells.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  );
  return lines.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const twoColumns = (row: Row): string[] => alignedLines(Object.entries(row));

/** A table with a heading of each column; where it would be wider than the terminal, two columns for each row. */
function tableOf(rows: readonly Row[], width: number): string[] {
  const names = namesOf(rows);
  const lines = alignedLines([names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]);
  return lines.some((line) => line.length > width)
    ? rows.flatMap((row, index) => [...(index === 0 ? [] : ['']), ...twoColumns(row)])
    : lines;
}

const isList = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** Things of so many lines, once each, with the number of lines and the first one; the most frequent first. */
function addedUp(things: readonly (readonly [thing: Row, line: number | null, count: number])[]): object[] {
  const groups = Map.groupBy(things, ([thing]) => JSON.stringify(thing));
  return Array.from(groups.values(), (group) => ({
    lines: group.reduce((sum, [, , count]) => sum + count, 0),
    first: group[0]?.[1] ?? null,
    ...group[0]?.[0],
  })).sort((a, b) => b.lines - a.lines);
}

const text = z.optional(z.string());

/** An import's answer, or its dry run's. */
const importAnswer = z.looseObject({
  rejected: z.array(
    z.object({
      line: z.number(),
      issues: z.array(z.object({ path: text, column: text, value: z.unknown(), message: text })),
    }),
  ),
  rejectedOmitted: z.optional(z.number()),
  notes: z.optional(
    z.array(
      z.object({ line: z.nullable(z.number()), code: z.string(), message: z.string(), count: z.number() }),
    ),
  ),
});

/** An import's answer as a person reads it: what was rejected, and why, added up, and no ids. */
function importSummary(result: z.output<typeof importAnswer>): object {
  const { ids: _, rejected, rejectedOmitted = 0, notes = [], ...answer } = result;
  return {
    ...answer,
    rejectedLines: rejected.length + rejectedOmitted,
    rejected: addedUp(
      rejected.flatMap(({ line, issues }) =>
        issues.map(({ path = '', column = path, value, message: reason = '' }) => {
          return [{ field: column, value: cellOf(value), reason }, line, 1] as const;
        }),
      ),
    ),
    notes: addedUp(notes.map(({ line, count, code, message }) => [{ code, message }, line, count])),
  };
}

/** An answer as text for a terminal of this width: what has one value in two columns, each list of objects as a table. */
export function shownAnswer(answer: object, width: number): string {
  const { data: ofImport } = z.safeParse(importAnswer, answer);
  const members = membersOf(ofImport === undefined ? answer : importSummary(ofImport)).filter(
    ([, value]) => !Array.isArray(value) || value.length > 0,
  );
  const lists = members.flatMap(([name, value]) => (isList(value) ? [[name, value] as const] : []));
  const otherMembers = members.filter(([, value]) => !isList(value));
  const sections = [
    ...(otherMembers.length === 0 ? [] : [twoColumns(rowOf(Object.fromEntries(otherMembers)))]),
    ...lists.map(([name, list]) => [`${name}:`, ...tableOf(list.map(rowOf), width)]),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
