import * as z from 'zod/mini';
import { type ErrorDefinition, errorRegistry } from './errors.ts';
import { requestId } from './responses.ts';

/**
 * Errors of the API's vocabulary that no operation of this service answers. The published schema accepts them, so that clients
 * do not break when one comes into use; it then moves to `errors.ts`.
 */
const reservedErrors = {
  document_exceeds_page_limit: { status: 400, sentence: 'The document has too many pages.' },
  downstream_entity_member_exists: {
    status: 409,
    sentence: 'The downstream entity already has this member.',
  },
  duplicate_member_email: { status: 409, sentence: 'Another member already uses this email address.' },
  inactive_email: { status: 400, sentence: 'The email address is not active.' },
  invalid_email: { status: 400, sentence: 'The email address is not valid.' },
  invalid_email_for_invites: { status: 400, sentence: 'The email address cannot be invited.' },
  invalid_organization_slug: { status: 400, sentence: 'The organization slug is not valid.' },
  invalid_phone_number: { status: 400, sentence: 'The phone number is not valid.' },
  invalid_token: { status: 401, sentence: 'The token is not valid.' },
  jwt_invalid: { status: 401, sentence: 'The access token is not valid.' },
  m2m_client_not_found: { status: 401, sentence: 'The API client does not exist.' },
  organization_already_exists: { status: 409, sentence: 'The organization already exists.' },
  organization_slug_already_used: { status: 409, sentence: 'The organization slug is already in use.' },
  payment_required: { status: 402, sentence: 'The subscription requires a payment.' },
  producer_agreement_required: { status: 403, sentence: 'A producer agreement is required first.' },
  session_authorization_error: { status: 401, sentence: 'The session is not authorized.' },
  some_custom_error_string: { status: 400, sentence: 'The request was rejected.' },
  too_many_requests: { status: 429, sentence: 'Too many requests. Retry with backoff.' },
  unauthorized_client: { status: 401, sentence: 'The API client is not authorized.' },
  unexpected_400_idp_error: { status: 400, sentence: 'The identity provider rejected the request.' },
  unexpected_403_idp_error: { status: 403, sentence: 'The identity provider denied the request.' },
  unexpected_404_idp_error: { status: 404, sentence: 'The identity provider did not find the resource.' },
  unexpected_error: {
    status: 500,
    sentence: 'Something went wrong on our side. Please report the requestId.',
  },
  unexpected_idp_error: { status: 500, sentence: 'The identity provider failed.' },
} as const satisfies Record<string, ErrorDefinition>;

export const errorDefinitions = { ...errorRegistry, ...reservedErrors };
const errorTypes = Object.keys(errorDefinitions).sort();

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
