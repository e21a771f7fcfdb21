import { filingSummaryDocs } from '#domain/filings/docs.ts';
import { mostFiles, mostMessages } from '#domain/filings/stored.ts';
import { agencyListQueryDocs, followSentence, updatedSinceQueryDocs } from '#platform/contract/docs.ts';
import { documented, type FieldDocs, type GroupDocs } from '#platform/contract/documented.ts';
import {
  attachedFiles,
  type checklistItemKey,
  escalationReply,
  type filters,
  mostAttached,
  policyDocumentChoice,
  type surplusLinesFilingRoutes,
} from './routes.ts';

const filtersDocs = {
  status: { ...filingSummaryDocs.fields.status, description: 'Status of the filing.' },
  stateCode: 'State with which the policy is filed.',
  policyNumber: ['The policy number, matched exactly.', 'SL-2026-200400'],
  externalReference: ['The customer’s own reference, matched exactly.', 'SLF-2026-410'],
  actionRequired: {
    description: 'Whether an escalation is waiting for the customer.',
    type: 'boolean',
    omits: ['enum'],
  },
} satisfies FieldDocs<typeof filters>;

const checklistItemKeyDocs = {
  sourceCategoryId: ['`sourceCategoryId` of a category of this filing’s checklist.', 'signatures'],
  sourceTaskId: ['`sourceTaskId` of an item of that category.', 'affidavit'],
} satisfies FieldDocs<typeof checklistItemKey>;

const filesDocs = {
  description: `Ids of file documents that the caller has uploaded and that are not on a filing yet, at most ${mostAttached}.`,
  uniqueItems: true,
  examples: [['65f0c1d2e3a4b5c6d7e8f9aa']],
} as const;

documented(escalationReply, {
  id: 'EscalationReply',
  description: 'A reply to an escalation: text, files, or both.',
  examples: [
    {
      sourceCategoryId: 'signatures',
      sourceTaskId: 'affidavit',
      body: 'The signed affidavit.',
      fileDocumentIds: ['65f0c1d2e3a4b5c6d7e8f9aa'],
    },
  ],
  fields: {
    ...checklistItemKeyDocs,
    body: ['Text of the reply. Blank text counts as none.', 'The signed affidavit.'],
    fileDocumentIds: filesDocs,
  },
});

documented(attachedFiles, {
  id: 'AttachedFiles',
  description: 'Files for a checklist item.',
  fields: { ...checklistItemKeyDocs, fileDocumentIds: filesDocs },
});

documented(policyDocumentChoice, {
  id: 'PolicyDocumentChoice',
  description: 'A file to set as the policy document.',
  fields: {
    fileDocumentId: 'Id of a file document that the caller has uploaded and that is not on a filing yet.',
  },
});

const getFiling = {
  summary: 'Get a filing',
  description:
    'Returns one filing with its checklist, escalations, and links to its files that are valid for at most one hour.',
};

const replaceFilingPolicyDocument = {
  summary: 'Set the policy document of a filing',
  description:
    'Sets an uploaded file as the policy document, replacing the current one, which is on no filing then. Setting the current file again returns the filing unchanged. A file of another filing returns 404 with `details.onFiling`.',
};

const usedFiles =
  'A file that is on a filing already returns 404 with `details.onFiling`, as after a request that succeeded although its response was lost.';

const room = `A filing can have at most ${mostFiles} files on its checklist and in its messages, and ${mostMessages} messages.`;

const attachFilingFiles = {
  summary: 'Attach files to a checklist item',
  description: `Attaches uploaded files to an item of the filing’s checklist, all of them or none.\n\n${usedFiles}\n\n${room}`,
};

const createFilingEscalationMessage = {
  summary: 'Reply to an escalation',
  description: `Adds a message to the open escalation of a checklist item, which then waits for the service. A reply needs text or a file. An item without an open escalation returns 400, a private one 404.

${usedFiles}

${room}`,
};

export const docs = {
  description: 'Surplus lines filings with their checklists, escalations, and files.',
  routes: {
    listFilings: {
      summary: 'List filings',
      description: `Returns all matching filings, ordered by id, streamed, without paging, and without their checklist, escalations, and files.

${followSentence} Every change to a filing counts, also to what this list does not show.`,
      query: { ...filtersDocs, ...updatedSinceQueryDocs },
    },
    getFiling: getFiling,
    replaceFilingPolicyDocument: replaceFilingPolicyDocument,
    attachFilingFiles: attachFilingFiles,
    createFilingEscalationMessage: createFilingEscalationMessage,
    listAgencyFilings: {
      summary: 'List an agency’s filings',
      description:
        'Returns the filings of the agency’s entities, ordered by id, without their checklist, escalations, and files.',
      query: { ...filtersDocs, ...agencyListQueryDocs },
    },
    getAgencyFiling: getFiling,
    replaceAgencyFilingPolicyDocument: replaceFilingPolicyDocument,
    attachAgencyFilingFiles: attachFilingFiles,
    createAgencyFilingEscalationMessage: createFilingEscalationMessage,
  },
} satisfies GroupDocs<typeof surplusLinesFilingRoutes.routes>;
