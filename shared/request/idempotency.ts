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
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import { batchGet } from '../data/batch-get.ts';
import { toItem } from '../data/dynamo.ts';
import { parseStored } from '../data/stored.ts';
import { type TransactionItem, transact } from '../data/transact.ts';

/** The status and body that a write answered, as they are remembered. */
export interface RememberedAnswer {
  readonly status: number;
  readonly body: string;
}

/** What a key is bound to: the same key means the same request only within one scope. */
export interface IdempotentRequest {
  readonly key: string;
  /** Organization, credential, method and path. */
  readonly scope: readonly string[];
  /** The parsed body; another one under the same key is refused. */
  readonly body: unknown;
}

/**
 * Makes the steps that remember an answer inside the operation's own transaction, so that no crash can part the work
 * from the memory of it: one, and more for an answer that does not fit an item.
 */
export type Remember = (answer: RememberedAnswer) => readonly TransactionItem[];

/** Executes writes at most once per key (OpenAPI, "Idempotency"). */
export interface Idempotency {
  /**
   * @param work does the work; it should put `remember(answer)` into its transaction. An answer that was not put into
   *   one is remembered right after.
   * @throws ApiError `conflict` while an equal request runs, `unprocessable_entity` for another body; what `work` throws,
   *   which is not remembered.
   */
  once(
    request: IdempotentRequest,
    context: Context,
    work: (remember: Remember) => Promise<RememberedAnswer>,
  ): Promise<RememberedAnswer & { readonly replayed: boolean }>;
}

const windowSeconds = 60 * 60;

/**
 * How long an execution that was never heard of again keeps its key busy: the gateway waits for a write no longer, while
 * the function of a group with long lists may run for minutes.
 */
const longestLeaseMs = 30_000;

/** An item holds 400 KB; a record needs a few hundred bytes besides. */
const longestPiece = 380 * 1024;

/** The answer in a record: compressed, its first piece here and the others beside the record (`pieceId`). */
const memory = z.object({ status: z.int(), gzip: z.instanceof(Uint8Array), pieces: z.int() });

const piece = z.object({ id: z.string(), gzip: z.instanceof(Uint8Array) });

const pieceId = (recordId: string, number: number): string => `${recordId}#${number}`;

const busy = () =>
  new ApiError('conflict', { message: 'A request with this idempotency key is still running.' });

/** Names of a record's attributes, Powertools' own. */
const attributes = {
  keyAttr: 'id',
  statusAttr: 'status',
  expiryAttr: 'expiration',
  inProgressExpiryAttr: 'in_progress_expiration',
  dataAttr: 'data',
  validationKeyAttr: 'validation',
} as const;

/**
 * Powertools' records with one difference: the operation's transaction may complete the record itself. Every write
 * holds the lease of this execution (`in_progress_expiration`), so an execution that was overtaken can neither overwrite
 * nor delete what another one remembered.
 */
class LeasedRecords extends DynamoDBPersistenceLayer {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  #lease = 0;
  #answer: RememberedAnswer | undefined;
  #completed = false;

  constructor(client: DynamoDBClient, table: string) {
    super({ tableName: table, awsSdkV3Client: client, ...attributes });
    this.#client = client;
    this.#table = table;
  }

  /** The steps that complete the record within the operation's transaction. */
  completion(request: IdempotentRequest, answer: RememberedAnswer): TransactionItem[] {
    return this.#complete(this.getHashedIdempotencyKey(powertoolsPayload(request)), answer);
  }

  /** Says what was answered, and whether a transaction that held its completion went through. */
  answered(answer: RememberedAnswer, completed: boolean): void {
    this.#answer = answer;
    this.#completed = completed;
  }

  /** The answer that a completed record holds. */
  async recall(record: IdempotencyRecord): Promise<RememberedAnswer> {
    const { status, gzip, pieces } = parseStored(memory, record.getResponse());
    const ids = Array.from({ length: pieces - 1 }, (_, index) => pieceId(record.idempotencyKey, index + 1));
    const keys = ids.map((id) => ({ [attributes.keyAttr]: id }));
    const read = await batchGet(this.#client, this.#table, keys, { consistent: true });
    const byId = new Map(read.map((item) => parseStored(piece, item)).map((one) => [one.id, one.gzip]));
    const rest = ids.map((id) => {
      const found = byId.get(id);
      if (found === undefined) throw new Error(`The piece ${id} of a remembered answer is missing.`);
      return found;
    });
    return { status, body: gunzipSync(Buffer.concat([gzip, ...rest])).toString('utf8') };
  }

  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    // Powertools leaves it out when no time is left; such a record would keep its key busy for the whole window.
    record.inProgressExpiryTimestamp ??= Date.now();
    // A part of a millisecond of its own tells this execution's lease from those of others.
    record.inProgressExpiryTimestamp += Math.random();
    this.#lease = record.inProgressExpiryTimestamp;
    try {
      await super._putRecord(record);
    } catch (error) {
      if (!(error instanceof IdempotencyItemAlreadyExistsError)) throw error;
      // The answer of the first attempt was lost: the record that is in the way of the next one is its own.
      const { existingRecord } = error;
      if (
        existingRecord?.getStatus() !== 'INPROGRESS' ||
        existingRecord.inProgressExpiryTimestamp !== this.#lease
      ) {
        throw error;
      }
    }
  }

