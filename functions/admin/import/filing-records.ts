import * as z from 'zod/mini';
import { objectId } from '../../../shared/contract/primitives.ts';
import { derivedObjectId } from '../../../shared/data/object-id.ts';
import type {
  StoredChecklistCategory,
  StoredEscalation,
  StoredFiling,
  StoredMessage,
} from '../../../shared/filings/stored.ts';
import { escalationStatuses, filing, tones } from '../../../shared/resources/filing.ts';
import { instant, ownedFields } from './common-fields.ts';
import { hashOf } from './record-hash.ts';

const text = z.string();
const label = text.check(z.minLength(1), z.maxLength(1_000));
const sourceId = text.check(z.minLength(1), z.maxLength(200));

/** Files come by upload; a record may show that there are none. */
const noFiles = z.optional(z.array(z.unknown()).check(z.maxLength(0, 'files are uploaded, not imported')));

/** What follows from the rest of a filing may stand in a record; it is made anew. */
const derived = z.optional(z.unknown());

const messageRecord = z.strictObject({
  _id: z.optional(objectId),
  authorType: z.enum(['service', 'customer']),
  body: text.check(z.minLength(1), z.maxLength(5_000)),
  attachments: noFiles,
  sentAt: instant,
});

const escalationRecord = z.strictObject({
  category: z._default(z.enum(['public', 'private']), 'public'),
  checklistItemLabel: derived,
  status: z.enum(escalationStatuses),
  openedAt: z._default(z.nullable(instant), null),
  resolvedAt: z._default(z.nullable(instant), null),
  messages: z._default(z.array(messageRecord), []),
});

const itemRecord = z.strictObject({
  sourceTaskId: sourceId,
  label,
  order: z.optional(z.int()),
  checked: z._default(z.boolean(), false),
  attachments: noFiles,
  escalation: z._default(z.nullable(escalationRecord), null),
});

const categoryRecord = z.strictObject({
  sourceCategoryId: sourceId,
  name: label,
  tone: z._default(z.enum(tones), 'neutral'),
  order: z.optional(z.int()),
  isInternal: z._default(z.boolean(), false),
  items: z._default(
    z.array(itemRecord).check(
      z.refine((items) => new Set(items.map((item) => item.sourceTaskId)).size === items.length, {
        error: 'every sourceTaskId of a category must be different',
      }),
    ),
    [],
  ),
});

const { stateCode, policyTransactionType, status, effectiveDate, grossPremium, totalTaxDue } = filing.shape;
const named = text.check(z.minLength(1), z.maxLength(300));

/** A filing as its detail shows it, but for its files, which come by upload. */
export const filingRecord = z.strictObject({
  type: z.literal('filing'),
  ...ownedFields,
  downstreamEntityId: z.optional(objectId),
  externalReference: z._default(z.nullable(named), null),
  policyNumber: named,
  stateCode,
  policyTransactionType,
  status: z._default(status, 'not started'),
  effectiveDate: z._default(effectiveDate, null),
  namedInsured: named,
  carrier: named,
  carrierNaicCode: named,
  grossPremium,
  totalTaxDue: z._default(totalTaxDue, null),
  checklist: z._default(
    z
      .array(categoryRecord)
      .check(
        z.refine(
          (categories) => new Set(categories.map((one) => one.sourceCategoryId)).size === categories.length,
          { error: 'every sourceCategoryId must be different' },
        ),
      ),
    [],
  ),
  completionArtifacts: noFiles,
  policyDocument: z.optional(z.null()),
  actionRequired: derived,
  checklistProgress: derived,
  escalations: derived,
});

export type FilingRecord = z.output<typeof filingRecord>;

/** A filing without an id of its own is known by its reference, or else by what its record says. */
export const filingIdOf = (owner: string, record: FilingRecord): string =>
  record._id ?? derivedObjectId(owner, 'filing', record.externalReference ?? hashOf(record));

/** The messages of a record's escalations, with their places. */
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
}: z.output<typeof escalationRecord>): StoredEscalation => ({
  category,
  status: escalationStatus,
  openedAt,
  resolvedAt,
});

/**
 * The checklist of a record over the one that is stored: items are added and amended; what happened on them since, their
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
 * The filing that a record makes, or makes of the one that is stored: its status then stays, since commands alone move
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
  createdAt: record.createdAt ?? before?.createdAt ?? at,
  updatedAt: record.updatedAt ?? at,
  // The store counts these.
  version: before?.version ?? 0,
  messageCount: before?.messageCount ?? 0,
});
