import * as z from 'zod/mini';
import { escalationStatuses, tones } from '#domain/filings/resource.ts';
import { filing } from '#domain/filings/view.ts';
import { multiline, objectId } from '#platform/contract/primitives.ts';
import { ownedFields, recordTime } from '../common-fields.ts';

const text = z.string();
const label = text.check(z.minLength(1), z.maxLength(1_000));
/** Position among its siblings. */
const order = z.optional(z.int());
const sourceId = text.check(z.minLength(1), z.maxLength(200));

/** Files of a record, which are uploaded, not imported. */
const files = z._default(
  z.array(z.unknown()).check(z.maxLength(0, 'must be empty: files are uploaded, not imported')),
  [],
);

/** Derived members of a filing are accepted in a record and ignored: the import computes them. */
const derivedField = z.optional(z.unknown());

const messageRecord = z.strictObject({
  _id: z.optional(objectId),
  authorType: z.enum(['service', 'customer']),
  body: multiline(text.check(z.minLength(1), z.maxLength(5_000))),
  attachments: files,
  sentAt: recordTime,
});

const escalationRecord = z.strictObject({
  category: z._default(z.enum(['public', 'private']), 'public'),
  checklistItemLabel: derivedField,
  status: z.enum(escalationStatuses),
  openedAt: z._default(z.nullable(recordTime), null),
  resolvedAt: z._default(z.nullable(recordTime), null),
  messages: z._default(z.array(messageRecord), []),
});

const itemRecord = z.strictObject({
  sourceTaskId: sourceId,
  label,
  order,
  checked: z._default(z.boolean(), false),
  attachments: files,
  escalation: z._default(z.nullable(escalationRecord), null),
});

const categoryRecord = z.strictObject({
  sourceCategoryId: sourceId,
  name: label,
  tone: z._default(z.enum(tones), 'neutral'),
  order,
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
const nameText = text.check(z.minLength(1), z.maxLength(300));

/** A filing as its detail shows it. */
export const filingRecord = z.strictObject({
  type: z.literal('filing'),
  ...ownedFields,
  downstreamEntityId: z.optional(objectId),
  externalReference: z._default(z.nullable(nameText), null),
  policyNumber: nameText,
  stateCode,
  policyTransactionType,
  status: z._default(status, 'not started'),
  effectiveDate: z._default(effectiveDate, null),
  namedInsured: nameText,
  carrier: nameText,
  carrierNaicCode: nameText,
  grossPremium,
  totalTaxDue: z._default(totalTaxDue, null),
  checklist: z._default(
    z
      .array(categoryRecord)
      .check(
        z.refine(
          (categories) =>
            new Set(categories.map((category) => category.sourceCategoryId)).size === categories.length,
          { error: 'every sourceCategoryId must be different' },
        ),
      ),
    [],
  ),
  completionArtifacts: files,
  policyDocument: z.optional(z.null('must be null: files are uploaded, not imported')),
  actionRequired: derivedField,
  checklistProgress: derivedField,
  escalations: derivedField,
});

export type FilingRecord = z.output<typeof filingRecord>;

export type EscalationRecord = z.output<typeof escalationRecord>;
