import { setTimeout as pause } from 'node:timers/promises';
import { officeAddress } from '../support/local-api.ts';

export interface ClientRequest {
  readonly method: string;
  readonly path: string;
  /** Of the organization's restricted token. */
  readonly headers: Readonly<Record<string, string>>;
  /** The same at every try; a real client makes one for each thing that it wants done. */
  readonly idempotencyKey?: string;
  readonly body?: object | FormData;
}

/** What a request came to in the end. */
export interface Outcome {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tries: number;
}

/** Longer than the local run lets a request last. */
const timeoutMs = 160_000;

const longestPauseMs = 1_000;

interface Answer {
  readonly status: number;
  readonly json: { readonly errorType?: string; readonly data?: Readonly<Record<string, unknown>> };
}

/** What is worth another try (OpenAPI, "Errors"), and what says that an earlier one is still at work. */
const isPassing = ({ status, json }: Answer): boolean =>
  status === 429 ||
  status >= 500 ||
  (status === 409 && ['conflict', 'transient_transaction_error'].includes(json.errorType ?? ''));

/** One try; undefined when the connection broke or the answer is no JSON. */
async function once({
  method,
  path,
  headers,
  idempotencyKey,
  body,
}: ClientRequest): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`${process.env['TEST_BASE_URL']}${path}`, {
      method,
      signal: AbortSignal.timeout(35_000),
      headers: {
        'x-local-source-ip': officeAddress,
        ...headers,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as Answer['json'] };
  } catch {
    return undefined;
  }
}

/** Makes a request as a real client does: again with the same key, until it is answered for good. */
export async function request(wanted: ClientRequest): Promise<Outcome> {
  const deadline = Date.now() + timeoutMs;
  for (let tries = 1; ; tries += 1) {
    const answer = await once(wanted);
    if (answer !== undefined && !isPassing(answer)) {
      return { status: answer.status, data: answer.json.data ?? {}, tries };
    }
    if (Date.now() > deadline) return { status: answer?.status ?? 0, data: {}, tries };
    await pause(Math.min(longestPauseMs, 50 * 2 ** tries) * (0.5 + Math.random() / 2));
  }
}

/** Sends a file's bytes to its presigned address, until that has them. */
export async function put(
  url: string,
  headers: Record<string, string>,
  content: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const status = await fetch(url, { method: 'PUT', headers, body: content }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    if (status === 200) return;
    if (Date.now() > deadline) throw new Error(`The presigned address answers ${status}.`);
    await pause(100);
  }
}
