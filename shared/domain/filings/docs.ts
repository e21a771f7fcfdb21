import type * as z from 'zod/mini';
import { as, documented, type FieldDocs } from '#platform/contract/documented.ts';
import { productNameDocs } from '../compliance/docs.ts';
import { expiringWindowDays } from '../decision/renewal.ts';
import { fileDocumentIdDocs, productIdDocs } from '../identifiers/docs.ts';
import { actionRequired, actionType, filingSummary, type filingSummaryFields } from './resource.ts';
import { filing, filingDetail, filingOfV1, uploadedByType } from './view.ts';

const filingSummaryFieldsDocs = {
  _id: 'Id of the filing, `filingId` elsewhere.',
  externalReference: ['The customer’s own reference.', 'SLF-2026-410'],
  policyNumber: ['Number of the policy that is filed, as the customer writes it.', 'SL-2026-200400'],
  stateCode: 'State with which the policy is filed.',
  policyTransactionType: {
    description: 'What happened to the policy.',
    values: {
      bind: 'The policy was bound.',
      endorsement: 'The policy was changed during its term.',
      renewal: 'The policy was renewed.',
      cancellation: 'The policy was canceled.',
    },
  },
  status: {
    description: 'Progress of the filing; the service updates it.',
    values: {
      'not started': 'Received; work has not begun.',
      'in progress': 'The service is working through the checklist.',
      'ready to file': 'Everything is in place to send it to the state.',
      filed: 'Sent to the state.',
      completed:
        'Accepted by the state; `completionArtifacts` has the proof. Final: a file or reply returns 409.',
      'on hold': 'Paused; it returns to its previous status, or is canceled.',
      canceled: 'Will not be filed. Final: a file or reply returns 409.',
    },
  },
  actionRequired: 'Whether at least one escalation is `waiting customer input`.',
  effectiveDate: 'When the policy transaction takes effect.',
  updatedAt: 'When the filing, a file, or a message of it last changed.',
  namedInsured: ['Whom the policy insures.', 'Acme Roofing LLC'],
  carrier: ['Name of the non-admitted insurer.', 'Beacon Specialty Insurance Company'],
  carrierNaicCode: ['NAIC company code of that insurer.', '19437'],
  grossPremium: ['Premium before taxes and fees, in US dollars.', 12500.5],
  totalTaxDue: ['Surplus lines tax in US dollars; null until it has been calculated.', 606.27],
  checklistProgress: {
    description: 'Progress of the checklist, counting only items that the customer can see.',
    fields: {
      checked: ['Number of items that are done.', 3],
      total: ['Number of items that the customer can see.', 4],
    },
  },
} satisfies FieldDocs<typeof filingSummaryFields>;

export const filingSummaryDocs = documented(filingSummary, {
  id: 'FilingSummary',
  description: 'A surplus lines filing without its checklist, escalations, and files, as lists return it.',
  fields: filingSummaryFieldsDocs,
});

const fileDocs = {
  fileName: ['Name under which the file is saved.', 'certificate.pdf'],
  uploadedAt: 'When the file was uploaded.',
  downloadUrl: [
    'Presigned URL that downloads the file, valid for at most one hour.',
    'https://files.example/65f0c1d2?X-Amz-Signature=0a1b',
  ],
  viewUrl: [
    'Presigned URL that shows the file in a browser, valid for at most one hour.',
    'https://files.example/65f0c1d2?X-Amz-Signature=2c3d',
  ],
  fileDocumentId: fileDocumentIdDocs,
} as const;

const uploadedByTypeDocs = documented(uploadedByType, {
  description: 'Who uploaded it.',
  values: { admin: 'The service.', customer: 'The carrier or the agency.' },
});

const attachmentDocs = documented(filingDetail.attachment, {
  id: 'Attachment',
  description: 'A file attached to a checklist item or message.',
  fields: {
    _id: 'Id of the attachment, not of the file document behind it.',
    uploadedByType: uploadedByTypeDocs,
    ...fileDocs,
  },
});

const messageDocs = documented(filingDetail.message, {
  id: 'EscalationMessage',
  description: 'A message of an escalation.',
  fields: {
    _id: 'Id of the message within the filing.',
    authorType: {
      description: 'Who wrote it.',
      values: { service: 'The service.', customer: 'The carrier or the agency.' },
    },
    body: ['Text of the message; null if it has only files.', 'Here is the signed copy.'],
    attachments: as(attachmentDocs, 'Files sent with the message; may be empty.'),
    sentAt: 'When the message was sent.',
  },
});

const sourceCategoryIdDocs = [
  'Identifies the category within the filing; send it when you write to its items.',
  'signatures',
] as const;

const sourceTaskIdDocs = [
  'Identifies the item within its category; send it when you write to the item.',
  'affidavit',
] as const;

const escalationFieldsDocs = {
  checklistItemLabel: ['Label of the checklist item that the question is about.', 'Signed affidavit'],
  status: {
    description: 'Who must respond next.',
    values: {
      'waiting service input': 'The service must respond; further replies are accepted.',
      'waiting customer input': 'The carrier or the agency must reply.',
      resolved: 'The question is settled: a reply returns 400 unless the service reopens it.',
    },
  },
  openedAt: 'When the question was asked.',
  resolvedAt: ['When the question was settled; null while it is open.', null],
  messages: as(messageDocs, 'The conversation, oldest message first.'),
} as const;

