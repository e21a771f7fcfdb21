import { amendableFieldNames, type RegulatoryAction } from '../resources/regulatory-action.ts';

/** The fields of an action that a state may amend. */
export type AmendableFields = Pick<RegulatoryAction, (typeof amendableFieldNames)[number]>;

/** What changed of an action since it was last reported (OpenAPI, "Events"). */
export interface Amendment {
  changedFields: (typeof amendableFieldNames)[number][];
  /** The former values of the changed fields; null where they cannot be read. */
  previousValues: Partial<AmendableFields> | null;
}

export const amendableOf = (action: AmendableFields): AmendableFields => ({
  originOfAction: action.originOfAction,
  reasonForAction: action.reasonForAction,
  disposition: action.disposition,
  dateOfAction: action.dateOfAction,
  effectiveDate: action.effectiveDate,
  enterDate: action.enterDate,
  fileRef: action.fileRef,
  penaltyFineForfeitureInUSD: action.penaltyFineForfeitureInUSD,
  lengthOfOrderInDays: action.lengthOfOrderInDays,
});

/**
 * Compares an action with what was last reported for it; undefined where nothing changed.
 * @param reported undefined where it cannot be read any more: then every field may have changed.
 */
export function amendmentOf(
  reported: AmendableFields | undefined,
  action: AmendableFields,
): Amendment | undefined {
  if (reported === undefined) return { changedFields: [...amendableFieldNames], previousValues: null };
  const changedFields = amendableFieldNames.filter((field) => reported[field] !== action[field]);
  if (changedFields.length === 0) return undefined;
  const previousValues = Object.fromEntries(changedFields.map((field) => [field, reported[field]]));
  return { changedFields, previousValues };
}
