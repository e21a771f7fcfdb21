import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { type Receipt, receipt } from '../../shared/domain/canary/receipt.ts';
import { isDeepStrictEqual, jsonText } from '../../shared/platform/data/json.ts';
import type { Log } from '../../shared/platform/log/log.ts';
import { type Caller, CallFailure, type CanaryCredentials } from './caller.ts';

/** How long the event of a write may take to its receiver; it usually takes seconds. */
export const longestWaitMs = 60_000;

/** Pauses before the first questions, and before each later one. */
const firstPausesMs = [500, 1_000, 2_000];
const laterPauseMs = 5_000;

/**
 * The status for calls beyond the few executions that the receiver has. Anybody can call its address, and take them all: that
 * says nothing of this service, whose attempt it was, and must not roll back a deployment.
 */
const receiverBusy = 429;

const deliveries = z.object({
  items: z.array(
    z.object({
      createdAt: z.iso.datetime(),
      attempts: z.array(
        z.object({
          statusCode: z.nullable(z.int()),
          error: z.nullable(z.string()),
          responseBody: z.nullable(z.string()),
        }),
      ),
    }),
  ),
});

const associationEvent = z.pipe(jsonText, z.object({ payload: z.object({ externalId: z.string() }) }));

interface Waiting extends Session {
  readonly now: () => Date;
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * Waits until the event of a write has reached the canary's receiver, and verifies its signature. The receiver's response
 * tells, which the API records with the attempt (OpenAPI, "listWebhookDeliveries").
 *
 * @throws CallFailure for a failed attempt, a wrong signature, or an event that does not arrive in time. An event whose attempts
 *   found the receiver busy is found with the status 429.
 */
async function awaitEvent(
  { call, token, credentials, now, pause }: Waiting,
  { externalId, updatedAt }: Written,
): Promise<Found<void>> {
  const { webhookId, webhookSecret } = credentials;
  const startedAt = now().getTime();
  let wasBusy = false;
  for (let asked = 0; now().getTime() - startedAt < longestWaitMs; asked += 1) {
    await pause(firstPausesMs[asked] ?? laterPauseMs);
    const path = `/v2/upstream/webhooks/${webhookId}/deliveries?limit=10`;
    const reply = await call('GET', path, { token });
    const { status } = reply;
    const attempts = dataOf(reply, deliveries)
      .items.filter(({ createdAt }) => new Date(createdAt) >= updatedAt)
      .flatMap((delivery) => delivery.attempts);
    const arrived = attempts.flatMap(receiptOf).find((one) => externalIdIn(one) === externalId);
    if (arrived !== undefined) {
      if (!isSigned(arrived, webhookSecret)) {
        throw new CallFailure('The event has arrived with a wrong signature.', { status });
      }
      return { status, value: undefined, ms: Math.max(0, arrived.receivedAt - updatedAt.getTime()) };
    }
    wasBusy = attempts.some(({ statusCode }) => statusCode === receiverBusy);
    const failed = attempts.find(({ statusCode }) => statusCode !== 200 && statusCode !== receiverBusy);
    if (failed !== undefined) {
      const how = failed.error ?? `status ${failed.statusCode}`;
      throw new CallFailure(`The attempt to deliver the event failed: ${how}.`, { status });
    }
  }
  if (wasBusy) return { status: receiverBusy, value: undefined };
  throw new CallFailure(`The event has not arrived within ${longestWaitMs / 1_000} seconds.`);
}

function receiptOf({ responseBody }: { readonly responseBody: string | null }): Receipt[] {
  const parsed = z.safeParse(z.pipe(jsonText, receipt), responseBody);
  return parsed.success ? [parsed.data] : [];
}

const externalIdIn = ({ body }: Receipt): string | undefined =>
  z.safeParse(associationEvent, body).data?.payload.externalId;

/** As an integrator verifies it (OpenAPI, "Webhooks"), and not with the code that signs, which could be wrong twice. */
function isSigned({ timestamp, body, signature }: Receipt, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The result of one step, as a caller experienced it. */
export interface StepResult {
  readonly step: StepName;
  readonly status?: number | undefined;
  /** Milliseconds until the response; of `webhook`, from the write until the event arrived. */
  readonly ms: number;
  /** Why it failed, without secrets; only of the last step. */
  readonly reason?: string;
  readonly requestId?: string | undefined;
}

/** What a run found. The steps after a failed one are not made. */
export interface CanaryResult {
  readonly passed: boolean;
  readonly steps: readonly StepResult[];
}

interface CheckDependencies {
  readonly call: Caller;
  readonly readCredentials: () => Promise<CanaryCredentials | undefined>;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly now: () => Date;
  readonly logger: Log;
}

/** Makes all steps, and logs what each felt like and how the run ended. Does not fail. */
export async function check(deps: CheckDependencies): Promise<CanaryResult> {
  const { call, now, pause, logger } = deps;
  const steps: StepResult[] = [];
  const began = performance.now();

  const feel = async <Value>(step: StepName, make: () => Promise<Found<Value>>): Promise<Value> => {
    const stepBegan = performance.now();
    const elapsed = () => Math.round(performance.now() - stepBegan);
    try {
      const { status, value, ms = elapsed() } = await make();
      steps.push({ step, status, ms });
      logger.info('A step of the canary succeeded.', { event: 'canary_step', step, status, ms });
      return value;
    } catch (error) {
      // An error of anything but the API has a text of its own, which may hold whatever it was about.
      const {
        message: reason,
        status,
        requestId,
      } = error instanceof CallFailure ? error : new CallFailure(nameOf(error));
      steps.push({ step, status, ms: elapsed(), reason, requestId });
      throw error;
    }
  };

  try {
    const credentials = await feel('credentials', () => ownCredentials(deps));
    const token = await feel('token', () => exchangeToken(call, credentials));
    const session = { call, token, credentials };
    await feel('list', () => listAssociations(session));
    await feel('read', () => readAssociation(session));
    const written = await feel('write', () => writeAssociation(session));
    await feel('repeat', () => repeatWrite(session, written));
    await feel('webhook', () => awaitEvent({ ...session, now, pause }, written));
  } catch (error) {
    const failed = steps.at(-1);
    // Until the first smoke test it has no credentials, and its alarm would roll the next deployment back.
    if (error instanceof NotSetUp) logger.warn(error.message, { event: 'canary_not_set_up' });
    else logger.error('The canary failed.', { event: 'canary_failed', ...failed });
    return { passed: false, steps };
  }
  const ms = Math.round(performance.now() - began);
  logger.info('The canary passed.', { event: 'canary_passed', ms });
  return { passed: true, steps };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

class NotSetUp extends CallFailure {
  constructor() {
    super('The secret has no credentials yet: "npm run smoke-test -- --environment <name>" makes them.');
  }
}

async function ownCredentials({ readCredentials }: CheckDependencies): Promise<Found<CanaryCredentials>> {
  const value = await readCredentials();
  if (value === undefined) throw new NotSetUp();
  return { value };
}

/** What the canary does of what its callers do, in this order; each step needs those before it. */
export const stepNames = ['credentials', 'token', 'list', 'read', 'write', 'repeat', 'webhook'] as const;

type StepName = (typeof stepNames)[number];

/** What a step found: the status of its last response, if it calls the API, and what later steps need. */
export interface Found<Value> {
  readonly status?: number;
  readonly value: Value;
  /** Milliseconds that the caller waited, if that is not how long the step took. */
  readonly ms?: number;
}

const associations = '/v2/upstream/downstream-entity-associations';

const named = z.object({ _id: z.string() });
const written = z.object({ _id: z.string(), externalId: z.string(), updatedAt: z.iso.datetime() });

/** @throws CallFailure when a response is not what the API promises. */
export function dataOf<Schema extends z.core.$ZodType>(
  { status, data }: { readonly status: number; readonly data: unknown },
  schema: Schema,
): z.output<Schema> {
  const parsed = z.safeParse(schema, data);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new CallFailure(`The response, ${status}, has other data than expected, at ${fields}.`, { status });
}

/** Exchanges the credentials for a token. */
export async function exchangeToken(
  call: Caller,
  { clientId, clientSecret }: Pick<CanaryCredentials, 'clientId' | 'clientSecret'>,
): Promise<Found<string>> {
  const reply = await call('POST', '/v2/auth/jwt', { body: { clientId, clientSecret } });
  return { status: reply.status, value: dataOf(reply, z.object({ accessToken: z.string() })).accessToken };
}

interface Session {
  readonly call: Caller;
  readonly token: string;
  readonly credentials: CanaryCredentials;
}

/** Lists the organization's associations, of which there is one. */
export async function listAssociations({ call, token, credentials }: Session): Promise<Found<void>> {
  const reply = await call('GET', associations, { token });
  const ids = dataOf(reply, z.array(named)).map(({ _id }) => _id);
  if (!isDeepStrictEqual(ids, [credentials.downstreamEntityAssociationId])) {
    throw new CallFailure(`The list has ${ids.length} records instead of the canary’s one.`, reply);
  }
  return { status: reply.status, value: undefined };
}

/** Reads the association. */
async function readAssociation({ call, token, credentials }: Session): Promise<Found<void>> {
  const id = credentials.downstreamEntityAssociationId;
  const reply = await call('GET', `${associations}/${id}`, { token });
  if (dataOf(reply, named)._id !== id) throw new CallFailure('The response has another record.', reply);
  return { status: reply.status, value: undefined };
}

/** A change of the association, and the response to it. */
export interface Written {
  readonly idempotencyKey: string;
  readonly data: unknown;
  readonly externalId: string;
  readonly updatedAt: Date;
}

const put = ({ call, token, credentials }: Session, externalId: string, idempotencyKey: string) =>
  call('PATCH', `${associations}/${credentials.downstreamEntityAssociationId}`, {
    token,
    idempotencyKey,
    body: { externalId },
  });

/**
 * Gives the association an `externalId` of this run, which changes the one record and emits an event about it. Runs at the
 * same time do not disturb each other: each waits for the event with its own value.
 */
async function writeAssociation(session: Session): Promise<Found<Written>> {
  const externalId = `canary-${randomUUID()}`;
  const idempotencyKey = randomUUID();
  const { status, data } = await put(session, externalId, idempotencyKey);
  const after = dataOf({ status, data }, written);
  if (after.externalId !== externalId) {
    throw new CallFailure('The response does not show what was written.', { status });
  }
  const updatedAt = new Date(after.updatedAt);
  return { status, value: { idempotencyKey, data, externalId, updatedAt } };
}

/** Repeats the write with its key: the response must be the recorded one. */
async function repeatWrite(session: Session, first: Written): Promise<Found<void>> {
  const reply = await put(session, first.externalId, first.idempotencyKey);
  if (reply.headers.get('idempotency-replayed') !== 'true') {
    throw new CallFailure('The write was done again: the response is not marked as a replay.', reply);
  }
  if (!isDeepStrictEqual(reply.data, first.data)) {
    throw new CallFailure('The repeated write got another response.', reply);
  }
  return { status: reply.status, value: undefined };
}
