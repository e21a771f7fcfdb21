/**
 * The closed registry of errors that a caller can get (OpenAPI, "Errors"). Every `errorType` has one status and one
 * sentence; code that throws an error picks one of these and cannot invent another.
 */
export const errorRegistry = {
  conflict: { status: 409, sentence: 'The request conflicts with the current state of the resource.' },
  contact_not_authorized: { status: 403, sentence: 'The contact is not authorized for this operation.' },
  document_exceeds_page_limit: { status: 400, sentence: 'The document has too many pages.' },
  downstream_entity_member_exists: {
    status: 409,
    sentence: 'The downstream entity already has this member.',
  },
  duplicate_external_id_error: { status: 409, sentence: 'Another association already uses this externalId.' },
  duplicate_member_email: { status: 409, sentence: 'Another member already uses this email address.' },
  duplicate_producer_code_error: {
    status: 409,
    sentence: 'Another association already uses this producerCode.',
  },
  forbidden: { status: 403, sentence: 'The request is not allowed for this credential.' },
  gateway_timeout: { status: 504, sentence: 'The request took too long.' },
  inactive_email: { status: 400, sentence: 'The email address is not active.' },
  internal_server_error: {
    status: 500,
    sentence: 'Something went wrong on our side. Please report the requestId.',
  },
  invalid_email: { status: 400, sentence: 'The email address is not valid.' },
  invalid_email_for_invites: { status: 400, sentence: 'The email address cannot be invited.' },
  invalid_organization_category: {
    status: 403,
    sentence: 'This endpoint is not available to the organization category of the credential.',
  },
  invalid_organization_slug: { status: 400, sentence: 'The organization slug is not valid.' },
  invalid_phone_number: { status: 400, sentence: 'The phone number is not valid.' },
  invalid_token: { status: 401, sentence: 'The token is not valid.' },
  invite_limit_reached: { status: 403, sentence: 'The plan allows no more associated agencies.' },
  jwt_invalid: { status: 401, sentence: 'The access token is not valid.' },
  m2m_client_not_found: { status: 401, sentence: 'The API client does not exist.' },
  not_found: { status: 404, sentence: 'The resource does not exist or belongs to another organization.' },
  organization_already_exists: { status: 409, sentence: 'The organization already exists.' },
  organization_slug_already_used: { status: 409, sentence: 'The organization slug is already in use.' },
  payment_required: { status: 402, sentence: 'The subscription requires a payment.' },
  producer_agreement_required: { status: 403, sentence: 'A producer agreement is required first.' },
  product_feature_subscription_required: {
    status: 403,
    sentence: 'The organization does not subscribe to the feature that this endpoint requires.',
  },
  rate_limit_exceeded: {
    status: 429,
    sentence: 'Too many requests. Retry after the number of seconds in the Retry-After header.',
  },
  service_unavailable: {
    status: 503,
    sentence: 'The service is temporarily unavailable. Retry with backoff.',
  },
  session_authorization_error: { status: 401, sentence: 'The session is not authorized.' },
  some_custom_error_string: { status: 400, sentence: 'The request was rejected.' },
  throttled: { status: 429, sentence: 'The request was throttled. Retry with backoff.' },
  too_many_requests: { status: 429, sentence: 'Too many requests. Retry with backoff.' },
  transient_transaction_error: {
    status: 409,
    sentence: 'A concurrent request for the same resource is under way. Retry with backoff.',
  },
  unauthorized: { status: 401, sentence: 'A valid credential is required.' },
  unauthorized_client: { status: 401, sentence: 'The API client is not authorized.' },
  unexpected_400_idp_error: { status: 400, sentence: 'The identity provider rejected the request.' },
  unexpected_403_idp_error: { status: 403, sentence: 'The identity provider denied the request.' },
  unexpected_404_idp_error: { status: 404, sentence: 'The identity provider did not find the resource.' },
  unexpected_error: {
    status: 500,
    sentence: 'Something went wrong on our side. Please report the requestId.',
  },
  unexpected_idp_error: { status: 500, sentence: 'The identity provider failed.' },
  unprocessable_entity: { status: 422, sentence: 'The request cannot be processed.' },
  validation_error: { status: 400, sentence: 'The request is not valid.' },
} as const satisfies Record<string, { readonly status: number; readonly sentence: string }>;

export type ErrorType = keyof typeof errorRegistry;

export type ErrorStatus = (typeof errorRegistry)[ErrorType]['status'] | 413;

/** One fault of the caller's input: where it is, what is wrong, and for an enum the values that are accepted. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly accepted?: readonly (string | number)[];
}

/**
 * Optional context of an error. `expected`/`actual` accompany every 403; `issues` every invalid input; `instead` says
 * what to do where there is another way.
 */
export interface ErrorDetails {
  readonly expected?: string;
  readonly actual?: string;
  readonly instead?: string;
  readonly issues?: readonly Issue[];
  readonly [key: string]: unknown;
}

/** Context that `message` does not carry: see the members. */
interface ApiErrorOptions {
  readonly message?: string;
  readonly details?: ErrorDetails;
  /** 413 has no `errorType` for itself: an oversized file is a `validation_error` (OpenAPI, "Errors"). */
  readonly status?: 413;
  readonly cause?: unknown;
}

/**
 * A failure that is explained to the caller. Anything else that is thrown becomes `internal_server_error` and reveals
 * nothing but the requestId.
 */
export class ApiError extends Error {
  readonly errorType: ErrorType;
  readonly status: ErrorStatus;
  readonly details: ErrorDetails | undefined;

  constructor(errorType: ErrorType, options: ApiErrorOptions = {}) {
    super(options.message ?? errorRegistry[errorType].sentence, { cause: options.cause });
    this.name = 'ApiError';
    this.errorType = errorType;
    this.status = options.status ?? errorRegistry[errorType].status;
    this.details = options.details;
  }
}

/** The same error for an unknown id and for an id of another organization (OpenAPI, "Errors"). */
export const notFound = (): ApiError => new ApiError('not_found');

/** A 400 that names each field at fault. */
export const invalid = (...issues: Issue[]): ApiError =>
  new ApiError('validation_error', {
    message: issues
      .map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`))
      .join('; '),
    details: { issues },
  });

/** A 413; `details` state the limit and what to do instead. */
export const tooLarge = (message: string, details: ErrorDetails): ApiError =>
  new ApiError('validation_error', { status: 413, message, details });
