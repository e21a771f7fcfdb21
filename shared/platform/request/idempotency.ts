// Idempotency of writes (OpenAPI, "Idempotency"): an answer is remembered, encrypted, and replayed.

import { hkdfSync, randomUUID } from 'node:crypto';
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
import { KB } from '../aws/limits.ts';
import { ApiError } from '../contract/errors.ts';
import { seal, unseal } from '../crypto/seal.ts';
import { absentOr, below } from '../data/expressions.ts';
import { storedItem } from '../data/stored.ts';
import { largestItem, type Table, tableOf } from '../data/table.ts';
import { idempotencyTable } from '../data/table-design.ts';
import type { TransactionItem } from '../data/transact.ts';
import type { AnswerObjects } from './answer-objects.ts';

/** Request that a key is bound to: the same key means the same request only within one scope. */
interface IdempotentRequest {
  readonly key: string;
  /** Organization, credential, method, path template and the ids in the path. */
  readonly scope: readonly string[];
  /** The parsed query and body; others under the same key are refused. */
  readonly body: unknown;
}

/** A record of a key. */
const storedRecord = storedItem('idempotency/record', {
  status: z.enum(['INPROGRESS', 'COMPLETED']),
  /** Lease of the execution that began the request. */
  lease: z.string(),
  /** Hash by which requests are compared. */
  validation: z.string(),
  /** Unix seconds from which DynamoDB may delete it. */
  expiration: z.int(),
  /** Unix milliseconds until which no other execution may begin under the key: the end of the lease, then of the record. */
  takenUntil: z.int(),
  /** The answer, compressed and encrypted, */
  sealed: z.optional(z.instanceof(Uint8Array)),
  /** or the object that has it. */
  objectKey: z.optional(z.string()),
});

/** The status and body of a write's response, as they are remembered. */
const rememberedAnswer = z.object({ status: z.int(), body: z.string() });

type RememberedAnswer = z.output<typeof rememberedAnswer>;

/** A write that is executed at most once per key. */
interface IdempotentWrite<Data> {
  /**
   * Does the work. It should put `recordResponse(data)` into its transaction, so that no crash can separate the work
   * from the record of its response; a response that is in no transaction is recorded after the work.
   */
  readonly operate: (recordResponse: (data: Data) => readonly TransactionItem[]) => Promise<Data>;
  /** The response that carries the operation's data. */
  readonly respond: (data: Data) => RememberedAnswer;
}

/** Executes writes at most once per key (OpenAPI, "Idempotency"). */
export interface Idempotency {
  /**
   * @throws ApiError `conflict` while an equal request runs, `unprocessable_entity` for another body; what the write throws,
   *   which is not remembered.
   */
  once<Data>(
    request: IdempotentRequest,
    context: Context,
    write: IdempotentWrite<Data>,
  ): Promise<RememberedAnswer & { readonly isReplayed: boolean }>;
}

const windowSeconds = 60 * 60;

/**
 * Time for which an execution that died keeps its key busy: the gateway waits no longer than this for a write, although the
 * function of a group with long lists may run for minutes.
 */
export const longestLeaseMs = 30_000;

/** Bytes of an answer in a record, whose other attributes need a few hundred more. */
const longestInRecord = largestItem - 20 * KB;

const busy = () =>
  new ApiError('conflict', {
    message: 'A request with this idempotency key is still being processed.',
    retryAfterSeconds: 1,
  });

/**
 * The record of one request's key, as a store of one's own for Powertools
 * (https://docs.aws.amazon.com/powertools/typescript/latest/features/idempotency/#bring-your-own-persistent-store). The operation's
 * own transaction may complete it, and each execution has a lease, which every write requires: one whose lease was taken over
 * neither does its work nor overwrites what another one remembers.
 */
class KeyRecord extends BasePersistenceLayer {
  readonly #table: Table;
  readonly #objects: AnswerObjects;
  readonly #answerKey: Uint8Array;
  readonly #own = { status: 'INPROGRESS', lease: randomUUID() };
  #id = '';
  #isCompleted = false;

  constructor(table: Table, objects: AnswerObjects, { key, scope }: IdempotentRequest) {
    super();
    this.#table = table;
    this.#objects = objects;
    // Only a caller with the same key, which is not stored, gets the answer back.
    const info = JSON.stringify(['insurance-compliance-api/idempotency', ...scope]);
    this.#answerKey = new Uint8Array(hkdfSync('sha256', key, '', info, 32));
  }

