// What a file says that its author can hardly mean: what spreadsheets make of codes and dates, and dates that contradict each
// other. Lines that can be read are imported all the same, with a note; where one is rejected, a hint says how to save it again.

import * as z from 'zod/mini';
import { stepsOf, valueAt } from '../../shared/platform/data/json.ts';
import { addDays } from '../../shared/platform/dates/dates.ts';
import type { Issue } from '../../shared/platform/errors/domain-error.ts';

const inDates = /^(?:issue|status|statusChange|effective|policyTransaction|enter)Date$|^dateOfAction$/;

/** Pairs of fields of which the first is a date that is not after the second one, by type of record. */
const inOrder: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  license: [
    ['issueDate', 'expirationDate'],
    ['issueDate', 'nextRenewalDate'],
  ],
  policy: [['effectiveDate', 'expiryDate']],
  'policy-transaction': [['effectiveDate', 'expiryDate']],
};

/** A year from which a date means that there is no end, as registries write it. */
const noEndFrom = '2099';

/** Dates of what happened are seldom later than this many years from now, and ends seldom than the second number. */
const [yearsOfPast, yearsOfEnds] = [2, 30];

/** The calendar date of a value; undefined for one that has none. */
const dateOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^\d{4}-\d\d-\d\d/.exec(value)?.[0] : undefined;

const spreadsheetError = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)/i;
const decimalCode = /^\d+\.0+$/;
const scientific = /^\d(?:\.\d+)?E\+\d+$/i;

function* ofText(path: string, text: string): Generator<string> {
  if (spreadsheetError.test(text)) yield `${path} is an error of a spreadsheet, ${text}.`;
  if (decimalCode.test(text))
    yield `${path} is ${text}, which a spreadsheet makes of a code that is a number.`;
  if (scientific.test(text)) yield `${path} is ${text}: a spreadsheet has rounded a long number.`;
}

function* ofDate(name: string, day: string, year: number): Generator<string> {
  const latest = year + (inDates.test(name) ? yearsOfPast : yearsOfEnds);
  if (day.slice(0, 4) > String(latest) && day.slice(0, 4) < noEndFrom) yield `${name} is ${day}.`;
}

/** What looks wrong in the values within a value. */
function* ofValue(path: string, value: unknown, year: number): Generator<string> {
  if (typeof value === 'string') {
    yield* ofText(path, value);
    const day = dateOf(value);
    if (day !== undefined && /date/i.test(path)) yield* ofDate(path.replace(/^.*\./, ''), day, year);
  } else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* ofValue(`${path}[${index}]`, one, year);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      yield* ofValue(path === '' ? name : `${path}.${name}`, one, year);
    }
  }
}

const person = z.object({
  type: z.literal('agent'),
  npn: z.string(),
  firstName: z.optional(z.string()),
  lastName: z.optional(z.string()),
});

/**
 * Tells what looks wrong in the records of a part of a file, one after the other.
 * @param importedAt ISO time, from which dates are too far away.
 */
export function createLooksWrong(importedAt: string) {
  const agents = new Map<string, { readonly line: number; readonly name: string }>();
  const year = new Date(importedAt).getUTCFullYear();

  function* ofOthers(record: unknown, line: number): Generator<string> {
    const { success, data } = z.safeParse(person, record);
    if (!success) return;
    const name = `${data.firstName} ${data.lastName}`;
    const other = agents.get(data.npn);
    if (other !== undefined && other.name !== name) yield `The agent of line ${other.line} has the same NPN.`;
    agents.set(data.npn, { line, name });
  }

  return function* (record: Readonly<Record<string, unknown>>, line: number): Generator<string> {
    yield* ofValue('', record, year);
    for (const [first, second] of inOrder[String(record['type'])] ?? []) {
      const [one, other] = [dateOf(record[first]), dateOf(record[second])];
      if (one !== undefined && other !== undefined && one > other) yield `${first} is after ${second}.`;
    }
    yield* ofOthers(record, line);
  };
}

/** The days, counted as spreadsheets do, of dates that a file may mean: 1954 to 2119. */
const [firstSerial, lastSerial] = [20_000, 80_000];

/** Issues of a record, with what helps where a spreadsheet stored a date as a number of days. */
export const withHints = (issues: readonly Issue[], record: unknown): Issue[] =>
  issues.map((issue) => {
    const value = valueAt(record, stepsOf(issue.path));
    const days = /^\d{5}(?:\.\d+)?$/.test(String(value)) ? Math.floor(Number(value)) : 0;
    if (!/date/i.test(issue.path) || days < firstSerial || days > lastSerial) return issue;
    const date = addDays('1899-12-30', days);
    return {
      ...issue,
      message: `${issue.message}; ${value} is how a spreadsheet stores ${date}: format the column as a date, yyyy-mm-dd, and save the file again`,
    };
  });
