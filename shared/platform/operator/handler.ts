import type { ErrorDetails, ErrorType } from '../contract/errors.ts';
import { type Log, toError } from '../log/log.ts';
import { refusalOf } from '../request/refusal.ts';
import { type Audit, statedCaller } from './audit.ts';

/** The response to an operator's call: the command's result, or why it was refused. */
export type OperatorAnswer<Result extends object> =
  | { readonly ok: true; readonly result: Result }
  | {
      readonly ok: false;
      readonly error: {
        readonly errorType: ErrorType;
        readonly errorMessage: readonly string[];
        readonly details?: ErrorDetails;
      };
    };

interface OperatorFunction<Result extends object> {
  /** What is asked for, and on whom; known even if the command is refused or fails. Never throws. */
  readonly asked: (event: unknown) => Audit;
  /** Runs the command. `audit` is what only its end shows: ids and counts, never names or records. */
  readonly run: (
    event: unknown,
  ) => Promise<{ readonly result: Result; readonly audit?: Readonly<Record<string, unknown>> }>;
}

/** Lambda's context of a call. */
interface OperatorCall {
  readonly awsRequestId: string;
  readonly clientContext?: unknown;
}

/**
 * The handler of a function that operators call: it has no route and is invoked with IAM credentials. Every call writes a
 * line to the log: what, on whom, by whom as the caller's program states it, and `lambdaRequestId`, by which CloudTrail's record
 * of the call proves who it was (`infra/constructs/audit-trail.ts`).
 */
export const operatorHandler =
  <Result extends object>(logger: Log, { asked, run }: OperatorFunction<Result>) =>
  async (event: unknown, call?: OperatorCall): Promise<OperatorAnswer<Result>> => {
    const audited = {
      ...asked(event),
      caller: statedCaller(call?.clientContext),
      lambdaRequestId: call?.awsRequestId,
    };
    try {
      const { result, audit } = await run(event);
      logger.info('operator command', { event: 'operator_command', ...audited, ...audit, outcome: 'done' });
      return { ok: true, result };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) {
        logger.error('An operator command failed.', {
          event: 'operator_command_failed',
          ...audited,
          error: toError(error),
        });
        throw error;
      }
      logger.info('operator command', {
        event: 'operator_command',
        ...audited,
        outcome: 'refused',
        errorType: refusal.errorType,
      });
      return {
        ok: false,
        error: {
          errorType: refusal.errorType,
          errorMessage: [refusal.message],
          ...(refusal.details === undefined ? {} : { details: refusal.details }),
        },
      };
    }
  };
