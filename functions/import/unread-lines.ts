import * as z from 'zod/mini';
import { npn } from '../../shared/domain/identifiers/identifiers.ts';
import { isRow, lineReading, type RowFields, tidiedRow } from '../../shared/domain/registry/read-rows.ts';
import type { SetAsideRow, WrittenRow } from '../../shared/domain/registry/registry.ts';
import { stepsOf, withValue } from '../../shared/platform/data/json.ts';
import { issuesText } from '../../shared/platform/errors/domain-error.ts';
import { ownedFields } from './common-fields.ts';
import { type Named, parseRecord } from './import-records.ts';
import { issuesOf, type ReadLine } from './lines.ts';

// Lines of licenses and appointments are read as rows of the registry are: one that cannot be read is set aside, so that nobody is
// more certain than it lets be, and one of which only lesser fields cannot be read counts without these.

/** A line that is set aside. */
export interface UnreadLine extends Named {
  readonly npn: string;
  readonly setAside: SetAsideRow;
}

/** Whether a line is set aside. */
export const isUnread = (record: object): record is UnreadLine => 'setAside' in record;

/** Lines that were read, and the rows of those that are set aside. */
export const separated = <Item extends Named, Line extends object>(
  lines: readonly (Line & { readonly record: Item | UnreadLine })[],
) => ({
  read: lines.flatMap((line) => {
    const { record } = line;
    return isUnread(record) ? [] : [{ ...line, record }];
  }),
  setAside: lines.flatMap(({ record }) => (isUnread(record) ? [record.setAside] : [])),
});

/** The owner and the NPN of a line, which is rejected where these cannot be read. */
const holder = z.looseObject({ npn, upstreamEntityId: ownedFields.upstreamEntityId });

/** Without what a row does not say, also of its lines of authority. */
const said = (row: WrittenRow): WrittenRow =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map((one) => (isRow(one) ? said(one) : one)) : value,
      ]),
  );

/**
 * Reads lines of a type: its own fields as the schema says, those of its row as rows are read.
 * @returns the record of a line, or what is set aside.
 * @throws ApiError `validation_error` for a line without a holder, or with a field that is none.
 */
export function lineReader<Item extends Named>(schema: z.core.$ZodType<Item>, row: RowFields) {
  const fields = [...row.fields, 'validFrom'];
  const essential = [...row.essential, 'validFrom'];
  const known = new Set([...fields, ...lineReading.fields]);
  const ofRow = { ...row, fields };

  /** The issues of a record; undefined where it has none, with the record. */
  function attempt(given: unknown) {
    try {
      return { record: parseRecord(schema, given), issues: [] };
    } catch (error) {
      return { error, issues: issuesOf(error) };
    }
  }

  return ({ record: given, note }: Pick<ReadLine<unknown>, 'record' | 'note'>): Item | UnreadLine => {
    const first = attempt(given);
    const written = isRow(given) ? given : {};
    const tidied = tidiedRow(written, ofRow);
    const without = row.faultsOf(tidied);
    if (first.record !== undefined && without.length === 0) return first.record;
    const paths = first.issues.flatMap(({ path }) => (path === '' ? [] : [stepsOf(path)]));
    const isOfRow = ([top = '', ...rest]: readonly string[]): boolean =>
      fields.includes(top) && rest.every((step) => /^\d+$/.test(step) || known.has(step));
    if (!paths.every(isOfRow)) throw first.error;
    const own = Object.entries(written).filter(([name]) => !fields.includes(name));
    const line = { ...Object.fromEntries(own), ...said(tidied) };
    const { npn: of, upstreamEntityId } = parseRecord(holder, given);
    const second = attempt(line);
    const faults = second.issues.map(({ path }) => stepsOf(path));
    const isLesser = (path: readonly string[]): boolean => !essential.includes(path.at(-1) ?? '');
    const third = faults.every(isLesser)
      ? attempt(faults.reduce<unknown>((left, path) => withValue(left, path, undefined), line))
      : second;
    if (third.record !== undefined && without.length === 0) {
      for (const path of faults) {
        const message = `${path.at(-1)} cannot be read, and is left out.`;
        note({ code: 'field_left_out', message, isCounted: true });
      }
      return third.record;
    }
    const names = [...without, ...third.issues.map(({ path }) => path)];
    const setAside = { unread: row.unreadOf(tidied), faults: names, written: tidied };
    const why = [...without.map((path) => ({ path, message: 'is required' })), ...third.issues];
    note({
      code: 'row_set_aside',
      message: `It cannot be read, and is set aside: ${issuesText(why)}.`,
    });
    return { npn: of, upstreamEntityId, setAside };
  };
}
