import { derivedObjectId } from '../../../shared/data/object-id.ts';
import type {
  StoredChecklistCategory,
  StoredEscalation,
  StoredFiling,
  StoredMessage,
} from '../../../shared/filings/stored.ts';
import { timesOf } from '../common-fields.ts';
import { hashOf } from '../record-hash.ts';
import type { EscalationRecord, FilingRecord } from './schema.ts';

/** A filing without an id is identified by its reference, or else by the content of its record. */
export const filingIdOf = (owner: string, record: FilingRecord): string =>
  record._id ?? derivedObjectId(owner, 'filing', record.externalReference ?? hashOf(record));

/** The messages of a record's escalations, with their checklist items. */
export const messagesOf = (filingId: string, record: FilingRecord): StoredMessage[] =>
  record.checklist.flatMap(({ sourceCategoryId, items }) =>
    items.flatMap(({ sourceTaskId, escalation }) =>
      (escalation?.messages ?? []).map(({ _id, authorType, body, sentAt }, index) => ({
        _id: _id ?? derivedObjectId(filingId, 'message', sourceCategoryId, sourceTaskId, String(index)),
        sourceCategoryId,
        sourceTaskId,
        authorType,
        body,
        attachments: [],
        sentAt,
      })),
    ),
  );

const escalationOf = ({
  category,
  status: escalationStatus,
  openedAt,
  resolvedAt,
}: EscalationRecord): StoredEscalation => ({
  category,
  status: escalationStatus,
  openedAt,
  resolvedAt,
});

/**
 * The checklist of a record merged over the stored one: items are added and amended; what happened on them since, their
 * files and escalations, stays, and so do items that the record no longer names.
 */
function checklistOf(
  record: FilingRecord,
  before: readonly StoredChecklistCategory[],
): StoredChecklistCategory[] {
  const named = record.checklist.map((category, categoryIndex) => {
    const known = before.find((one) => one.sourceCategoryId === category.sourceCategoryId);
    const items = category.items.map((item, itemIndex) => {
      const knownItem = known?.items.find((one) => one.sourceTaskId === item.sourceTaskId);
      return {
        sourceTaskId: item.sourceTaskId,
        label: item.label,
        order: item.order ?? itemIndex + 1,
        checked: item.checked,
        attachments: knownItem?.attachments ?? [],
        escalation: knownItem?.escalation ?? (item.escalation && escalationOf(item.escalation)),
      };
    });
    const kept = known?.items.filter(
      (one) => !items.some(({ sourceTaskId }) => sourceTaskId === one.sourceTaskId),
    );
    return {
      sourceCategoryId: category.sourceCategoryId,
      name: category.name,
      tone: category.tone,
      order: category.order ?? categoryIndex + 1,
      isInternal: category.isInternal,
      items: [...items, ...(kept ?? [])],
    };
  });
  const kept = before.filter(
    (one) => !named.some(({ sourceCategoryId }) => sourceCategoryId === one.sourceCategoryId),
  );
  return [...named, ...kept];
}

/**
 * The filing of a record, merged over a stored one: that one's status stays, since only commands move
 * it.
 */
export const filingOf = (
  filingId: string,
  record: FilingRecord,
  owners: Pick<StoredFiling, 'upstreamEntityId' | 'downstreamEntityId' | 'downstreamOrganizationId'>,
  before: StoredFiling | undefined,
  at: string,
): StoredFiling => ({
  _id: filingId,
  ...owners,
  externalReference: record.externalReference,
  policyNumber: record.policyNumber,
  stateCode: record.stateCode,
  policyTransactionType: record.policyTransactionType,
  status: before?.status ?? record.status,
  effectiveDate: record.effectiveDate,
  namedInsured: record.namedInsured,
  carrier: record.carrier,
  carrierNaicCode: record.carrierNaicCode,
  grossPremium: record.grossPremium,
  totalTaxDue: record.totalTaxDue,
  checklist: checklistOf(record, before?.checklist ?? []),
  policyDocument: before?.policyDocument ?? null,
  completionArtifacts: before?.completionArtifacts ?? [],
  isDeleted: record.isDeleted ?? before?.isDeleted ?? false,
  ...timesOf(record, before, at),
  // The store sets these.
  version: before?.version ?? 0,
  messageCount: before?.messageCount ?? 0,
});