const escalationDocs = documented(filingDetail.escalation, {
  id: 'Escalation',
  description: 'A question about a checklist item, with its messages in order.',
  fields: escalationFieldsDocs,
});

const listedEscalationDocs = documented(filingDetail.listedEscalation, {
  id: 'ListedEscalation',
  description: 'An escalation with the ids to reply with.',
  fields: {
    sourceCategoryId: sourceCategoryIdDocs,
    sourceTaskId: sourceTaskIdDocs,
    ...escalationFieldsDocs,
  },
});

const itemDocs = documented(filingDetail.item, {
  id: 'ChecklistItem',
  description: 'An item of a filing’s checklist.',
  fields: {
    sourceTaskId: sourceTaskIdDocs,
    label: ['What is to be done or provided.', 'Signed affidavit'],
    order: ['Position among the items of the category, lowest first.', 1],
    checked: 'Whether the service considers the item done.',
    attachments: as(attachmentDocs, 'Files attached to the item itself; may be empty.'),
    escalation: as(escalationDocs, 'Question about the item, open or resolved.'),
  },
});

const categoryDocs = documented(filingDetail.category, {
  id: 'ChecklistCategory',
  description: 'A group of checklist items.',
  fields: {
    sourceCategoryId: sourceCategoryIdDocs,
    name: ['Heading above the items.', 'Signatures'],
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
    order: ['Position among the categories, lowest first.', 1],
    items: as(itemDocs, 'Items of the category, in display order.'),
  },
});

const artifactDocs = documented(filingDetail.artifact, {
  id: 'CompletionArtifact',
  description: 'A document that results from a filing.',
  fields: {
    type: {
      description: 'What the document proves.',
      values: {
        'accepted stamped': 'The filing with the state’s stamp of acceptance.',
        receipt: 'The state’s receipt.',
        confirmation: 'The state’s confirmation of the filing.',
        'tax remittance proof': 'Proof that the surplus lines tax was paid.',
      },
    },
    ...fileDocs,
  },
});

const policyDocumentDocs = documented(filingDetail.policyDocument, {
  id: 'PolicyDocument',
  description: 'The policy as a file.',
  fields: { uploadedByType: uploadedByTypeDocs, ...fileDocs },
});

const filingDocs = documented(filing, {
  id: 'Filing',
  description: 'A surplus lines filing with its checklist.',
  fields: {
    ...filingSummaryFieldsDocs,
    escalations: as(
      listedEscalationDocs,
      'The same escalations as in the checklist, open or resolved, as one list.',
    ),
    completionArtifacts: as(
      artifactDocs,
      'Documents that prove the filing; empty until the service adds them.',
    ),
    policyDocument: as(policyDocumentDocs, 'The policy itself; null until one is set.'),
    checklist: as(
      categoryDocs,
      'What the filing needs, in display order, without what only the service sees.',
    ),
  },
});

documented<z.core.$ZodType>(filingOfV1, filingDocs);

export const actionTypeDocs = documented(actionType, {
  description: 'What there is to do.',
  values: {
    'open escalation': 'A question about a filing waits for a reply.',
    'license expiring': `A license is due for renewal within ${expiringWindowDays} days.`,
    'license expired': 'A license has expired.',
    'missing appointment': 'A market requires an appointment that the entity does not have.',
  },
});

documented(actionRequired, {
  id: 'ActionRequired',
  description:
    'Something that the organization has to do: reply to an escalation, renew a license, or obtain an appointment. It disappears when the underlying records change.',
  examples: [
    {
      _id: '65f0c1d2e3a4b5c6d7e8f922',
      type: 'license expiring',
      title: 'Renew license 1456789 in TX by 2026-12-31.',
      downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
      downstreamEntityIds: ['65f0c1d2e3a4b5c6d7e8f906'],
      stateCode: 'TX',
      dueDate: '2026-12-31',
      npn: '17654321',
      licenseNumber: '1456789',
      filingId: null,
      licenseRequestId: null,
      upstreamDownstreamAssociationId: null,
      branchName: null,
      products: [],
    },
  ],
  fields: {
    _id: 'Id of the action, which stays the same until it is done; no operation takes it.',
    type: actionTypeDocs,
    title: [
      'The action in words, for people; the wording may change.',
      'Renew license 1456789 in TX by 2026-12-31.',
    ],
    downstreamEntityId: 'Id of the entity that the action concerns; null for a producer’s license.',
    downstreamEntityIds:
      'Ids of the entities that the action concerns: for a producer’s license those that the producer works for, any of which can request its renewal.',
    stateCode: 'State of the filing, license, or appointment.',
    dueDate: ['Renewal date of the license, in New York; null for the other types.', '2026-12-31'],
    npn: ['NPN of the holder of the license or appointment; null for an escalation.', '17654321'],
    licenseNumber: ['Number of the license to renew; null for the other types.', '1456789'],
    filingId: 'Id of the filing that waits for a reply; null for the other types.',
    licenseRequestId:
      'Id of the open request of one of these entities to renew the license; null if there is none, and for the other types.',
    branchName:
      'The branch of the market that requires the appointment, so that two markets of one carrier differ; null if it has none, and for the other types.',
    upstreamDownstreamAssociationId:
      'Id of the market that requires the appointment; null for the other types.',
    products: {
      description: 'The carrier’s products that require the appointment; empty for the other types.',
      fields: { productId: productIdDocs, productName: productNameDocs },
    },
  },
});
