import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId, timestamp } from '../../platform/contract/primitives.ts';
import { fileDocumentId } from '../identifiers/ids.ts';
import { artifactTypes, escalationStatuses, filingSummaryFields, tones } from './resource.ts';

const text = z.string();
const order = z.int();

/** Members of every file of a filing; its links, which are made for each response, come after the others. */
const file = lazily(() =>
  describedShape(
    { fileName: text, uploadedAt: timestamp, downloadUrl: text, viewUrl: text },
    DOCUMENTED && {
      fileName: { description: 'Name under which the file is saved.', examples: ['certificate.pdf'] },
      uploadedAt: 'When the file was uploaded.',
      downloadUrl: {
        description: 'Presigned URL that downloads the file, valid for at most one hour.',
        examples: ['https://files.example/65f0c1d2?X-Amz-Signature=0a1b'],
      },
      viewUrl: {
        description: 'Presigned URL that shows the file in a browser, valid for at most one hour.',
        examples: ['https://files.example/65f0c1d2?X-Amz-Signature=2c3d'],
      },
    },
  ),
);
const uploadedByType = described(
  z.enum(['admin', 'customer']),
  DOCUMENTED && {
    description: 'Who uploaded it.',
    values: { admin: 'The service.', customer: 'The carrier or the agency.' },
  },
);

/** v2 carries the document's id on every file of a filing, v1 nowhere (OpenAPI, "Changes"). */
const versions = { v1: {}, v2: { fileDocumentId } } as const;

