import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import type { FunctionStart } from '#function/start.ts';
import { createSecretsClient } from '#platform/config/secret-text.ts';
import { jsonText } from '#platform/data/json.ts';
import type { Log } from '#platform/log/log.ts';
import { uses } from './uses.ts';

const canaryClient = z.pipe(jsonText, z.object({ clientId: z.string(), clientSecret: z.string() }));

/** An API client, which the canary's secret holds as JSON once the first smoke test has made it. */
export type CanaryClient = z.output<typeof canaryClient>;

/** Result of a run; of a failed one the step that failed and why, without secrets. */
export const canaryResult = z.object({
  passed: z.boolean(),
  /** Milliseconds that the run took. */
  ms: z.int(),
  step: z.optional(z.enum(['client', 'token', 'list'])),
  reason: z.optional(z.string()),
  /** Status of the response, if there was one. */
  status: z.optional(z.int()),
  /** The `requestId` of the response, by which its log lines are found. */
  requestId: z.optional(z.string()),
});

type CanaryResult = z.output<typeof canaryResult>;

/** Why a request failed, without secrets: the message is logged and printed. */
class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly response: Pick<CanaryResult, 'status' | 'requestId'>;

  constructor(message: string, response: Pick<CanaryResult, 'status' | 'requestId'> = {}) {
    super(message);
    this.response = response;
  }
}

interface CheckDependencies {
  /** The API's public address. */
  readonly apiAddress: string;
  /** Text of the canary's secret. @throws SDK errors. */
  readonly readSecret: () => Promise<string>;
  readonly logger: Log;
}

/** Takes a token and reads a list, as callers do, and logs how it went. Does not fail. */
export async function check({ apiAddress, readSecret, logger }: CheckDependencies): Promise<CanaryResult> {
  const began = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - began);
  let step: CanaryResult['step'] = 'client';
  try {
    const client = z.safeParse(canaryClient, await readSecret()).data;
    if (client === undefined) {
      const reason = 'The canary has no client: "npm run smoke-test -- --environment <name>" makes it.';
      // Not as a failed run: its alarm would roll back the next deployment.
      logger.warn(reason, { event: 'canary_not_set_up' });
      return { passed: false, ms: elapsedMs(), step, reason };
    }
    step = 'token';
    const { accessToken } = await request(`${apiAddress}/v2/auth/jwt`, token, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(client),
    });
    step = 'list';
    await request(`${apiAddress}/v2/upstream/downstream-entity-associations`, list, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
  } catch (error) {
    const failure = { ms: elapsedMs(), step, ...failureOf(error) };
    logger.error('The canary failed.', { event: 'canary_failed', ...failure });
    return { passed: false, ...failure };
  }
  const ms = elapsedMs();
  logger.info('The canary passed.', { event: 'canary_passed', ms });
  return { passed: true, ms };
}

/** An error of anything but the API has a text of its own, which may hold whatever it was about: its name has to do. */
function failureOf(error: unknown): Pick<CanaryResult, 'reason' | 'status' | 'requestId'> {
  if (error instanceof RequestFailure) return { reason: error.message, ...error.response };
  return { reason: error instanceof Error ? error.name : typeof error };
}

const token = z.object({ accessToken: z.string() });

/** The list of a client whose organization need not have anything. */
const list = z.array(z.object({ _id: z.string() }));

/** Timeout of a request, whose response usually takes well below a second. */
const timeoutMs = 10_000;

const envelope = z.object({ data: z.unknown() });
const refusal = z.object({ errorType: z.string(), requestId: z.string() });
const connectionFault = z.object({ cause: z.object({ code: z.string() }) });

/** User agent by which access log and firewall log show the canary. */
const userAgent = 'insurance-compliance-canary';

/**
 * Requests once, since a retry would hide what callers feel, and answers the `data` of the response.
 * @throws RequestFailure for anything but a success.
 */
async function request<Schema extends z.core.$ZodType>(
  url: string,
  schema: Schema,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { readonly headers: Readonly<Record<string, string>> },
): Promise<z.output<Schema>> {
  const response = await fetch(url, {
    ...init,
    headers: { 'user-agent': userAgent, ...headers },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(noResponse);
  const { status } = response;
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const { errorType = 'no error of the API', requestId } = z.safeParse(refusal, answer).data ?? {};
    throw new RequestFailure(`The response was ${status}, ${errorType}.`, { status, requestId });
  }
  const result = z.safeParse(schema, z.safeParse(envelope, answer).data?.data);
  if (!result.success) {
    throw new RequestFailure(`The response, ${status}, has other data than expected.`, { status });
  }
  return result.data;
}

function noResponse(error: unknown): never {
  if (error instanceof Error && error.name === 'TimeoutError') {
    throw new RequestFailure(`There was no response within ${timeoutMs / 1_000} seconds.`);
  }
  const code = z.safeParse(connectionFault, error).data?.cause.code ?? 'unknown reason';
  throw new RequestFailure(`The address cannot be reached: ${code}.`);
}

/**
 * Calls the API from outside, through the public address: invoked by a schedule every minute, and by the smoke test. A failed
 * check is a result and not an error of the function, which Lambda would repeat; the log tells the alarms.
 */
export const canaryFunction = {
  uses,
  handler({
    values: { CANARY_SECRET_ARN, API_ADDRESS: apiAddress },
    context: { logger },
  }: FunctionStart<typeof uses>) {
    const secrets = createSecretsClient();
    // Read for each run: the smoke test may just have stored a client.
    const secret = new GetSecretValueCommand({ SecretId: CANARY_SECRET_ARN });
    const readSecret = async (): Promise<string> => (await secrets.send(secret)).SecretString ?? '';
    return async (): Promise<CanaryResult & { readonly apiAddress: string }> => ({
      apiAddress,
      ...(await check({ apiAddress, readSecret, logger })),
    });
  },
};
