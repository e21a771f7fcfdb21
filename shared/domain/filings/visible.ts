import type { FilingSummary } from './resource.ts';
import type {
  StoredChecklistCategory,
  StoredChecklistItem,
  StoredEscalation,
  StoredFiling,
} from './stored.ts';

const byOrder = (one: { readonly order: number }, other: { readonly order: number }) =>
  one.order - other.order;

/**
 * The part of a checklist that the customer may see, in display order: no internal category, and a private escalation as
 * if there were none. All that is returned or counted is derived from it.
 */
export const visibleChecklist = (filing: Pick<StoredFiling, 'checklist'>): StoredChecklistCategory[] =>
  filing.checklist
    .filter(({ isInternal }) => !isInternal)
    .sort(byOrder)
    .map((category) => ({
      ...category,
      items: category.items
        .toSorted(byOrder)
        .map((item) => ({ ...item, escalation: publicEscalation(item) })),
    }));

/** The escalation of an item as the customer sees it. */
export const publicEscalation = ({
  escalation,
}: Pick<StoredChecklistItem, 'escalation'>): StoredEscalation | null =>
  escalation?.category === 'public' ? escalation : null;

/** What lists show of a filing. */
export function filingSummaryOf(filing: StoredFiling): FilingSummary {
  const items = visibleChecklist(filing).flatMap((category) => category.items);
  return {
    _id: filing._id,
    externalReference: filing.externalReference,
    policyNumber: filing.policyNumber,
    stateCode: filing.stateCode,
    policyTransactionType: filing.policyTransactionType,
    status: filing.status,
    actionRequired: items.some(({ escalation }) => escalation?.status === 'waiting customer input'),
    effectiveDate: filing.effectiveDate,
    updatedAt: filing.updatedAt,
    namedInsured: filing.namedInsured,
    carrier: filing.carrier,
    carrierNaicCode: filing.carrierNaicCode,
    grossPremium: filing.grossPremium,
    totalTaxDue: filing.totalTaxDue,
    checklistProgress: { checked: items.filter(({ checked }) => checked).length, total: items.length },
  };
}
