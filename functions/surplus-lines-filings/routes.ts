import * as z from 'zod/mini';
import { filingSummary } from '#domain/filings/resource.ts';
import { filing, filingOfV1 } from '#domain/filings/view.ts';
import { recordOrDeleted, updatedSinceQuery, updatedUntilHeaders } from '#platform/contract/list-queries.ts';
import { multiline, objectId, stateCode, textUpTo } from '#platform/contract/primitives.ts';
import {
  agencyList,
  agencyListQuery,
  getOne,
  listAll,
  type Route,
  routeGroup,
  v1,
} from '#platform/contract/route.ts';

const upstream = { kind: 'upstream', feature: 'surplus_lines' } as const;
const downstream = { kind: 'downstream', feature: 'surplus_lines' } as const;

const word = textUpTo(200);

/** Filters of a filing list; they combine. */
export const filters = z.object({
  status: z.optional(filingSummary.shape.status),
  stateCode: z.optional(stateCode),
  policyNumber: z.optional(word),
  externalReference: z.optional(word),
  actionRequired: z.optional(
    z.pipe(
      z.enum(['true', 'false']),
      z.transform((text) => text === 'true'),
    ),
  ),
});

export const checklistItemKey = z.object({ sourceCategoryId: word, sourceTaskId: word });

/** Files that one request attaches. */
export const mostAttached = 10;

/** A file can be on one filing only, so it is named once. */
const files = (fewest: 0 | 1) =>
  z.array(objectId).check(
    z.minLength(fewest),
    z.maxLength(mostAttached),
    z.refine((ids) => new Set(ids).size === ids.length, 'lists a file document more than once'),
  );

export const escalationReply = z
  .strictObject({
    ...checklistItemKey.shape,
    body: z.optional(multiline(z.string().check(z.maxLength(5_000)))),
    fileDocumentIds: z.optional(files(0)),
  })
  .check(
    z.refine(
      ({ body = '', fileDocumentIds = [] }) => body.trim() !== '' || fileDocumentIds.length > 0,
      'requires text in body, or fileDocumentIds',
    ),
  );

export const attachedFiles = z.strictObject({ ...checklistItemKey.shape, fileDocumentIds: files(1) });

export const policyDocumentChoice = z.strictObject({ fileDocumentId: objectId });

const getFiling = getOne('/v2/upstream/surplus-lines-filings/{filingId}', upstream, filing);

const replaceFilingPolicyDocument = {
  method: 'PUT',
  path: '/v2/upstream/surplus-lines-filings/{filingId}/policy-document',
  access: upstream,
  body: policyDocumentChoice,
  answer: { status: 200, one: filing },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

const attachFilingFiles = {
  method: 'POST',
  path: '/v2/upstream/surplus-lines-filings/{filingId}/checklist-item/file-documents',
  access: upstream,
  body: attachedFiles,
  answer: { status: 201, one: filing },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

const createFilingEscalationMessage = {
  method: 'POST',
  path: '/v2/upstream/surplus-lines-filings/{filingId}/escalation/messages',
  access: upstream,
  body: escalationReply,
  answer: { status: 201, one: filing },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

const forAgencies = <const R extends Route, const Path extends Route['path']>(
  route: R,
  path: Path,
): Omit<R, 'access' | 'path'> & { readonly access: typeof downstream; readonly path: Path } => ({
  ...route,
  access: downstream,
  path,
});

/** Agencies have the same operations on their own filings. */
export const surplusLinesFilingRoutes = routeGroup(
  'surplus-lines-filings',
  {
    listFilings: {
      ...listAll('/v2/upstream/surplus-lines-filings', upstream, recordOrDeleted(filingSummary)),
      query: z.object({ ...filters.shape, ...updatedSinceQuery.shape }),
      followHeaders: updatedUntilHeaders,
    },
    getFiling,
    replaceFilingPolicyDocument,
    attachFilingFiles,
    createFilingEscalationMessage,
    listAgencyFilings: {
      ...agencyList('/v2/downstream/surplus-lines-filings', downstream, filingSummary),
      query: z.object({ ...filters.shape, ...agencyListQuery.shape }),
    },
    getAgencyFiling: forAgencies(getFiling, '/v2/downstream/surplus-lines-filings/{filingId}'),
    replaceAgencyFilingPolicyDocument: forAgencies(
      replaceFilingPolicyDocument,
      '/v2/downstream/surplus-lines-filings/{filingId}/policy-document',
    ),
    attachAgencyFilingFiles: forAgencies(
      attachFilingFiles,
      '/v2/downstream/surplus-lines-filings/{filingId}/checklist-item/file-documents',
    ),
    createAgencyFilingEscalationMessage: forAgencies(
      createFilingEscalationMessage,
      '/v2/downstream/surplus-lines-filings/{filingId}/escalation/messages',
    ),
    getFilingV1: v1(getFiling, { answer: { status: 200, one: filingOfV1 } }),
  },
  { openLists: 16 },
);
