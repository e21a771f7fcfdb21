import { comparable } from '../identifiers/identifiers.ts';
import { codesOf, type LineRequirement } from './compliance-config.ts';
import { namingRows } from './holdings.ts';
import type { Said, SaidWarning } from './reasons.ts';
import type { DatedRow } from './statements.ts';

/** What lines something covers, by their codes and names as they are compared. */
export type Lines = 'all' | ReadonlySet<string>;

/** The codes and names of a license, a line, or an appointment in a part of its identity. */
export function namesOf(said: readonly { readonly row: DatedRow }[], part: number): Set<string> {
  const names = new Set<string>();
  for (const { row } of namingRows(said))
    for (const name of row.identity[part]?.names ?? []) if (name !== null) names.add(name);
  return names;
}

/** A license or an appointment that might be in force, and why that is not known. */
export interface Possible {
  readonly lines: Lines;
  readonly notKnown: readonly Said[];
}

/** What licenses or appointments come to for what is asked of them. */
export interface Search<Held> {
  /** Entries of the requirement; `anyLine` where none is required. */
  readonly asked: readonly LineRequirement[];
  readonly inForce: readonly Held[];
  /** What of it meets an entry. */
  readonly meeting: readonly Held[];
  /** Entries that nothing in force meets. */
  readonly unmet: readonly LineRequirement[];
  /** Those of them that nothing meets that might be in force either. */
  readonly missing: readonly LineRequirement[];
  /** Why it is not known whether the others are met. */
  readonly notKnown: readonly Said[];
}

/** What is found of the licenses, or of the appointments, of a party. */
export interface Found<Row> {
  readonly against: readonly Said[];
  readonly notKnown: readonly Said[];
  readonly warnings: readonly SaidWarning[];
  /** What a yes rests on. */
  readonly rows: readonly Row[];
}

/** Stands for any lines, where none are required. */
const anyLine: LineRequirement = { anyOf: [] };

/** Whether an entry of a requirement is met by lines. */
export const meets = (entry: LineRequirement, lines: Lines): boolean =>
  entry === anyLine || lines === 'all' || codesOf(entry).some((code) => lines.has(comparable(code)));

/** The entries that something has to meet. */
export const entriesOf = (entries: readonly LineRequirement[]): LineRequirement[] =>
  entries.filter((entry) => entry !== anyLine);

/** Finds what meets the entries of a requirement, and what might meet those that nothing meets. */
export function search<Held extends { readonly lines: Lines }>(
  required: readonly LineRequirement[],
  inForce: readonly Held[],
  possible: readonly Possible[],
): Search<Held> {
  const asked = required.length === 0 ? [anyLine] : required;
  const unmet = asked.filter((entry) => !inForce.some(({ lines }) => meets(entry, lines)));
  return {
    asked,
    inForce,
    meeting: inForce.filter(({ lines }) => asked.some((entry) => meets(entry, lines))),
    unmet,
    missing: unmet.filter((entry) => !possible.some(({ lines }) => meets(entry, lines))),
    notKnown: possible.flatMap(({ lines, notKnown }) =>
      unmet.some((entry) => meets(entry, lines)) ? notKnown : [],
    ),
  };
}