  /** The item that completes the record in the operation's transaction; `written` is called when it is written. */
  completion(answer: RememberedAnswer, written?: () => void): TransactionItem {
    const sealed = seal(this.#answerKey, gzipSync(JSON.stringify(answer)), this.#id);
    const expiration = Math.floor(Date.now() / 1_000) + windowSeconds;
    const completedState = { status: 'COMPLETED', expiration, takenUntil: expiration * 1_000 };
    // No other execution, nor another attempt, writes an object under it; what no record names expires.
    const objectKey = sealed.length > longestInRecord ? randomUUID() : undefined;
    const answerPlace = objectKey === undefined ? { sealed } : { objectKey };
    return {
      ...this.#table.items.update({ pk: this.#id }, { ...completedState, ...answerPlace }, this.#own, busy),
      ...(objectKey === undefined ? {} : { before: () => this.#objects.put(objectKey, sealed) }),
      written: () => {
        this.#isCompleted = true;
        written?.();
      },
    };
  }

  protected async _putRecord(record: IdempotencyRecord): Promise<void> {
    const { idempotencyKey: pk, payloadHash: validation, expiryTimestamp: expiration } = record;
    this.#id = pk;
    const { inProgressExpiryTimestamp: takenUntil } = record;
    const { isWritten, item } = await this.#table.change(
      storedRecord,
      { pk },
      { ...this.#own, validation, expiration, takenUntil, sealed: undefined, objectKey: undefined },
      { takenUntil: absentOr(below(Date.now())) },
    );
    // Not written, and its own: the SDK's first attempt succeeded but its response was lost.
    if (isWritten || item?.lease === this.#own.lease) return;
    throw new IdempotencyItemAlreadyExistsError();
  }

  protected async _getRecord(idempotencyKey: string): Promise<IdempotencyRecord> {
    const record = await this.#table.get(storedRecord, { pk: idempotencyKey });
    if (record === undefined) throw new IdempotencyInconsistentStateError('The write failed meanwhile.');
    const { objectKey } = record;
    const sealed = objectKey === undefined ? record.sealed : await this.#objects.get(objectKey);
    return new IdempotencyRecord({
      idempotencyKey,
      status: record.status,
      expiryTimestamp: record.expiration,
      inProgressExpiryTimestamp: record.takenUntil,
      payloadHash: record.validation,
      ...(sealed && { responseData: this.#opened(sealed, idempotencyKey) }),
    });
  }

  protected async _updateRecord({ responseData }: IdempotencyRecord): Promise<void> {
    if (this.#isCompleted) return;
    await this.#table.transact([this.completion(z.parse(rememberedAnswer, responseData))]);
  }

  /** Deletes the record, unless a transaction whose response was lost completed it or another execution took it over. */
  protected async _deleteRecord({ idempotencyKey: pk }: IdempotencyRecord): Promise<void> {
    await this.#table.delete({ pk }, this.#own);
  }

  #opened(sealed: Uint8Array, id: string): RememberedAnswer {
    const text = gunzipSync(unseal(this.#answerKey, sealed, id)).toString('utf8');
    return z.parse(rememberedAnswer, JSON.parse(text));
  }
}

export const createIdempotency = (
  client: DynamoDBClient,
  name: string,
  objects: AnswerObjects,
): Idempotency => ({
  async once<Data>(
    request: IdempotentRequest,
    context: Context,
    { operate, respond }: IdempotentWrite<Data>,
  ) {
    const record = new KeyRecord(tableOf(idempotencyTable, client, name), objects, request);
    const config = new IdempotencyConfig({
      eventKeyJmesPath: 'key',
      // With the key, so that the hash says nothing of the body to those who do not know it.
      payloadValidationJmesPath: '[key, body]',
      throwOnNoIdempotencyKey: true,
      expiresAfterSeconds: windowSeconds,
      hashFunction: 'sha256',
      lambdaContext: {
        ...context,
        // Powertools treats 0 as a missing context: it logs a warning and the lease never expires.
        getRemainingTimeInMillis: () =>
          Math.min(longestLeaseMs, Math.max(1, context.getRemainingTimeInMillis())),
      },
    });
    let isReplayed = true;
    const run = makeIdempotent(
      async (_payload: { readonly key: string[]; readonly body: string }): Promise<RememberedAnswer> => {
        isReplayed = false;
        let answer: RememberedAnswer | undefined;
        const data = await operate((recordedData) => {
          const response = respond(recordedData);
          // Only a transaction that was written has recorded it: an attempt that met a conflict is decided again.
          const item = record.completion(response, () => {
            answer = response;
          });
          return [item];
        });
        return answer ?? respond(data);
      },
      { persistenceStore: record, config, keyPrefix: 'write', dataIndexArgument: 0 },
    );
    try {
      // A parsed body has its keys in the schema's order, so equal bodies make equal strings.
      const body = JSON.stringify(request.body);
      return { ...(await run({ key: [request.key, ...request.scope], body })), isReplayed };
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
