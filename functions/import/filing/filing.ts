import type {
  StoredChecklistCategory,
  StoredEscalation,
  StoredFiling,
  StoredMessage,
} from '../../../shared/domain/filings/stored.ts';
import type { FoundFiling } from '../../../shared/domain/filings/view.ts';
import { derivedObjectId } from '../../../shared/platform/data/object-id.ts';
import { DomainError } from '../../../shared/platform/errors/domain-error.ts';
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

/** The files that a record names in each of its members. */
const filesNamedBy = ({ policyDocument, completionArtifacts, checklist }: FilingRecord) => {
  const items = checklist.flatMap((category) => category.items);
  return {
    policyDocument: policyDocument === null ? [] : [policyDocument],
    completionArtifacts,
    checklist: items.flatMap(({ attachments, escalation }) => [
      ...attachments,
      ...(escalation?.messages ?? []).flatMap((message) => message.attachments),
    ]),
  };
};

/**
 * Checks that a record names no files but those that are on the filing: an answered filing can be imported as it is.
 * @throws DomainError `invalid_input`
 */
export function checkFiles(record: FilingRecord, stored: FoundFiling | undefined): void {
  const items = stored?.filing.checklist.flatMap((category) => category.items) ?? [];
  const known = new Set(
    [
      stored?.filing.policyDocument,
      ...(stored?.filing.completionArtifacts ?? []),
      ...[...items, ...(stored?.messages ?? [])].flatMap(({ attachments }) => attachments),
    ].map((one) => one?.fileDocumentId),
  );
  const issues = Object.entries(filesNamedBy(record))
    .filter(([, named]) => named.some((fileDocumentId) => !known.has(fileDocumentId)))
    .map(([path]) => ({
      path,
      message: 'names files that the filing lacks: they are uploaded, not imported',
    }));
  if (issues.length > 0) throw new DomainError('invalid_input', { issues });
}

/** The agency of a stored filing, which no answer shows: a record that names none keeps it. */
const agencyOf = ({ downstreamEntityId, recordOwner }: StoredFiling) => ({
  ...(downstreamEntityId === undefined ? {} : { downstreamEntityId }),
  ...(recordOwner === undefined ? {} : { recordOwner }),
});

/** An escalation without its messages, which are items of their own. */
const escalationOf = ({
  messages: _messages,
  checklistItemLabel: _label,
  ...escalation
}: EscalationRecord): StoredEscalation => escalation;

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
  owners: Pick<StoredFiling, 'upstreamEntityId' | 'downstreamEntityId' | 'recordOwner'>,
  before: StoredFiling | undefined,
  at: string,
): StoredFiling => ({
  _id: filingId,
  ...(before && agencyOf(before)),
  ...owners,
  externalReference: record.externalReference,
  policyNumber: record.policyNumber,
  stateCode: record.stateCode,
  policyTransactionType: record.policyTransactionType,
  status: before?.status ?? record.status,
  ...(before?.heldFrom === undefined ? {} : { heldFrom: before.heldFrom }),
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
