import { type DomainError, notFoundAt } from '../../platform/errors/domain-error.ts';
import type { StoredChecklistItem, StoredFiling, StoredMessage } from './stored.ts';

/** Identifies a checklist item within its filing. */
export type ChecklistItemKey = Pick<StoredMessage, 'sourceCategoryId' | 'sourceTaskId'>;

/** An item of a filing's checklist and whether its category is internal; undefined when there is none. */
export function checklistItem(
  filing: StoredFiling,
  key: ChecklistItemKey,
): { readonly item: StoredChecklistItem; readonly isInternal: boolean } | undefined {
  const category = filing.checklist.find(({ sourceCategoryId }) => sourceCategoryId === key.sourceCategoryId);
  const item = category?.items.find(({ sourceTaskId }) => sourceTaskId === key.sourceTaskId);
  return category && item && { item, isInternal: category.isInternal };
}

/** The refusal of an item that a customer names and may not see, or that there is not. */
export const noSuchItem = (): DomainError =>
  notFoundAt(['sourceCategoryId', 'sourceTaskId'], 'names no item of the filing’s checklist');

/**
 * The item that a customer names.
 * @throws DomainError `not_found` when there is none, or it is internal.
 */
export function visibleItem(filing: StoredFiling, key: ChecklistItemKey): StoredChecklistItem {
  const found = checklistItem(filing, key);
  if (found === undefined || found.isInternal) throw noSuchItem();
  return found.item;
}

/** The filing with that item replaced. */
export const withChecklistItem = (
  filing: StoredFiling,
  { sourceCategoryId, sourceTaskId }: ChecklistItemKey,
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
