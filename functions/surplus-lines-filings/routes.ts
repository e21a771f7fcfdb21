import * as z from 'zod/mini';
import { filing, filingV1 } from '../../shared/domain/filings/filing-detail.ts';
import { filingSummary } from '../../shared/domain/filings/resource.ts';
import { agencyListQuery } from '../../shared/platform/contract/agency-list.ts';
import { described, describedShape } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { lazyStrictObject } from '../../shared/platform/contract/lazy-object.ts';
import { objectId, stateCode } from '../../shared/platform/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { multiline } from '../../shared/platform/contract/text.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';

const upstream = { kind: 'upstream', feature: 'surplus_lines' } as const;
const downstream = { kind: 'downstream', feature: 'surplus_lines' } as const;

const word = z.string().check(z.minLength(1), z.maxLength(200));

/** Filters of a filing list; they combine. */
const filters = lazily(() =>
  describedShape(
    {
      status: z.optional(filingSummary.shape.status),
      stateCode: z.optional(stateCode),
      policyNumber: z.optional(word),
      externalReference: z.optional(word),
      actionRequired: z.optional(
        described(
          z.pipe(
            z.enum(['true', 'false']),
            z.transform((text) => text === 'true'),
          ),
          DOCUMENTED && { type: 'boolean', enum: undefined },
        ),
      ),
    },
    DOCUMENTED && {
      status: 'Status of the filing.',
      stateCode: 'State with which the policy is filed.',
      policyNumber: {
        description: 'The policy number, matched exactly.',
        examples: ['SL-2026-200400'],
      },
      externalReference: {
        description: 'The customer’s own reference, matched exactly.',
        examples: ['SLF-2026-410'],
      },
      actionRequired: 'Whether an escalation is waiting for the customer.',
    },
  ),
);

const checklistItemKey = lazily(() =>
  describedShape(
    { sourceCategoryId: word, sourceTaskId: word },
    DOCUMENTED && {
      sourceCategoryId: {
        description: '`sourceCategoryId` of a category of this filing’s checklist.',
        examples: ['signatures'],
      },
      sourceTaskId: {
        description: '`sourceTaskId` of an item of that category.',
        examples: ['affidavit'],
      },
    },
  ),
);

/** Files that one request attaches; a file can be on one filing only, so it is named once. */
const files = (fewest: 0 | 1) =>
  described(
    z.array(objectId).check(
      z.minLength(fewest),
      z.maxLength(10),
      z.refine((ids) => new Set(ids).size === ids.length, 'lists a file document more than once'),
    ),
    DOCUMENTED && {
      description:
        'Ids of file documents that the caller has uploaded and that are not on a filing yet, at most 10.',
      examples: [['65f0c1d2e3a4b5c6d7e8f9aa']],
    },
  );

const escalationReply = described(
  lazyStrictObject(
    () => ({
      ...checklistItemKey(),
      body: z.optional(
        described(
          multiline(z.string().check(z.maxLength(5_000))),
          DOCUMENTED && {
            description: 'Text of the reply. Blank text counts as none.',
            examples: ['The signed affidavit.'],
          },
        ),
      ),
      fileDocumentIds: z.optional(files(0)),
    }),
    z.refine(
      ({ body = '', fileDocumentIds = [] }) => body.trim() !== '' || fileDocumentIds.length > 0,
      'requires text in body, or fileDocumentIds',
    ),
  ),
  DOCUMENTED && {
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
  },
);

const attachedFiles = described(
  lazyStrictObject(() => ({ ...checklistItemKey(), fileDocumentIds: files(1) })),
  DOCUMENTED && { id: 'AttachedFiles', description: 'Files for a checklist item.' },
);

const policyDocumentChoice = described(
  lazyStrictObject(() =>
    describedShape(
      { fileDocumentId: objectId },
      DOCUMENTED && {
        fileDocumentId: 'Id of a file document that the caller has uploaded and that is not on a filing yet.',
      },
    ),
  ),
  DOCUMENTED && { id: 'PolicyDocumentChoice', description: 'A file to set as the policy document.' },
);

const detail = `Its files have presigned links, valid for at most one hour; request the filing again when a link has expired.

The status goes from \`not started\` through \`in progress\`, \`ready to file\`, and \`filed\` to \`completed\`. A filing with any of the first four can be put \`on hold\`; from there it returns to the status that it had, or is canceled.`;

const usedFiles =
  'A file that is already on a filing, or is not the caller’s, returns 404: once attached, a file cannot be used again. Listing a file twice in one request returns 400. A file that has not been found free of malware returns 409.';

const getFiling = {
  method: 'GET',
  path: '/v2/upstream/surplus-lines-filings/{filingId}',
  access: upstream,
  summary: DOCUMENTED && 'Get a filing',
  description: DOCUMENTED && `Returns one filing with its checklist, escalations, and files. ${detail}`,
  success: DOCUMENTED && 'The filing with new links to its files.',
  answer: { status: 200, one: filing },
} as const satisfies Route;

