import * as z from 'zod/mini';

/** What an operator's call is, and on whom: the command, ids, and counts. */
export type Audit = { readonly command: string; readonly organizationId?: string | undefined } & Readonly<
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

const called = z.object({ command: z.string(), input: z.unknown() });

/** The command that a function was invoked with, which need not be valid, and the ids of its input. */
export function auditOf(event: unknown, commands: readonly string[]): Audit {
  const { command = 'unknown', input } = z.safeParse(called, event).data ?? {};
  return { command: commands.includes(command) ? command : 'unknown', ...idsOf(input) };
}

const clientContext = z.object({
  custom: z.object({ caller: z.string().check(z.regex(/^arn:[\w:/+=,.@-]{1,500}$/)) }),
});

/** The ARN of the caller as its program states it in Lambda's client context; undefined where it states none. */
export const statedCaller = (context: unknown): string | undefined =>
  z.safeParse(clientContext, context).data?.custom.caller;
