import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { jsonText } from '../../shared/platform/data/json.ts';

/** A response of the API: its status and headers, and the `data` of its body. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
}

interface CallOptions {
  readonly token?: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

/** Calls the API as an integrator does. @throws CallFailure for anything but a success. */
export type Caller = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  options?: CallOptions,
) => Promise<Reply>;

/** Why a step failed, without secrets: the message is logged and printed. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** Status of the response, if there was one. */
  readonly status: number | undefined;
  /** The `requestId` of the response, by which its log lines are found. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    { status, requestId }: { status?: number; requestId?: string | undefined } = {},
  ) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** How long a caller waits for a response. Every step's request takes well below a second. */
const timeoutMs = 10_000;

const envelope = z.object({ data: z.unknown() });
const refusal = z.object({ errorType: z.string(), requestId: z.string() });
const connectionFault = z.object({ cause: z.object({ code: z.string() }) });

/** By which access log and firewall log show the canary. */
const userAgent = 'insurance-compliance-canary';

/** Each call once: a retry would hide what callers feel. */
export const createCaller =
  (apiAddress: string): Caller =>
  async (method, path, { token, body, idempotencyKey } = {}) => {
    const response = await fetch(`${apiAddress}${path}`, {
      method,
      headers: {
        'user-agent': userAgent,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(noResponse);
    const { status, headers } = response;
    const answer = await response.json().catch(() => undefined);
    if (!response.ok) {
      const { errorType = 'no error of the API', requestId } = z.safeParse(refusal, answer).data ?? {};
      throw new CallFailure(`The response was ${status}, ${errorType}.`, { status, requestId });
    }
    const parsed = z.safeParse(envelope, answer);
    if (!parsed.success) throw new CallFailure(`The response, ${status}, has no data.`, { status });
    return { status, headers, data: parsed.data.data };
  };

function noResponse(error: unknown): never {
  if (error instanceof Error && error.name === 'TimeoutError') {
    throw new CallFailure(`There was no response within ${timeoutMs / 1_000} seconds.`);
  }
  const code = z.safeParse(connectionFault, error).data?.cause.code ?? 'unknown reason';
  throw new CallFailure(`The address cannot be reached: ${code}.`);
}

const canaryCredentials = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  /** The organization's only association; its `externalId` is what the canary writes. */
  downstreamEntityAssociationId: z.string(),
  /** The webhook that points to the canary's receiver, and its signing secret. */
  webhookId: z.string(),
  webhookSecret: z.string(),
});

/** What the canary's secret holds, as JSON, once the first smoke test has made the canary's organization. */
export type CanaryCredentials = z.output<typeof canaryCredentials>;

/**
 * The canary's credentials; undefined while the secret has the value with which it was created.
 * @throws SDK errors.
 */
export async function readCredentials(
  client: SecretsManagerClient,
  secretId: string,
): Promise<CanaryCredentials | undefined> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
  return z.safeParse(z.pipe(jsonText, canaryCredentials), SecretString).data;
}