/** The fields of a filing's detail in a version of the API; `suffix` keeps the published schemas apart. */
function detailFields<Extra extends z.core.$ZodShape>(extra: Extra, suffix: '' | 'V1') {
  const { fileName, ...uploaded } = file();
  const attachment = described(
    z.object({
      ...describedShape(
        { _id: objectId },
        DOCUMENTED && { _id: 'Id of the attachment, not of the file document behind it.' },
      ),
      fileName,
      uploadedByType,
      ...uploaded,
      ...extra,
    }),
    DOCUMENTED && {
      id: `Attachment${suffix}`,
      description: 'A file attached to a checklist item or message.',
    },
  );
  const message = described(
    z.object(
      describedShape(
        {
          _id: objectId,
          authorType: z.enum(['service', 'customer']),
          body: z.nullable(text),
          attachments: z.array(attachment),
          sentAt: timestamp,
        },
        DOCUMENTED && {
          _id: 'Id of the message within the filing.',
          authorType: {
            description: 'Who wrote it.',
            values: { service: 'The service.', customer: 'The carrier or the agency.' },
          },
          body: {
            description: 'Text of the message; null if it has only files.',
            examples: ['Here is the signed copy.'],
          },
          attachments: 'Files sent with the message; may be empty.',
          sentAt: 'When the message was sent.',
        },
      ),
    ),
    DOCUMENTED && {
      id: `EscalationMessage${suffix}`,
      description: 'A message of an escalation.',
    },
  );
  const escalation = described(
    z.object(
      describedShape(
        {
          checklistItemLabel: text,
          status: z.enum(escalationStatuses),
          openedAt: z.nullable(timestamp),
          resolvedAt: z.nullable(timestamp),
          messages: z.array(message),
        },
        DOCUMENTED && {
          checklistItemLabel: {
            description: 'Label of the checklist item that the question is about.',
            examples: ['Signed affidavit'],
          },
          status: {
            description: 'Who must respond next.',
            values: {
              'waiting service input': 'The service must respond; further replies are accepted.',
              'waiting customer input': 'The carrier or the agency must reply.',
              resolved: 'The question is settled: a reply returns 400 unless the service reopens it.',
            },
          },
          openedAt: 'When the question was asked; null if it is not recorded.',
          resolvedAt: 'When the question was settled; null while it is open.',
          messages: 'The conversation, oldest message first.',
        },
      ),
    ),
    DOCUMENTED && {
      id: `Escalation${suffix}`,
      description: 'A question about a checklist item, with its messages in order.',
    },
  );
  const item = described(
    z.object(
      describedShape(
        {
          sourceTaskId: text,
          label: text,
          order,
          checked: z.boolean(),
          attachments: z.array(attachment),
          escalation: z.nullable(escalation),
        },
        DOCUMENTED && {
          sourceTaskId: {
            description: 'Identifies the item within its category; writes to the item take it.',
            examples: ['affidavit'],
          },
          label: { description: 'What is to be done or provided.', examples: ['Signed affidavit'] },
          order: { description: 'Position among the items of the category, lowest first.', examples: [1] },
          checked: 'Whether the service considers the item done.',
          attachments: 'Files attached to the item itself; may be empty.',
          escalation: 'Question about the item, open or resolved; null if there is none.',
        },
      ),
    ),
    DOCUMENTED && { id: `ChecklistItem${suffix}`, description: 'An item of a filing’s checklist.' },
  );
  const category = described(
    z.object(
      describedShape(
        { sourceCategoryId: text, name: text, tone: z.enum(tones), order, items: z.array(item) },
        DOCUMENTED && {
          sourceCategoryId: {
            description: 'Identifies the category within the filing; writes to its items take it.',
            examples: ['signatures'],
          },
          name: { description: 'Heading above the items.', examples: ['Signatures'] },
          tone: {
            description: 'Color of the heading, for display only.',
            values: {
              primary: 'The application’s main color.',
              secondary: 'Its second color.',
              neutral: 'No particular color.',
              green: 'Green.',
              red: 'Red.',
              yellow: 'Yellow.',
            },
          },
          order: { description: 'Position among the categories, lowest first.', examples: [1] },
          items: 'Items of the category, in display order.',
        },
      ),
    ),
    DOCUMENTED && {
      id: `ChecklistCategory${suffix}`,
      description: 'A group of checklist items.',
    },
  );
  const artifact = described(
    z.object({
      ...describedShape(
        { type: z.enum(artifactTypes) },
        DOCUMENTED && {
          type: {
            description: 'What the document proves.',
            values: {
              'accepted stamped': 'The filing with the state’s stamp of acceptance.',
              receipt: 'The state’s receipt.',
              confirmation: 'The state’s confirmation of the filing.',
              'tax remittance proof': 'Proof that the surplus lines tax was paid.',
            },
          },
        },
      ),
      ...file(),
      ...extra,
    }),
    DOCUMENTED && {
      id: `CompletionArtifact${suffix}`,
      description: 'A document that results from a filing.',
    },
  );
  const policyDocument = described(
    z.object({ fileName, uploadedByType, ...uploaded, ...extra }),
    DOCUMENTED && { id: `PolicyDocument${suffix}`, description: 'The policy as a file.' },
  );
  return {
    ...filingSummaryFields(),
    ...describedShape(
      {
        escalations: z.array(escalation),
        completionArtifacts: z.array(artifact),
        policyDocument: z.nullable(policyDocument),
        checklist: z.array(category),
      },
      DOCUMENTED && {
        escalations: 'The same escalations as in the checklist, open or resolved, as one list.',
        completionArtifacts: 'Documents that prove the filing; empty until the service adds them.',
        policyDocument: 'The policy itself; null until one is set.',
        checklist: 'What the filing needs, in display order, without what only the service sees.',
      },
    ),
  };
}

const filingDetail = <Extra extends z.core.$ZodShape>(extra: Extra, suffix: '' | 'V1') =>
  described(
    lazyObject(() => detailFields(extra, suffix)),
    DOCUMENTED && {
      id: `Filing${suffix}`,
      description: 'A surplus lines filing with its checklist.',
    },
  );

export const filing = filingDetail(versions.v2, '');
export const filingV1 = filingDetail(versions.v1, 'V1');

export type Filing = z.output<typeof filing>;
