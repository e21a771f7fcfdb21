import { comparable } from '../identifiers/identifiers.ts';
import { codesOf, type LineRequirement } from './compliance-config.ts';
import type { DatedSource } from './dated.ts';
import type { Mark } from './days.ts';
import { namingRows } from './holdings.ts';
import type { Said, SaidWarning } from './reasons.ts';
import type { RecordKind } from './records.ts';
import type { LicenseRow } from './rows.ts';
import type { DatedRow } from './statements.ts';

/** Lines that something covers, by their codes and names as they are compared. */
export type Lines = 'all' | ReadonlySet<string>;

/** The codes and names of a license, a line, or an appointment in a part of its identity. */
export function namesOf(said: readonly { readonly row: DatedRow }[], part: number): Set<string> {
  const names = new Set<string>();
  for (const { row } of namingRows(said))
    for (const name of row.identity[part]?.names ?? []) if (name !== null) names.add(name);
  return names;
}

/** The lines of a license that had some, where none is in force: it meets nothing. */
export const noLines: ReadonlySet<string> = new Set();

/** A license or an appointment that is in force, or that might be. */
export interface Candidate {
  readonly lines: Lines;
  /** Why it is not known whether it is; empty where it is. */
  readonly notKnown: readonly Said[];
}

/** Why it is not known whether a license or an appointment is in force on a day that is marked so, or as not known. */
export function doubtsOf(
  { is, row }: Mark<DatedSource<{ readonly status: string }>>,
  unknown: Said,
): readonly Said[] {
  if (is === 'in force') return [];
  return [row.status === 'unrecognized' ? { code: 'status_unrecognized', what: row.source.status } : unknown];
}

/** Doubt about a row of a kind that could not be read: it may be an end, or what is asked for. */
export const unreadIn = (
  { unread }: { readonly unread: ReadonlySet<RecordKind> },
  kind: RecordKind,
): Said[] => (unread.has(kind) ? [{ code: 'row_not_understood' }] : []);

/** Outcome of a search for licenses or appointments. */
export interface Search<One> {
  /** Entries of the requirement; `anyLine` where none is required. */
  readonly asked: readonly LineRequirement[];
  readonly inForce: readonly One[];
  /** Candidates in force that meet an entry. */
  readonly meeting: readonly One[];
  /** Entries that nothing in force meets. */
  readonly unmet: readonly LineRequirement[];
  /** Unmet entries that nothing meets that might be in force either. */
  readonly missing: readonly LineRequirement[];
  /** Why it is not known whether the others are met. */
  readonly notKnown: readonly Said[];
}

/** Findings about the licenses, or the appointments, of a party. */
export interface Found<Row = LicenseRow> {
  /** Reasons, those against first. */
  readonly reasons: readonly Said[];
  readonly warnings: readonly SaidWarning[];
  /** Rows that a yes rests on. */
  readonly rows: readonly Row[];
}

/** Stands for any lines, where none are required. */
const anyLine: LineRequirement = { anyOf: [] };

/** Whether an entry of a requirement is met by lines. */
export const meets = (entry: LineRequirement, lines: Lines): boolean =>
  lines !== noLines &&
  (entry === anyLine || lines === 'all' || codesOf(entry).some((code) => lines.has(comparable(code))));

/** The entries that something has to meet. */
export const entriesOf = (entries: readonly LineRequirement[]): LineRequirement[] =>
  entries.filter((entry) => entry !== anyLine);

/**
 * Finds what meets the entries of a requirement, and what might meet those that nothing meets.
 * @param unread of a row that could not be read, which may be what is asked for.
 */
export function search<One extends Candidate>(
  entries: readonly LineRequirement[],
  candidates: readonly One[],
  unread: readonly Said[],
): Search<One> {
  const asked = entries.length === 0 ? [anyLine] : entries;
  const inForce = candidates.filter(({ notKnown }) => notKnown.length === 0);
  const possible: Candidate[] = candidates.filter(({ notKnown }) => notKnown.length > 0);
  if (unread.length > 0) possible.push({ lines: 'all', notKnown: unread });
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
