import { setTimeout as pause } from 'node:timers/promises';
import { adminAnswer, call, officeAddress } from '../support/local-api.ts';

export type Data = Readonly<Record<string, unknown>>;

/** The final answer of a request or a command that was repeated until it was answered for good. */
export interface Outcome {
  readonly isAcknowledged: boolean;
  readonly status: number;
  readonly data: Data;
}

/** A minute longer than any fault lasts. */
const requestMs = 160_000;

/** A sweep makes some hundred calls, and one that fails for good fails the sweep: of ten, one is whole. */
const commandMs = 1_200_000;

async function repeat(
  forMs: number,
  attempt: (tries: number) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const deadline = Date.now() + forMs;
  for (let tries = 1; Date.now() < deadline; tries += 1) {
    const outcome = await attempt(tries);
    if (outcome !== undefined) return outcome;
    await pause(Math.min(1_000, 50 * 2 ** tries) * (0.5 + Math.random() / 2));
  }
  return { isAcknowledged: false, status: 0, data: {} };
}

/** Makes a request as a client does (OpenAPI, "Errors"): again with the same key, until it is answered for good. */
export const request = (
  method: string,
  path: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly key?: string;
    readonly body?: object;
    readonly rawBody?: string;
  },
): Promise<Outcome> =>
  repeat(requestMs, async () => {
    const { headers, key, ...rest } = options;
    const answer = await call(method, path, {
      ...rest,
      from: officeAddress,
      headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    }).catch(() => undefined);
    if (answer === undefined) return undefined;
    const { status, json } = answer;
    if (status >= 429 || (status === 409 && answer.headers.has('retry-after'))) return undefined;
    return { isAcknowledged: status < 300, status, data: { ...(json['data'] as object | undefined) } };
  });

/** Refusals of a command that another try may pass. */
const passing = new Set(['service_unavailable', 'transient_transaction_error']);

/**
 * Runs an operator's command until it is answered for good. A command has no idempotency key: one that was broken off and had taken
 * effect is refused as a conflict when it comes again.
 */
export const command = (
  name: string,
  input: object,
  isDone: (result: Data) => boolean = () => true,
): Promise<Outcome> =>
  repeat(commandMs, async (tries) => {
    // A call whose function failed is answered with its error, which has no `ok`.
    const { ok, result, error } = await adminAnswer(name, input).catch((): Data => ({}));
    const data = { ...(result as object | undefined) };
    if (ok === true && isDone(data)) return { isAcknowledged: true, status: 200, data };
    const { errorType = '' } = { ...(error as { readonly errorType?: string } | undefined) };
    if (ok === false && errorType === 'conflict' && tries > 1)
      return { isAcknowledged: true, status: 200, data };
    return ok === false && !passing.has(errorType) ? { isAcknowledged: false, status: 409, data } : undefined;
  });

/** Imports records, of which none may be refused. */
export const importAll = (
  organizationId: string,
  records: readonly object[],
  emitEvents: boolean,
): Promise<Outcome> =>
  command(
    'import',
    { organizationId, firstLine: 1, lines: records.map((record) => JSON.stringify(record)), emitEvents },
    ({ imported }) => imported === records.length,
  );
