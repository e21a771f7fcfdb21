import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { SecretText } from '../../platform/config/secret-text.ts';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
import { jsonText } from '../../platform/data/json.ts';
import { retryAfterMs } from '../../platform/http/retry-after.ts';
import { npn } from '../identifiers/identifiers.ts';
import { entityReport } from './read-rows.ts';
import {
  type EntityReport,
  type Registry,
  type RegistryPolls,
  RegistryUnavailable,
  registryEntity,
  unknownNpn,
} from './registry.ts';

/** How long to wait for the registry. */
export interface RegistryTimeouts {
  /** Milliseconds for one attempt, including reading the response. */
  readonly attemptMs: number;
  /** Milliseconds for a call in all. */
  readonly callMs: number;
  /** Milliseconds that the first pause between attempts takes at most; the second takes at most twice as long. */
  readonly pauseMs: number;
}

const attempts = 3;

// Two consecutive calls must fit into a request's 29 seconds and into the worker's minute.
export const defaultTimeouts: RegistryTimeouts = { attemptMs: 5_000, callMs: 12_000, pauseMs: 250 };

/** A failed attempt that is worth retrying. */
class RetryableFailure extends Error {
  /** Milliseconds to wait, as the registry's `Retry-After` says. */
  readonly afterMs: number | undefined;

  constructor(
    message: string,
    options: { readonly afterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.afterMs = options.afterMs;
  }
}

/** Prepares an attempt, and answers what makes it: only what that raises is a fault of the registry. */
type Attempt = (signal: AbortSignal) => Promise<() => Promise<Response>>;

/** One attempt: the response's body, undefined for 404. */
async function attemptOnce(
  { attemptMs }: RegistryTimeouts,
  key: Pick<SecretText, 'forget'>,
  attempt: Attempt,
  end: AbortSignal,
): Promise<Buffer | undefined> {
  const send = await attempt(AbortSignal.any([end, AbortSignal.timeout(attemptMs)]));
  let response: Response;
  let body: Buffer;
  try {
    response = await send();
    body = Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    throw new RetryableFailure('The registry did not answer.', { cause });
  }
  const { ok, status } = response;
  if (ok) return body;
  if (status === 404) return undefined;
  const message = `The registry responded with ${status}.`;
  if (status === 401 || status === 403) {
    key.forget();
    throw new RetryableFailure(message);
  }
  if (status !== 429 && status < 500) throw new RegistryUnavailable(message);
  throw new RetryableFailure(message, {
    afterMs: retryAfterMs(response.headers.get('retry-after'), new Date()),
  });
}

/**
 * Asks the registry, again where a fault may pass: the network's, 429 and 5xx with jitter, and a refused key, which may just have
 * been replaced.
 * @returns the response's body; undefined for 404.
 * @throws RegistryUnavailable when it did not answer in time. It never holds the body.
 */
export async function requested(
  timeouts: RegistryTimeouts,
  key: Pick<SecretText, 'forget'>,
  attempt: Attempt,
): Promise<Buffer | undefined> {
  const until = performance.now() + timeouts.callMs;
  const end = AbortSignal.timeout(timeouts.callMs);
  for (let attemptNumber = 1; ; attemptNumber += 1) {
    try {
      return await attemptOnce(timeouts, key, attempt, end);
    } catch (error) {
      if (!(error instanceof RetryableFailure)) throw error;
      const wait = error.afterMs ?? 2 ** (attemptNumber - 1) * timeouts.pauseMs * Math.random();
      if (attemptNumber === attempts || performance.now() + wait >= until) {
        throw new RegistryUnavailable(error.message, { cause: error.cause });
      }
      await pause(wait);
    }
  }
}

/** Without its key the registry can't be called; the cause of the error is for on-call. */
export async function currentKey(key: SecretText): Promise<string> {
  try {
    return await key.current();
  } catch (cause) {
    throw new RegistryUnavailable('The key of the registry could not be read.', { cause });
  }
}

interface HttpRegistryOptions {
  readonly address: string;
  readonly key: SecretText;
  readonly timeouts?: RegistryTimeouts;
}

const rows = () => z.array(z.unknown());
/** The answers, whose rows are read one by one. */
const entityAnswer = object(() => ({
  ...registryEntity.shape,
  residentStateCode: z.catch(registryEntity.shape.residentStateCode, null),
  licenses: rows(),
  appointments: rows(),
}));
const actionsAnswer = object(() => ({ regulatoryActions: rows() }));
const changesAnswer = object(() => ({
  npns: z.array(npn),
  cursor: z.string(),
  until: z.optional(timestamp),
}));

/**
 * The registry over HTTP: `GET /entities/{npn}`, `GET /entities/{npn}/regulatory-actions`, `PUT /subscriptions/{npn}`, and
 * `GET /changes?since=<cursor>`, which answers 404 where no lists of changes are kept. Network faults, 429 and 5xx are retried with
 * jitter, and so is a refused key, which may just have been replaced. Errors never hold a response's body: it contains personal
 * data.
 */
export function createHttpRegistry({
  address,
  key,
  timeouts = defaultTimeouts,
}: HttpRegistryOptions): Registry & RegistryPolls {
  const base = address.replace(/\/+$/, '');

  const request = (method: string, path: string): Promise<Buffer | undefined> =>
    requested(timeouts, key, async (signal) => {
      const headers = { accept: 'application/json', 'x-api-key': await currentKey(key) };
      return () => fetch(base + path, { method, headers, redirect: 'error', signal });
    });

  async function fetchAs<Schema extends z.core.$ZodType>(
    path: string,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    const text = await request('GET', path);
    if (text === undefined) return undefined;
    const parsed = z.safeParse(z.pipe(jsonText, schema), text.toString());
    if (parsed.success) return parsed.data;
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`);
    throw new RegistryUnavailable(`The registry returned an invalid response: ${faults.join(', ')}.`);
  }

  async function fetchReport(npn: string): Promise<EntityReport | undefined> {
    const entity = await fetchAs(`/entities/${npn}`, entityAnswer);
    if (entity === undefined) return undefined;
    const answer = await fetchAs(`/entities/${npn}/regulatory-actions`, actionsAnswer);
    return entityReport(entity, entity.licenses, entity.appointments, answer?.regulatoryActions ?? []);
  }

  return {
    async subscribe(npn) {
      await request('PUT', `/subscriptions/${npn}`);
    },
    fetch: fetchReport,
    callsPerPoll: 2,
    changesSince: (cursor) =>
      fetchAs(
        cursor === undefined ? '/changes' : `/changes?since=${encodeURIComponent(cursor)}`,
        changesAnswer,
      ),
    poll: async (npn) => (await fetchReport(npn)) ?? unknownNpn,
  };
}

/** What the `REGISTRY_ADDRESS` of a registry begins with that answers reports in XML. */
export const reportPrefix = 'report:';

/** The `REGISTRY_ADDRESS` of environments without a real registry. */
export const simulatedAddress = 'simulated';
