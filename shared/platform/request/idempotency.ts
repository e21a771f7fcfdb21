// Idempotency of writes (OpenAPI, "Idempotency"): a response is recorded, encrypted, and replayed.

import { createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyInconsistentStateError,
  IdempotencyItemAlreadyExistsError,
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { BasePersistenceLayer, IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { KB, MB } from '../aws/limits.ts';
import { ApiError, tooLarge } from '../contract/errors.ts';
import { nonceBytes, seal, unseal } from '../crypto/seal.ts';
import { absentOr, below } from '../data/expressions.ts';
import { parseStored, storedItem } from '../data/stored.ts';
import { largestItem, type Table, tableOf } from '../data/table.ts';
import { idempotencyTable } from '../data/table-design.ts';
import type { TransactionItem } from '../data/transact.ts';

/** What a key is bound to: the same key means the same request only within one scope. */
interface IdempotentRequest {
  readonly key: string;
  /** Organization, credential, method, path template and the ids in the path. */
  readonly scope: readonly string[];
  /** The parsed query and body; others under the same key are refused. */
  readonly body: unknown;
}

/** What is derived from the idempotency key of a request; the key itself is not stored. */
type IdempotencySecrets = ReturnType<typeof idempotencySecrets>;

/** Bytes of each derived key. */
const keyBytes = 32;

/**
 * Derives three independent keys from the idempotency key with HKDF (RFC 5869): one names the record, one authenticates the
 * body, and one encrypts the response. The scope is part of the derivation, so the same idempotency key of another
 * organization or for another resource leads to other keys.
 */
export function idempotencySecrets({ key, scope, body }: IdempotentRequest) {
  const info = JSON.stringify(['insurance-compliance-api/idempotency', ...scope]);
  const derived = Buffer.from(hkdfSync('sha256', key, '', info, 3 * keyBytes));
  const nameKey = derived.subarray(0, keyBytes);
  const bodyKey = derived.subarray(keyBytes, 2 * keyBytes);
  const responseKey = derived.subarray(2 * keyBytes);
  // A parsed body has its keys in the schema's order, so equal bodies make equal strings.
  const bodyText = JSON.stringify(body ?? null);
  return {
    /** What Powertools hashes to the record's id, and compares requests by: it reveals neither the key nor the body. */
    payload: {
      key: nameKey.toString('base64'),
      body: createHmac('sha256', bodyKey).update(bodyText).digest('base64'),
    },
    /** Compresses and encrypts (AES-256-GCM) a response for its record: only a caller with the same key gets it back. */
    seal: (response: string, recordId: string) => seal(responseKey, gzipSync(response), recordId),
    unseal: (sealed: Uint8Array, recordId: string) =>
      gunzipSync(unseal(responseKey, sealed, recordId)).toString('utf8'),
  };
}

/** The response in a record: encrypted, its first piece in the record and the others in separate items (`pieceKeys`). */
const storedResponse = storedItem('idempotency/response', () => ({
  status: z.int(),
  sealed: piece.shape.sealed,
  pieces: z.int(),
}));

/** A record, in terms of Powertools. */
const storedRecord = storedItem('idempotency/record', () => ({
  status: z.enum(['INPROGRESS', 'COMPLETED']),
  /** Of the execution that began it. */
  lease: z.string(),
  /** By which requests are compared. */
  validation: z.string(),
  /** Unix seconds from which DynamoDB may delete it. */
  expiration: z.int(),
  /** Unix milliseconds until which no other execution may begin under the key: the end of the lease, then of the record. */
  takenUntil: z.int(),
  data: z.optional(storedResponse),
}));

const piece = storedItem('idempotency/piece', () => ({ pk: z.string(), sealed: z.instanceof(Uint8Array) }));

/**
 * The keys of all pieces but the first, with which a nonce begins: so no other execution, nor another attempt, writes pieces under
 * them.
 */
const pieceKeys = (recordId: string, first: Uint8Array, pieces: number) => {
  const nonce = Buffer.from(first.subarray(0, nonceBytes)).toString('base64url');
  return Array.from({ length: pieces - 1 }, (_, index) => ({ pk: `${recordId}#${nonce}#${index + 1}` }));
};

/** The status and body of a write's response, as its idempotency record holds them. */
interface RecordedResponse {
  readonly status: number;
  readonly body: string;
}

/** A write that is executed at most once per key. */
interface IdempotentWrite<Data> {
  /**
   * Does the work. It should put `recordResponse(data)` into its transaction, so that no crash can separate the work
   * from the record of its response; a response that is in no transaction is recorded after the work.
   */
  readonly operate: (recordResponse: (data: Data) => readonly TransactionItem[]) => Promise<Data>;
  /** The response that carries the operation's data. */
  readonly respond: (data: Data) => RecordedResponse;
}

/** Executes writes at most once per key (OpenAPI, "Idempotency"). */
export interface Idempotency {
  /**
   * @throws ApiError `conflict` while an equal request runs, `unprocessable_entity` for another body, 413 for a response
   *   that can't be recorded; what the write throws, which is not recorded.
   */
  once<Data>(
    request: IdempotentRequest,
    context: Context,
    write: IdempotentWrite<Data>,
  ): Promise<RecordedResponse & { readonly replayed: boolean }>;
}

const windowSeconds = 60 * 60;

/**
 * How long an execution that died keeps its key busy: the gateway waits no longer than this for a write, although the
 * function of a group with long lists may run for minutes.
 */
export const longestLeaseMs = 30_000;

/** Bytes of a response in one item; the record's other attributes need a few hundred more. */
const longestPiece = largestItem - 20 * KB;

/** Bytes of a response, compressed: a replay reads it whole. */
export const longestRecordedResponse = 16 * MB;

const busy = () =>
  new ApiError('conflict', {
    message: 'A request with this idempotency key is still being processed.',
    retryAfterSeconds: 1,
  });

/**
 * Powertools' records with two differences: the operation's own transaction may record the response; and each execution has
 * a lease, which every write requires, so an execution whose lease was taken over can neither overwrite nor delete what
 * another one recorded.
 *
 * This stands on protected methods of Powertools, as `test/unit/internals-of-packages.test.ts` says when an upgrade breaks it. A
 * persistence layer of theirs with leases and transactions would replace it, or some 40 lines in `createIdempotency`.
 */
class LeasedRecords extends BasePersistenceLayer {
  readonly #table: Table;
  readonly #secrets: IdempotencySecrets;
  readonly #lease = randomUUID();

  /** The response that no transaction of the operation records; Powertools then has it recorded after the work. */
  unrecorded: RecordedResponse | undefined;
  #earlier: z.output<typeof storedRecord> | undefined;

  constructor(table: Table, secrets: IdempotencySecrets) {
    super();
    this.#table = table;
    this.#secrets = secrets;
  }

  /** The item that records the response within the operation's transaction; `written` is called when it is written. */
  recordResponse(response: RecordedResponse, written: () => void): TransactionItem {
    const id = this.getHashedIdempotencyKey(this.#secrets.payload);
    return { ...this.#record(id, response), written };
  }

  /** The response that a completed record holds. */
  async recordedResponse({ idempotencyKey: id }: IdempotencyRecord): Promise<RecordedResponse> {
    const { status, sealed, pieces } = parseStored(storedResponse, this.#earlier?.data);
    const keys = pieceKeys(id, sealed, pieces);
    const read = new Map((await this.#table.getAll(piece, keys)).map((one) => [one.pk, one.sealed]));
    const rest = keys.map(({ pk }) => {
      const found = read.get(pk);
      if (found === undefined) throw new Error(`Part ${pk} of a stored response is missing.`);
      return found;
    });
    return { status, body: this.#secrets.unseal(Buffer.concat([sealed, ...rest]), id) };
  }

  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    const {
      idempotencyKey: pk,
      expiryTimestamp: expiration,
      inProgressExpiryTimestamp,
      payloadHash,
    } = record;
    const began = { status: 'INPROGRESS', lease: this.#lease, validation: payloadHash, data: undefined };
    const { isWritten, item } = await this.#table.change(
      storedRecord,
      { pk },
      { ...began, expiration, takenUntil: inProgressExpiryTimestamp },
      { takenUntil: absentOr(below(Date.now())) },
    );
    // Not written, and its own: the SDK's first attempt succeeded but its response was lost.
    if (isWritten || item?.lease === this.#lease) return;
    this.#earlier = item;
    const found =
      item &&
      new IdempotencyRecord({
        idempotencyKey: pk,
        status: item.status,
        expiryTimestamp: item.expiration,
        inProgressExpiryTimestamp: item.takenUntil,
        payloadHash: item.validation,
      });
    throw new IdempotencyItemAlreadyExistsError('The key has a record.', found);
  }

  /** Powertools reads only what `_putRecord` did not pass on with its error. */
  protected override _getRecord(): never {
    throw new Error('The error of a record that is there has no record.');
  }

  protected override async _updateRecord(record: IdempotencyRecord): Promise<void> {
    if (this.unrecorded === undefined) return;
    await this.#table.transact([this.#record(record.idempotencyKey, this.unrecorded)]);
  }

  /** What was completed by a transaction whose response was lost, or taken over, is not ours to delete. */
  protected override async _deleteRecord({ idempotencyKey: pk }: IdempotencyRecord): Promise<void> {
    await this.#table.delete({ pk }, this.#isOurs);
  }

  get #isOurs() {
    return { status: 'INPROGRESS', lease: this.#lease };
  }

  #record(id: string, response: RecordedResponse): TransactionItem {
    const sealed = this.#secrets.seal(response.body, id);
    if (sealed.length > longestRecordedResponse) {
      throw tooLarge('The response is too large to be recorded with an idempotency key.', {
        expected: `a response of at most ${longestRecordedResponse} bytes, compressed`,
        actual: 'a larger response',
        instead: 'Ask for less in one request, or send it without an idempotency key.',
      });
    }
    const [first = sealed, ...others] = Array.from(
      { length: Math.ceil(sealed.length / longestPiece) },
      (_, index) => sealed.subarray(index * longestPiece, (index + 1) * longestPiece),
    );
    const expiration = Math.floor(Date.now() / 1000) + windowSeconds;
    const data = { status: response.status, sealed: first, pieces: 1 + others.length };
    const completed = { status: 'COMPLETED', data, expiration, takenUntil: expiration * 1_000 };
    const pieces = pieceKeys(id, first, data.pieces).map((key, index) => ({
      ...key,
      sealed: others[index],
      expiration,
    }));
    const recorded = this.#table.items.update({ pk: id }, completed, this.#isOurs, busy);
    // Nothing refers to the pieces until the record does, and a transaction has no room for many.
    return pieces.length === 0 ? recorded : { ...recorded, before: () => this.#table.putAll(pieces) };
  }
}

export const createIdempotency = (client: DynamoDBClient, name: string): Idempotency => ({
  async once<Data>(
    request: IdempotentRequest,
    context: Context,
    { operate, respond }: IdempotentWrite<Data>,
  ) {
    const secrets = idempotencySecrets(request);
    const records = new LeasedRecords(tableOf(idempotencyTable, client, name), secrets);
    let earlier: IdempotencyRecord | undefined;
    let response: RecordedResponse | undefined;
    const config = new IdempotencyConfig({
      eventKeyJmesPath: 'key',
      payloadValidationJmesPath: 'body',
      throwOnNoIdempotencyKey: true,
      expiresAfterSeconds: windowSeconds,
      hashFunction: 'sha256',
      lambdaContext: {
        ...context,
        // Powertools treats 0 as a missing context: it logs a warning and the lease never expires.
        getRemainingTimeInMillis: () =>
          Math.min(longestLeaseMs, Math.max(1, context.getRemainingTimeInMillis())),
      },
      responseHook: (recorded, record) => {
        earlier = record;
        return recorded;
      },
    });
    const run = makeIdempotent(
      async (_payload: IdempotencySecrets['payload']) => {
        const data = await operate((recorded) => {
          const answered = respond(recorded);
          // Only a transaction that was written has recorded it: an attempt that met a conflict is decided again.
          const item = records.recordResponse(answered, () => {
            response = answered;
          });
          return [item];
        });
        if (response === undefined) {
          response = respond(data);
          records.unrecorded = response;
        }
      },
      { persistenceStore: records, config, keyPrefix: 'write', dataIndexArgument: 0 },
    );
    try {
      await run(secrets.payload);
      if (earlier !== undefined) return { ...(await records.recordedResponse(earlier)), replayed: true };
      if (response === undefined) throw new Error('A write was neither executed nor replayed.');
      return { ...response, replayed: false };
    } catch (error) {
      if (error instanceof IdempotencyValidationError) {
        throw new ApiError('unprocessable_entity', {
          message: 'This idempotency key was used with a different body.',
          cause: error,
        });
      }
      if (
        error instanceof IdempotencyAlreadyInProgressError ||
        error instanceof IdempotencyInconsistentStateError
      ) {
        throw busy();
      }
      if (error instanceof IdempotencyPersistenceLayerError && error.cause instanceof Error)
        throw error.cause;
      throw error;
    }
  },
});
