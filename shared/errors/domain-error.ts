import { type Issue, issuesText } from './issue.ts';

/** Why the domain refuses something, in its own words; `shared/request/refusal.ts` translates it for callers. */
export type DomainErrorReason =
  | 'not_found'
  | 'invalid_input'
  /** The stored state does not admit the change, and trying again does not help. */
  | 'state_conflict'
  | 'market_has_primary'
  | 'plan_limit_reached'
  | 'duplicate_external_id'
  | 'duplicate_producer_code'
  /** The same record is being created by a request that has only just arrived. */
  | 'concurrent_duplicate'
  | 'storage_unavailable';

/** Context that the reason does not carry: see the members. */
interface DomainErrorOptions {
  /** A sentence for the caller; without one, it gets the sentence of the API's error. */
  readonly message?: string;
  /** Each field at fault, for `invalid_input`. */
  readonly issues?: readonly Issue[];
  /** What a limit admits, and what there is. */
  readonly limit?: { readonly expected: string; readonly actual: string };
  /** Id of the record that stands in the way, where the caller may have named several. */
  readonly recordId?: string;
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
