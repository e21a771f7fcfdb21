import { DomainError } from '../errors/domain-error.ts';
import type { StoredChecklistItem, StoredFiling } from './stored.ts';

/** The position of a checklist item in its filing. */
export interface ChecklistPlace {
  readonly sourceCategoryId: string;
  readonly sourceTaskId: string;
}

/** An item of a filing's checklist and whether its category is internal; undefined when there is none. */
export function checklistItem(
  filing: StoredFiling,
  place: ChecklistPlace,
): { readonly item: StoredChecklistItem; readonly isInternal: boolean } | undefined {
  const category = filing.checklist.find(
    ({ sourceCategoryId }) => sourceCategoryId === place.sourceCategoryId,
  );
  const item = category?.items.find(({ sourceTaskId }) => sourceTaskId === place.sourceTaskId);
  return category && item && { item, isInternal: category.isInternal };
}

/**
 * The item that a customer names.
 * @throws DomainError `not_found` when there is none, or it is internal.
 */
export function visibleItem(filing: StoredFiling, place: ChecklistPlace): StoredChecklistItem {
  const found = checklistItem(filing, place);
  if (found === undefined || found.isInternal) throw new DomainError('not_found');
  return found.item;
}

/** The filing with another item in that position. */
export const withChecklistItem = (
  filing: StoredFiling,
  { sourceCategoryId, sourceTaskId }: ChecklistPlace,
  changed: StoredChecklistItem,
): StoredFiling => ({
  ...filing,
  checklist: filing.checklist.map((category) =>
    category.sourceCategoryId === sourceCategoryId
      ? {
          ...category,
          items: category.items.map((item) => (item.sourceTaskId === sourceTaskId ? changed : item)),
        }
      : category,
  ),
});
