import * as z from 'zod/mini';
import type { ErrorDetails, ErrorType } from '../contract/errors.ts';
import { type Log, toError } from '../log/log.ts';
import { refusalOf } from '../request/refusal.ts';

/** The audit of an operator's call: the command, ids, and counts. */
type Audit = { readonly command: string; readonly organizationId?: string | undefined } & Readonly<
  Record<string, unknown>
>;

/** An id as the log may hold it. Anything else could be a secret in the wrong place, and is not logged. */
const loggedId = z.catch(
  z.optional(z.string().check(z.regex(/^((client_)?[0-9a-f]{24}|\d{1,10})$/i))),
  'malformed',
);

const loggedIds = z.object({
  organizationId: loggedId,
  clientId: loggedId,
  tokenId: loggedId,
  filingId: loggedId,
  fileDocumentId: loggedId,
  licenseRequestId: loggedId,
  downstreamEntityAssociationId: loggedId,
  transactionId: loggedId,
  npn: loggedId,
  // A name as queues have it.
  queue: z.catch(z.optional(z.string().check(z.regex(/^[a-z-]{1,40}$/))), 'malformed'),
});

/** The ids of a command's input or result. No names, records, addresses, or secrets. */
export const idsOf = (value: unknown): z.output<typeof loggedIds> => z.safeParse(loggedIds, value).data ?? {};

const callSchema = z.object({ command: z.string(), input: z.unknown() });

/** The command that a function was invoked with, which need not be valid, and the ids of its input. */
export function auditOf(event: unknown, commands: readonly string[]): Audit {
  const { command = 'unknown', input } = z.safeParse(callSchema, event).data ?? {};
  return { command: commands.includes(command) ? command : 'unknown', ...idsOf(input) };
}

const clientContext = z.object({
  custom: z.object({ caller: z.string().check(z.regex(/^arn:[\w:/+=,.@-]{1,500}$/)) }),
});

/** The ARN of the caller as its program states it in Lambda's client context; undefined where it states none. */
export const statedCaller = (context: unknown): string | undefined =>
  z.safeParse(clientContext, context).data?.custom.caller;

/** The response to an operator's call: the command's result, or why it was refused. */
type OperatorAnswer<Result extends object> =
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
  /** Command and resource of a call; known even if the command is refused or fails. Never throws. */
  readonly auditOf: (event: unknown) => Audit;
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
 * line to the log: what, on which resource, by which person as the caller's program states it, and `lambdaRequestId`, by which
 * CloudTrail's record of the call proves who it was (`infra/constructs/audit-trail.ts`).
 */
export const operatorHandler =
  <Result extends object>(logger: Log, { auditOf, run }: OperatorFunction<Result>) =>
  async (event: unknown, call?: OperatorCall): Promise<OperatorAnswer<Result>> => {
    const auditFields = {
      ...auditOf(event),
      caller: statedCaller(call?.clientContext),
      lambdaRequestId: call?.awsRequestId,
    };
    try {
      const { result, audit } = await run(event);
      logger.info('operator command', {
        event: 'operator_command',
        ...auditFields,
        ...audit,
        outcome: 'done',
      });
      return { ok: true, result };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) {
        logger.error('An operator command failed.', {
          event: 'operator_command_failed',
          ...auditFields,
          error: toError(error),
        });
        throw error;
      }
      logger.info('operator command', {
        event: 'operator_command',
        ...auditFields,
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
