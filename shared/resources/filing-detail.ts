import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { artifactTypes, escalationStatuses, filingSummaryFields, text, tones } from './filing.ts';

const order = described(z.int(), DOCUMENTED && { description: 'Display order.', examples: [1] });
const link = described(
  z.string(),
  DOCUMENTED && {
    description: 'Presigned URL, valid for at most one hour.',
    examples: ['https://files.example/…'],
  },
);
const links = { downloadUrl: link, viewUrl: link };
const fileName = described(z.string(), DOCUMENTED && { examples: ['certificate.pdf'] });
const uploadedByType = described(
  z.enum(['admin', 'customer']),
  DOCUMENTED && { description: 'Whether the service or the customer uploaded it.' },
);

/** v2 carries the document's id on every file of a filing, v1 nowhere (OpenAPI, "Changes"). */
const versions = { v1: {}, v2: { fileDocumentId: objectId } } as const;

/** The schema of a filing's detail in a version of the API; `suffix` keeps the published schemas apart. */
function filingDetail<Extra extends z.core.$ZodShape>(extra: Extra, suffix: '' | 'V1') {
  const attachment = described(
    z.object({ _id: objectId, fileName, uploadedByType, uploadedAt: timestamp, ...links, ...extra }),
    DOCUMENTED && {
      id: `Attachment${suffix}`,
      description: 'A file attached to a checklist item or message.',
    },
  );
  const message = described(
    z.object({
      _id: objectId,
      authorType: z.enum(['service', 'customer']),
      body: described(z.nullable(z.string()), DOCUMENTED && { examples: ['Here is the signed copy.'] }),
      attachments: z.array(attachment),
      sentAt: timestamp,
    }),
    DOCUMENTED && {
      id: `EscalationMessage${suffix}`,
      description: 'A message of an escalation.',
    },
  );
  const escalation = described(
    z.object({
      checklistItemLabel: text('Signed affidavit'),
      status: z.enum(escalationStatuses),
      openedAt: z.nullable(timestamp),
      resolvedAt: z.nullable(timestamp),
      messages: z.array(message),
    }),
    DOCUMENTED && {
      id: `Escalation${suffix}`,
      description: 'A question on a checklist item, with its messages in order.',
    },
  );
  const item = described(
    z.object({
      sourceTaskId: text('affidavit'),
      label: text('Signed affidavit'),
      order,
      checked: z.boolean(),
      attachments: z.array(attachment),
      escalation: z.nullable(escalation),
    }),
    DOCUMENTED && { id: `ChecklistItem${suffix}`, description: 'An item of a filing’s checklist.' },
  );
  const category = described(
    z.object({
      sourceCategoryId: text('signatures'),
      name: text('Signatures'),
      tone: z.enum(tones),
      order,
      items: z.array(item),
    }),
    DOCUMENTED && {
      id: `ChecklistCategory${suffix}`,
      description: 'A group of checklist items.',
    },
  );
  const artifact = described(
    z.object({ type: z.enum(artifactTypes), fileName, uploadedAt: timestamp, ...links, ...extra }),
    DOCUMENTED && {
      id: `CompletionArtifact${suffix}`,
      description: 'A document that results from a filing.',
    },
  );
  const policyDocument = described(
    z.object({ fileName, uploadedByType, uploadedAt: timestamp, ...links, ...extra }),
    DOCUMENTED && { id: `PolicyDocument${suffix}`, description: 'The policy as a file.' },
  );
  return described(
    z.object({
      ...filingSummaryFields,
      escalations: described(
        z.array(escalation),
        DOCUMENTED && {
          description: 'The same escalations as in the checklist, as one list.',
        },
      ),
      completionArtifacts: z.array(artifact),
      policyDocument: z.nullable(policyDocument),
      checklist: z.array(category),
    }),
    DOCUMENTED && {
      id: `Filing${suffix}`,
      description: 'A surplus lines filing with its checklist.',
    },
  );
}

export const filing = filingDetail(versions.v2, '');
export const filingV1 = filingDetail(versions.v1, 'V1');

export type Filing = z.output<typeof filing>;