const setPolicyDocument = {
  method: 'PUT',
  path: '/v2/upstream/surplus-lines-filings/{filingId}/policy-document',
  access: upstream,
  summary: DOCUMENTED && 'Set the policy document of a filing',
  description:
    DOCUMENTED &&
    'Sets an uploaded file as the policy document, replacing the current one. A file that is already on a filing, or is not the caller’s, returns 404: once used, a file cannot be used again, even after it was replaced. A file that has not been found free of malware returns 409. Setting the current file again returns the filing unchanged.',
  success: DOCUMENTED && 'The filing with the file as its policy document.',
  body: policyDocumentChoice,
  answer: { status: 200, one: filing },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

const attachFiles = {
  method: 'POST',
  path: '/v2/upstream/surplus-lines-filings/{filingId}/checklist-item/file-documents',
  access: upstream,
  summary: DOCUMENTED && 'Attach files to a checklist item',
  description:
    DOCUMENTED &&
    `Attaches uploaded files to an item of the filing’s checklist, all of them or none. ${usedFiles} A filing’s checklist can have at most 500 files; beyond that, the response is 422.`,
  success: DOCUMENTED && 'The filing with the files attached to the item.',
  body: attachedFiles,
  answer: { status: 201, one: filing },
  errors: ['transient_transaction_error', 'unprocessable_entity'],
} as const satisfies Route;

const replyToEscalation = {
  method: 'POST',
  path: '/v2/upstream/surplus-lines-filings/{filingId}/escalation/messages',
  access: upstream,
  summary: DOCUMENTED && 'Reply to an escalation',
  description:
    DOCUMENTED &&
    `Adds a message to the open escalation of a checklist item, which then waits for the service. Accepts JSON only: upload files first and send their ids. A reply needs text or a file; the other one can be left out or empty, and a reply with neither returns 400. An item without an escalation, or with a resolved one, returns 400. A private item returns 404.

After a message from the service, an open escalation waits for the customer again. The service can reopen a resolved one.

${usedFiles}`,
  success: DOCUMENTED && 'The filing with the reply in its escalation, which now waits for the service.',
  body: escalationReply,
  answer: { status: 201, one: filing },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

const forAgencies = <const R extends Route, const Path extends Route['path']>(route: R, path: Path) => ({
  ...route,
  access: downstream,
  path,
});

/** Agencies have the same operations on their own filings. */
export const surplusLinesFilingRoutes = routeGroup(
  'surplus-lines-filings',
  DOCUMENTED && 'Surplus lines filings with their checklists, escalations, and files.',
  {
    listFilings: {
      method: 'GET',
      path: '/v2/upstream/surplus-lines-filings',
      access: upstream,
      summary: DOCUMENTED && 'List filings',
      description:
        DOCUMENTED &&
        'Returns all matching filings, ordered by id, streamed, without paging, and without their checklist, escalations, and files. Filters can be combined.',
      success: DOCUMENTED && 'All matching filings.',
      query: filters,
      answer: { status: 200, all: filingSummary },
    },
    getFiling,
    setPolicyDocument,
    attachFiles,
    replyToEscalation,
    listAgencyFilings: {
      method: 'GET',
      path: '/v2/downstream/surplus-lines-filings',
      access: downstream,
      summary: DOCUMENTED && 'List an agency’s filings',
      description:
        DOCUMENTED &&
        'Returns the filings of the agency’s entities, ordered by id, without their checklist, escalations, and files. Filters can be combined.',
      success: DOCUMENTED && 'The filings on this page.',
      query: lazily(() => ({ ...filters(), ...agencyListQuery() })),
      answer: { status: 200, page: filingSummary, as: 'items' },
      errors: ['not_found'],
    },
    getAgencyFiling: forAgencies(getFiling, '/v2/downstream/surplus-lines-filings/{filingId}'),
    setAgencyPolicyDocument: forAgencies(
      setPolicyDocument,
      '/v2/downstream/surplus-lines-filings/{filingId}/policy-document',
    ),
    attachAgencyFiles: forAgencies(
      attachFiles,
      '/v2/downstream/surplus-lines-filings/{filingId}/checklist-item/file-documents',
    ),
    replyToAgencyEscalation: forAgencies(
      replyToEscalation,
      '/v2/downstream/surplus-lines-filings/{filingId}/escalation/messages',
    ),
    getFilingV1: v1(getFiling, {
      description:
        DOCUMENTED &&
        `Returns one filing with its checklist, escalations, and files, without the ids of their documents. ${detail}`,
      success: DOCUMENTED && 'The filing with new links to its files, without the ids of their documents.',
      answer: { status: 200, one: filingV1 },
    }),
  },
);
