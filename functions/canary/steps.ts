import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { isDeepStrictEqual } from '../../shared/platform/data/json.ts';
import { type Caller, CallFailure, type CanaryCredentials } from './caller.ts';

/** What the canary does of what its callers do, in this order; each step needs those before it. */
export const stepNames = ['credentials', 'token', 'list', 'read', 'write', 'repeat', 'webhook'] as const;

export type StepName = (typeof stepNames)[number];

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

export interface Session {
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
export async function readAssociation({ call, token, credentials }: Session): Promise<Found<void>> {
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
export async function writeAssociation(session: Session): Promise<Found<Written>> {
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
export async function repeatWrite(session: Session, first: Written): Promise<Found<void>> {
  const reply = await put(session, first.externalId, first.idempotencyKey);
  if (reply.headers.get('idempotency-replayed') !== 'true') {
    throw new CallFailure('The write was done again: the response is not marked as a replay.', reply);
  }
  if (!isDeepStrictEqual(reply.data, first.data)) {
    throw new CallFailure('The repeated write got another response.', reply);
  }
  return { status: reply.status, value: undefined };
}
