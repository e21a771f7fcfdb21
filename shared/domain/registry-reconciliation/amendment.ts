import * as z from 'zod/mini';
import { amendableFieldNames, amendableFields, type RegulatoryAction } from '../registry/resources.ts';

type AmendableField = (typeof amendableFieldNames)[number];

/** The fields of an action that a state may amend. */
export type AmendableFields = Pick<RegulatoryAction, AmendableField>;

/** What changed of an action since it was last reported (OpenAPI, "Events"). */
export interface Amendment {
  changedFields: AmendableField[];
  /** The former values of the changed fields; null where they cannot be read. */
  previousValues: Partial<AmendableFields> | null;
}

export const amendableOf = (action: AmendableFields): AmendableFields => z.parse(amendableFields, action);

/** The day of a date or time as it is written, in whichever zone. */
const dayOf = (date: string): string => date.slice(0, 10);

/** Whether two dates are the same, however they are written: the instant, or the day where one of them has no time. */
const isSameDate = (one: string, other: string): boolean =>
  Date.parse(one) === Date.parse(other) || (dayOf(one) === dayOf(other) && [one, other].includes(dayOf(one)));

const dateFields: readonly string[] = ['dateOfAction', 'effectiveDate', 'enterDate'];

function isSame(field: AmendableField, reported: AmendableFields, action: AmendableFields): boolean {
  const [one, other] = [reported[field], action[field]];
  if (one === other) return true;
  const areDates = dateFields.includes(field) && typeof one === 'string' && typeof other === 'string';
  return areDates && isSameDate(one, other);
}

/**
 * Compares an action with what was last reported for it; undefined where nothing changed.
 * @param reported undefined where it cannot be read any more: then every field may have changed.
 */
export function amendmentOf(
  reported: AmendableFields | undefined,
  action: AmendableFields,
): Amendment | undefined {
  if (reported === undefined) return { changedFields: [...amendableFieldNames], previousValues: null };
  const changedFields = amendableFieldNames.filter((field) => !isSame(field, reported, action));
  if (changedFields.length === 0) return undefined;
  const previousValues = Object.fromEntries(changedFields.map((field) => [field, reported[field]]));
  return { changedFields, previousValues };
}
