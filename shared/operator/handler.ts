import type { ErrorDetails, ErrorType } from '../contract/errors.ts';
import type { Log } from '../log/log.ts';
import { toError } from '../log/to-error.ts';
import { refusalOf } from '../request/refusal.ts';

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

/** A command that succeeded; its log members are ids and counts, never names or records. */
interface Done<Result extends object> {
  readonly result: Result;
  readonly audit: { readonly command: string } & Readonly<Record<string, unknown>>;
}

/**
 * The handler of a function that operators call: it has no route and is invoked with IAM credentials. Every call writes a line to
 * the log.
 */
export const operatorHandler =
  <Result extends object>(logger: Log, run: (event: unknown) => Promise<Done<Result>>) =>
  async (event: unknown): Promise<OperatorAnswer<Result>> => {
    try {
      const { result, audit } = await run(event);
      logger.info('operator command', { event: 'operator_command', ...audit, outcome: 'done' });
      return { ok: true, result };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) {
        logger.error('An operator command failed.', {
          event: 'operator_command_failed',
          error: toError(error),
        });
        throw error;
      }
      logger.info('operator command', {
        event: 'operator_command',
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
