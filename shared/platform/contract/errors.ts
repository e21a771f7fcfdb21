import { firstIssues, type Issue, issuesText } from '../errors/domain-error.ts';

/** Meaning of an `errorType`: one status and one sentence. */
interface ErrorDefinition {
  readonly status: number;
  readonly sentence: string;
}

/**
 * The closed registry of errors that a caller can get (OpenAPI, "Errors"): code that throws an error picks one of these and
 * cannot invent another. `docs.ts` has the rest of the API's vocabulary.
 */
export const errorRegistry = {
  conflict: { status: 409, sentence: 'The request conflicts with the current state of the resource.' },
  contact_not_authorized: { status: 403, sentence: 'The contact is not authorized for this operation.' },
  duplicate_external_id_error: { status: 409, sentence: 'Another association already uses this externalId.' },
  duplicate_producer_code_error: {
    status: 409,
    sentence: 'Another association already uses this producerCode.',
  },
  forbidden: { status: 403, sentence: 'The request is not allowed for this credential.' },
  gateway_timeout: { status: 504, sentence: 'The request took too long.' },
  internal_server_error: {
    status: 500,
    sentence: 'Something went wrong on our side. Please report the requestId.',
  },
  invalid_organization_category: {
    status: 403,
    sentence: 'This endpoint is not available to the organization category of the credential.',
  },
  invite_limit_reached: { status: 403, sentence: 'The plan allows no more associated agencies.' },
  not_found: { status: 404, sentence: 'The resource does not exist or belongs to another organization.' },
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
  throttled: { status: 429, sentence: 'The request was throttled. Retry with backoff.' },
  transient_transaction_error: {
    status: 409,
    sentence: 'A concurrent request for the same resource is under way. Retry with backoff.',
  },
  unauthorized: { status: 401, sentence: 'A valid credential is required.' },
  unprocessable_entity: { status: 422, sentence: 'The request cannot be processed.' },
  validation_error: { status: 400, sentence: 'The request is not valid.' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorType = keyof typeof errorRegistry;

export type ErrorStatus = (typeof errorRegistry)[ErrorType]['status'] | 413;

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
  readonly message?: string | undefined;
  readonly details?: ErrorDetails | undefined;
  /** 413 has no `errorType` for itself: an oversized file is a `validation_error` (OpenAPI, "Errors"). */
  readonly status?: 413;
  /** Seconds until the request can be sent again, for an error that passes by itself; a 503 always does. */
  readonly retryAfterSeconds?: number | undefined;
  /** Faults of the input, where `details` do not name all of them. */
  readonly issueCount?: number;
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
  /** `Retry-After`; undefined if sending the same request again does not help. */
  readonly retryAfterSeconds: number | undefined;
  /** Faults of the input: more than `details` names, where there are many. */
  readonly issueCount: number;

  constructor(errorType: ErrorType, options: ApiErrorOptions = {}) {
    super(options.message ?? errorRegistry[errorType].sentence, { cause: options.cause });
    this.name = 'ApiError';
    this.errorType = errorType;
    this.status = options.status ?? errorRegistry[errorType].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.status === 503 ? 1 : undefined);
    this.issueCount = options.issueCount ?? options.details?.issues?.length ?? 0;
  }
}

/** The error of a request whose writes conflicted with those of others; a repetition usually succeeds. */
export const transactionConflict = (cause: unknown): ApiError =>
  new ApiError('transient_transaction_error', { cause, retryAfterSeconds: 1 });

/** Error for an unknown id and for an id of another organization alike (OpenAPI, "Errors"). */
export const notFound = (): ApiError => new ApiError('not_found');

/** Record that was looked for. @throws ApiError `not_found` where there is none. */
export function existing<Found>(record: Found | undefined): Found {
  if (record === undefined) throw notFound();
  return record;
}

/** A 400 that names the first fields at fault, of `total`. */
export function invalidFields(issues: readonly Issue[], total = issues.length): ApiError {
  const namedIssues = firstIssues(issues, total);
  return new ApiError('validation_error', {
    message: issuesText(namedIssues),
    details: { issues: namedIssues },
    issueCount: total,
  });
}

/** A 400 that names the fields at fault. */
export const invalid = (...issues: Issue[]): ApiError => invalidFields(issues);

/** A 400 that names one field at fault; '' is the whole of the input. */
export const invalidAt = (path: string, message: string): ApiError => invalid({ path, message });

/** The issues of parameters that exclude each other: none where a request has at most one of them. */
export function combinedIssues(exclusive: Readonly<Record<string, unknown>>): Issue[] {
  const givenParameters = Object.keys(exclusive).filter((name) => exclusive[name] !== undefined);
  if (givenParameters.length < 2) return [];
  return givenParameters.map((path) => {
    const otherParameters = givenParameters.filter((parameter) => parameter !== path);
    return { path, message: `can't be combined with ${otherParameters.join(', ')}` };
  });
}

/** The issues of parameters of which a request has all or none: the missing ones, if it has some. */
export function incompleteIssues(together: Readonly<Record<string, unknown>>): Issue[] {
  const [missing = [], given = []] = [false, true].map((isGiven) =>
    Object.keys(together).filter((name) => (together[name] !== undefined) === isGiven),
  );
  if (given.length === 0) return [];
  return missing.map((path) => ({ path, message: `is required with ${given.join(', ')}` }));
}

/**
 * A 400 for a position or a time from which a caller cannot go on, since what followed it is no longer known.
 * @param earliest the earliest value that is accepted; null where that is not known yet
 */
export const tooEarly = (path: string, message: string, earliest: string | number | null): ApiError =>
  new ApiError('validation_error', {
    message: issuesText([{ path, message }]),
    details: { issues: [{ path, message }], earliest },
  });

/** A 413; `details` state the limit and what to do instead. */
export const tooLarge = (message: string, details: ErrorDetails): ApiError =>
  new ApiError('validation_error', { status: 413, message, details });
