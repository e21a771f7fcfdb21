// The texts of a table's cells as the values that they stand for.

import { DateTime } from 'luxon';
import type { FieldKind } from './fields.ts';

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