  protected override async _updateRecord(record: IdempotencyRecord): Promise<void> {
    if (this.#completed || this.#answer === undefined) return;
    await transact(this.#client, this.#complete(record.idempotencyKey, this.#answer));
  }

  protected override async _deleteRecord(record: IdempotencyRecord): Promise<void> {
    try {
      await this.#client.send(
        new DeleteItemCommand({
          TableName: this.#table,
          Key: toItem({ [attributes.keyAttr]: record.idempotencyKey }),
          ...this.#leaseCondition(),
        }),
      );
    } catch (error) {
      // Completed by a transaction whose answer was lost on the way, or taken over: either way not ours to forget.
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  #leaseCondition() {
    return {
      ConditionExpression: '#status = :running AND #lease = :lease',
      ExpressionAttributeNames: {
        '#status': attributes.statusAttr,
        '#lease': attributes.inProgressExpiryAttr,
      },
      ExpressionAttributeValues: toItem({ ':running': 'INPROGRESS', ':lease': this.#lease }),
    };
  }

  #complete(id: string, answer: RememberedAnswer): TransactionItem[] {
    const gzip = gzipSync(answer.body);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < gzip.length; at += longestPiece) pieces.push(gzip.subarray(at, at + longestPiece));
    const [first, ...others] = pieces;
    const expiration = Math.floor(Date.now() / 1000) + windowSeconds;
    const condition = this.#leaseCondition();
    const completed: TransactionItem = {
      write: {
        Update: {
          TableName: this.#table,
          Key: toItem({ [attributes.keyAttr]: id }),
          UpdateExpression: 'SET #status = :completed, #data = :answer, #expiration = :expiration',
          ConditionExpression: condition.ConditionExpression,
          ExpressionAttributeNames: {
            ...condition.ExpressionAttributeNames,
            '#data': attributes.dataAttr,
            '#expiration': attributes.expiryAttr,
          },
          ExpressionAttributeValues: {
            ...condition.ExpressionAttributeValues,
            ...toItem({
              ':completed': 'COMPLETED',
              ':answer': { status: answer.status, gzip: first, pieces: pieces.length },
              ':expiration': expiration,
            }),
          },
        },
      },
      refused: busy,
    };
    // The record's condition guards its pieces: the transaction writes all of them or none.
    const beside = others.map((bytes, index): TransactionItem => {
      const item = { [attributes.keyAttr]: pieceId(id, index + 1), gzip: bytes };
      return {
        write: {
          Put: { TableName: this.#table, Item: toItem({ ...item, [attributes.expiryAttr]: expiration }) },
        },
        refused: busy,
      };
    });
    return [completed, ...beside];
  }
}

/** A parsed body has its keys in the schema's order, so equal bodies make equal strings. */
const powertoolsPayload = (request: IdempotentRequest) => ({
  key: [...request.scope, request.key],
  body: JSON.stringify(request.body ?? null),
});

export const createIdempotency = (client: DynamoDBClient, table: string): Idempotency => ({
  async once(request, context, work) {
    const records = new LeasedRecords(client, table);
    let earlier: IdempotencyRecord | undefined;
    let fresh: RememberedAnswer | undefined;
    const config = new IdempotencyConfig({
      eventKeyJmesPath: 'key',
      payloadValidationJmesPath: 'body',
      throwOnNoIdempotencyKey: true,
      expiresAfterSeconds: windowSeconds,
      hashFunction: 'sha256',
      lambdaContext: {
        ...context,
        getRemainingTimeInMillis: () => Math.min(longestLeaseMs, context.getRemainingTimeInMillis()),
      },
      responseHook: (answer, record) => {
        earlier = record;
        return answer;
      },
    });
    const run = makeIdempotent(
      async (_payload: ReturnType<typeof powertoolsPayload>) => {
        let inTransaction: RememberedAnswer | undefined;
        const answer = await work((promised) => {
          inTransaction = promised;
          return records.completion(request, promised);
        });
        records.answered(answer, inTransaction === answer);
        fresh = answer;
      },
      { persistenceStore: records, config, keyPrefix: 'write', dataIndexArgument: 0 },
    );
    try {
      await run(powertoolsPayload(request));
      if (earlier !== undefined) return { ...(await records.recall(earlier)), replayed: true };
      if (fresh === undefined) throw new Error('A write was neither done nor remembered.');
      return { ...fresh, replayed: false };
    } catch (error) {
      if (error instanceof IdempotencyValidationError) {
        throw new ApiError('unprocessable_entity', {
          message: 'This idempotency key was used with another body.',
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
