import * as z from 'zod/mini';
import { documented, type FieldDocs } from './documented.ts';
import { errorRegistry } from './errors.ts';
import {
  type asOfQuery,
  deletedRecord,
  tombstoneDays,
  type updatedSinceQuery,
  updatedUntilHeader,
} from './list-queries.ts';
import {
  confidence,
  isoDate,
  objectId,
  pageNumbers,
  type pageQuery,
  pageSizes,
  type Range,
  type recordTimes,
  stateCode,
  timestamp,
  usd,
} from './primitives.ts';
import { requestId } from './responses.ts';
import type { agencyListQuery } from './route.ts';

/**
 * Errors of the API's vocabulary that no operation of this service answers. The published schema accepts them, so that clients
 * do not break when one comes into use; it then moves to `errors.ts`.
 */
const reservedErrors = {
  document_exceeds_page_limit: 'The document has too many pages.',
  downstream_entity_member_exists: 'The downstream entity already has this member.',
  duplicate_member_email: 'Another member already uses this email address.',
  inactive_email: 'The email address is not active.',
  invalid_email: 'The email address is not valid.',
  invalid_email_for_invites: 'The email address cannot be invited.',
  invalid_organization_slug: 'The organization slug is not valid.',
  invalid_phone_number: 'The phone number is not valid.',
  invalid_token: 'The token is not valid.',
  jwt_invalid: 'The access token is not valid.',
  m2m_client_not_found: 'The API client does not exist.',
  organization_already_exists: 'The organization already exists.',
  organization_slug_already_used: 'The organization slug is already in use.',
  payment_required: 'The subscription requires a payment.',
  producer_agreement_required: 'A producer agreement is required first.',
  session_authorization_error: 'The session is not authorized.',
  some_custom_error_string: 'The request was rejected.',
  too_many_requests: 'Too many requests. Retry with backoff.',
  unauthorized_client: 'The API client is not authorized.',
  unexpected_400_idp_error: 'The identity provider rejected the request.',
  unexpected_403_idp_error: 'The identity provider denied the request.',
  unexpected_404_idp_error: 'The identity provider did not find the resource.',
  unexpected_error: 'Something went wrong on our side. Please report the requestId.',
  unexpected_idp_error: 'The identity provider failed.',
};

/** A sentence about each type of error. */
const errorSentences: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(errorRegistry).map(([type, { sentence }]) => [type, sentence])),
  ...reservedErrors,
};

const errorTypes = Object.keys(errorSentences).sort();

const issue = z.object({
  path: z.string(),
  message: z.string(),
  accepted: z.optional(z.array(z.union([z.string(), z.number()]))),
});

const details = z.looseObject({
  expected: z.optional(z.string()),
  actual: z.optional(z.string()),
  instead: z.optional(z.string()),
  issues: z.optional(z.array(issue)),
});

/** The shape of every error (OpenAPI, "Errors"). */
export const errorBody = z.object({
  statusCode: z.int(),
  requestId,
  errorType: z.enum(errorTypes),
  errorMessage: z.array(z.string()),
  /** The gateway writes it in a form of its own. */
  timestamp: z.string(),
  details: z.optional(details),
});

documented(objectId, {
  id: 'ObjectId',
  description: 'Id of 24 hexadecimal characters; accepted in either case, returned in lower case.',
  examples: ['65f0c1d2e3a4b5c6d7e8f901'],
});

documented(stateCode, {
  id: 'StateCode',
  description: 'Two-letter code of a US state or territory.',
  examples: ['TX'],
  isClosed: true,
});

export const timestampDocs = documented(timestamp, {
  id: 'Timestamp',
  description: 'ISO 8601 date-time in UTC, with milliseconds.',
  examples: ['2026-03-01T14:05:09.123Z'],
});

/** The pattern of a date, or of a date with a time. */
export const isoDatePattern = '^\\d{4}-\\d{2}-\\d{2}(T.+)?$';

documented(isoDate, {
  id: 'IsoDate',
  // As one of two formats, it is a class of its own in Java that refuses null.
  omits: ['anyOf'],
  type: 'string',
  pattern: isoDatePattern,
  description:
    'ISO 8601 date or date-time, as the source of the record gave it. Its first ten characters are the day; do not convert the time zone.',
  examples: ['2026-03-01'],
});

documented(confidence, { omits: ['minimum'] });

documented(usd, { description: 'Amount in US dollars.', examples: [12500.5] });

export const requestIdDocs = documented(requestId, {
  id: 'RequestId',
  description:
    'The environment and a UUID; also sent in the header `x-request-id`. Quote it when you report a problem.',
  examples: ['prod-3f6c1c52-6f3c-4c53-9d59-0a7a2b0a3b0e'],
});

