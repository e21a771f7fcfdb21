/** Fault of the caller's input: its place, what is wrong, and what is accepted in place of an enum's value or an unknown key. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly accepted?: readonly (string | number)[];
}

/** Issues as one sentence: `email: is taken; associations: are too many`. */
export const issuesText = (issues: readonly Issue[]): string =>
  issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');

/** Most issues that a refusal names: a request can have hundreds of thousands. */
export const mostIssues = 20;

/** The first issues, and how many more there are. */
export const firstIssues = (issues: readonly Issue[], total = issues.length): Issue[] => {
  const firstIssues = issues.slice(0, mostIssues);
  return total > firstIssues.length
    ? [...firstIssues, { path: '', message: `and ${total - firstIssues.length} more` }]
    : firstIssues;
};

/** Why the domain refuses something, in its own words; `shared/platform/request/refusal.ts` translates it for callers. */
export type DomainErrorReason =
  | 'not_found'
  | 'invalid_input'
  /** The stored state does not admit the change, and trying again does not help. */
  | 'state_conflict'
  | 'market_has_primary'
  | 'plan_limit_reached'
  | 'duplicate_external_id'
  | 'duplicate_producer_code'
  /** Error while the same record is being created by a request that has only just arrived. */
  | 'concurrent_duplicate';

/** Ids of records that exist already, and of the caller's files that are on a filing already. */
interface ConflictingIds {
  readonly licenseRequestId?: string;
  readonly contactId?: string;
  readonly downstreamEntityAssociationId?: string;
  readonly onFiling?: readonly string[];
}

/** Context that the reason does not carry: see the members. */
interface DomainErrorOptions {
  /** A sentence for the caller; without one, it gets the sentence of the API's error. */
  readonly message?: string;
  /** Each field at fault, for `invalid_input`; for `not_found`, those of a body or query that name what there is not. */
  readonly issues?: readonly Issue[];
  /** Limit, and the actual value. */
  readonly limit?: { readonly expected: string; readonly actual: string };
  /** Number, or bytes, of the limit, where one more was refused. */
  readonly most?: number;
  /** Seconds until a state passes by itself. */
  readonly retryAfterSeconds?: number;
  /** Ids of the obstacle, by the names under which callers know it; part of the error's `details`. */
  readonly ids?: ConflictingIds;
  /** The market that has a primary contact already, where the caller may have named several. */
  readonly marketId?: string;
  readonly cause?: unknown;
}

/** A failure that the domain can explain. Stores throw it, and know nothing of HTTP. */
export class DomainError extends Error {
  readonly reason: DomainErrorReason;
  readonly options: DomainErrorOptions;

  constructor(reason: DomainErrorReason, options: DomainErrorOptions = {}) {
    super(options.message ?? (options.issues === undefined ? reason : issuesText(options.issues)), options);
    this.name = 'DomainError';
    this.reason = reason;
    this.options = options;
  }
}

/**
 * The refusal of what fields of a body or query name: the same for an unknown id and for one of another organization (OpenAPI,
 * "Errors").
 */
export const notFoundAt = (
  paths: readonly string[],
  message = 'does not exist or is not yours',
  ids: ConflictingIds = {},
): DomainError => new DomainError('not_found', { issues: paths.map((path) => ({ path, message })), ids });

/** Waits for what a field of a body or query names; if it is not found, the refusal names the field. */
export async function foundAt<Found>(path: string, lookup: Promise<Found>): Promise<Found> {
  try {
    return await lookup;
  } catch (error) {
    throw error instanceof DomainError && error.reason === 'not_found' ? notFoundAt([path]) : error;
  }
}

/** The refusal of what would go beyond a bound: `details.limit` of a 409 (OpenAPI, "Errors"). */
export const limitReached = (message: string, most: number): DomainError =>
  new DomainError('state_conflict', { message, most });
