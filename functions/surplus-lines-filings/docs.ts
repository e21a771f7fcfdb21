import { filingSummaryDocs } from '../../shared/domain/filings/docs.ts';
import { mostFiles, mostMessages } from '../../shared/domain/filings/stored.ts';
import { agencyListQueryDocs, followed, updatedSinceQueryDocs } from '../../shared/platform/contract/docs.ts';
import { documented, type FieldDocs, type GroupDocs } from '../../shared/platform/contract/documented.ts';
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

const detail = `Its files have presigned links, valid for at most one hour; request the filing again when a link has expired.

The status goes from \`not started\` through \`in progress\`, \`ready to file\`, and \`filed\` to \`completed\`. A filing with any of the first four can be put \`on hold\`; from there it returns to the status that it had, or is canceled.`;

const getFiling = {
  summary: 'Get a filing',
  description: `Returns one filing with its checklist, escalations, and files. ${detail}`,
};

const replaceFilingPolicyDocument = {
  summary: 'Set the policy document of a filing',
  description:
    'Sets an uploaded file as the policy document, replacing the current one. Setting the current file again returns the filing unchanged.\n\nA file that is already on a filing, or is not the caller’s, returns 404. A file that was replaced is on no filing, and can be used again. `details.onFiling` has the id of a file of the caller’s that is on a filing. A file that has not been found free of malware returns 409.',
};

const usedFiles =
  'A file that is already on a filing, or is not the caller’s, returns 404: once attached, a file cannot be used again. `details.onFiling` lists the caller’s files that are on a filing, as after a request that succeeded although its response was lost. Listing a file twice in one request returns 400. A file that has not been found free of malware returns 409.';

const room = `A filing can have at most ${mostFiles} files on its checklist and in its messages, and ${mostMessages} messages; beyond that, the response is 409, and \`details.limit\` says which limit was reached.`;

const attachFilingFiles = {
  summary: 'Attach files to a checklist item',
  description: `Attaches uploaded files to an item of the filing’s checklist, all of them or none.\n\n${usedFiles}\n\n${room}`,
};

const createFilingEscalationMessage = {
  summary: 'Reply to an escalation',
  description: `Adds a message to the open escalation of a checklist item, which then waits for the service. Accepts JSON only: upload files first and send their ids. A reply needs text or a file; the other one can be left out or empty, and a reply with neither returns 400.\n\nAn item without an escalation, or with a resolved one, returns 400. A private item returns 404.

After a message from the service, an open escalation waits for the customer again. The service can reopen a resolved one.

${usedFiles}

${room}`,
};

export const docs = {
  description: 'Surplus lines filings with their checklists, escalations, and files.',
  routes: {
    listFilings: {
      summary: 'List filings',
      description: `Returns all matching filings, ordered by id, streamed, without paging, and without their checklist, escalations, and files. Filters can be combined.

${followed} Every change to a filing counts, including to what this list does not show.`,
      query: { ...filtersDocs, ...updatedSinceQueryDocs },
    },
    getFiling: getFiling,
    replaceFilingPolicyDocument: replaceFilingPolicyDocument,
    attachFilingFiles: attachFilingFiles,
    createFilingEscalationMessage: createFilingEscalationMessage,
    listAgencyFilings: {
      summary: 'List an agency’s filings',
      description:
        'Returns the filings of the agency’s entities, ordered by id, without their checklist, escalations, and files. Filters can be combined.',
      query: { ...filtersDocs, ...agencyListQueryDocs },
    },
    getAgencyFiling: getFiling,
    replaceAgencyFilingPolicyDocument: replaceFilingPolicyDocument,
    attachAgencyFilingFiles: attachFilingFiles,
    createAgencyFilingEscalationMessage: createFilingEscalationMessage,
  },
} satisfies GroupDocs<typeof surplusLinesFilingRoutes.routes>;