export const recordTimesDocs = {
  createdAt: 'When the record was created. An import can give another time.',
  updatedAt: 'When the record last changed. An import can give another time.',
} satisfies FieldDocs<typeof recordTimes>;

/** Words for a `wholeNumber`. */
export const wholeNumberDocs = ({ min, max }: Range, description: string) =>
  ({ type: 'integer', omits: ['pattern'], minimum: min, maximum: max, description }) as const;

export const pageQueryDocs = {
  page: wholeNumberDocs(pageNumbers, 'Number of the page to return, starting at 1.'),
  limit: wholeNumberDocs(
    pageSizes,
    `Records on a page, at most ${pageSizes.max}; a larger number returns 400.`,
  ),
} satisfies FieldDocs<typeof pageQuery>;

export const agencyListQueryDocs = {
  ...pageQueryDocs,
  downstreamEntityId:
    'Id of an entity; only its records are returned. An entity outside the organization returns 404.',
} satisfies FieldDocs<typeof agencyListQuery>;

export const asOfQueryDocs = {
  asOf: [
    'Day for which to answer, as of its end in America/New_York; not in the future. Today by default.',
    '2026-04-15',
  ],
  knownAt: [
    'Only what was recorded by this time counts; not in the future. Now by default.',
    '2026-04-15T14:05:09Z',
  ],
} satisfies FieldDocs<typeof asOfQuery>;

export const asOfDescription = {
  list: 'With `asOf` or `knownAt`, returns only what is in force on the day.',
  statuses: 'With `asOf`, the status is that at the end of that day (“What was true on a day”).',
  policies:
    'With `asOf`, each status is that at the end of that day; `atEffectiveDate` and `atSale` have days of their own.',
} as const;

export const updatedSinceQueryDocs = {
  updatedSince: {
    description: `Returns what has changed since this time (inclusive) and still exists, and what was deleted since. Send the \`${updatedUntilHeader}\` of an earlier response. At most ${tombstoneDays} days ago; can’t be combined with filters.`,
    examples: ['2026-03-01T14:03:09.123Z'],
  },
} satisfies FieldDocs<typeof updatedSinceQuery>;

/** Sentence in the descriptions of lists by `updatedSince`. */
export const followSentence = `To follow changes without a webhook, read the whole list once, then repeat the request with \`updatedSince\` set to the header \`${updatedUntilHeader}\` of the previous response; see “Following a list”.`;

documented(deletedRecord, {
  id: 'DeletedRecord',
  description: 'A record that was deleted, or that is otherwise no longer in the list.',
  examples: [{ _id: '65f0c1d2e3a4b5c6d7e8f901', isDeleted: true, updatedAt: '2026-03-01T14:05:09.123Z' }],
  fields: {
    _id: 'Id of the record; for an agent, its `agent._id`.',
    isDeleted: { description: 'Always true.', examples: [true], omits: ['const'] },
    updatedAt: 'When the service recorded the deletion.',
  },
});

documented(errorBody, {
  // Not `Error`: a generated type of that name would hide the language's own.
  id: 'ErrorResponse',
  description: 'An error. Branch on `errorType`, never on `errorMessage`.',
  fields: {
    statusCode: 'The HTTP status of the response.',
    requestId: 'Identifies the request; quote it when you report a problem.',
    errorType: {
      description: 'What went wrong, for programs.',
      values: errorSentences,
    },
    errorMessage: 'What went wrong, for people: one or more sentences, whose wording may change.',
    timestamp: [
      'When the service received the request: in UTC, or in another form if the gateway responded (see “Errors”).',
      '2026-03-01T14:05:09.123Z',
    ],
    details: {
      description: 'What is known about the cause; its members depend on the status (see “Errors”).',
      fields: {
        expected: 'For a 403: what the operation requires, such as a category or a feature.',
        actual: 'For a 403: what the request had instead, such as another category, or `none`.',
        instead: 'Another way to achieve the same result, if there is one.',
        issues: {
          description: 'For a 400: the problems with the request, each with the field at fault.',
          fields: {
            path: 'The field or parameter at fault, such as `items[2].name`; empty for the request as a whole.',
            message: 'What is wrong with it, for people; the wording may change.',
            accepted:
              'What would be accepted: the values of an enum, or the fields or parameters if one is not known.',
          },
        },
      },
    },
  },
});

/** Examples for a page; “Lists” says what its members are. */
export const pageDocs = {
  total: { examples: [1] },
  page: { examples: [1] },
  limit: { examples: [50] },
  totalPages: { examples: [1] },
} as const;

export const cursorDocs = {
  items: 'The records after `after`, in order; there can be none although `hasMore` is true.',
  next: { description: 'Value of `after` for the next request.', minimum: 0, examples: [1] },
  hasMore: ['Whether more can be read at once; if not, ask again later.', false],
} as const;
