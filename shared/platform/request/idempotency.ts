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
import { itemBytes, KB } from '../aws/limits.ts';
import { ApiError } from '../contract/errors.ts';
import { batchGet } from '../data/batch-get.ts';
import { toItem } from '../data/dynamo.ts';
import { parseStored } from '../data/stored.ts';
import { type TransactionItem, transact } from '../data/transact.ts';
import { attributes, piece, pieceId, storedResponse } from './idempotency-items.ts';
import {
  type IdempotencySecrets,
  type IdempotentRequest,
  idempotencySecrets,
} from './idempotency-secrets.ts';

/** The status and body of a write's response, as its idempotency record holds them. */
export interface RecordedResponse {
  readonly status: number;
  readonly body: string;
}

/** A write that is executed at most once per key. */
export interface IdempotentWrite<Data> {
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
   * @throws ApiError `conflict` while an equal request runs, `unprocessable_entity` for another body; what the write
   *   throws, which is not recorded.
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
const longestLeaseMs = 30_000;

/** Bytes of a response in one item; the record's other attributes need a few hundred more. */
const longestPiece = itemBytes - 20 * KB;

const busy = () =>
  new ApiError('conflict', {
    message: 'A request with this idempotency key is still being processed.',
    retryAfterSeconds: 1,
  });

/**
 * Powertools' records with one difference: the operation's own transaction may record the response. Every write requires
 * the lease of this execution (`in_progress_expiration`), so an execution whose lease was taken over can neither overwrite
 * nor delete what another one recorded.
 */
class LeasedRecords extends DynamoDBPersistenceLayer {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #secrets: IdempotencySecrets;
  #lease = 0;

  /** The response that no transaction of the operation records; Powertools then has it recorded after the work. */
  unrecorded: RecordedResponse | undefined;

  constructor(client: DynamoDBClient, table: string, secrets: IdempotencySecrets) {
    super({ tableName: table, awsSdkV3Client: client, ...attributes });
    this.#client = client;
    this.#table = table;
    this.#secrets = secrets;
  }

  /** The items that record the response within the operation's transaction; `written` is called when they are written. */
  recordResponse(response: RecordedResponse, written: () => void): TransactionItem[] {
    const id = this.getHashedIdempotencyKey(this.#secrets.payload);
    return this.#record(id, response).map((item, index) => (index === 0 ? { ...item, written } : item));
  }

  /** The response that a completed record holds. */
  async recordedResponse(record: IdempotencyRecord): Promise<RecordedResponse> {
    const { status, sealed, pieces } = parseStored(storedResponse, record.getResponse());
    const ids = Array.from({ length: pieces - 1 }, (_, index) => pieceId(record.idempotencyKey, index + 1));
    const keys = ids.map((id) => ({ [attributes.keyAttr]: id }));
    const read = await batchGet(this.#client, this.#table, keys, { consistent: true });
    const byId = new Map(read.map((item) => parseStored(piece, item)).map((one) => [one.id, one.sealed]));
    const rest = ids.map((id) => {
      const found = byId.get(id);
      if (found === undefined) throw new Error(`Part ${id} of a stored response is missing.`);
      return found;
    });
    return { status, body: this.#secrets.unseal(Buffer.concat([sealed, ...rest]), record.idempotencyKey) };
  }

  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    if (record.inProgressExpiryTimestamp === undefined) throw new Error('The record has no lease.');
    // A random fraction of a millisecond distinguishes this execution's lease from those of others.
    record.inProgressExpiryTimestamp += Math.random();
    this.#lease = record.inProgressExpiryTimestamp;
    try {
      await super._putRecord(record);
    } catch (error) {
      if (!(error instanceof IdempotencyItemAlreadyExistsError)) throw error;
      // The SDK's first attempt succeeded but its response was lost: the record that the retry met is its own.
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
    if (this.unrecorded === undefined) return;
    await transact(this.#client, this.#record(record.idempotencyKey, this.unrecorded));
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
      // Completed by a transaction whose response was lost, or taken over: either way not ours to delete.
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

  #record(id: string, response: RecordedResponse): TransactionItem[] {
    const sealed = this.#secrets.seal(response.body, id);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < sealed.length; at += longestPiece)
      pieces.push(sealed.subarray(at, at + longestPiece));
    const [first, ...others] = pieces;
    const expiration = Math.floor(Date.now() / 1000) + windowSeconds;
    const condition = this.#leaseCondition();
    const completed: TransactionItem = {
      write: {
        Update: {
          TableName: this.#table,
          Key: toItem({ [attributes.keyAttr]: id }),
          UpdateExpression: 'SET #status = :completed, #data = :response, #expiration = :expiration',
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
              ':response': { status: response.status, sealed: first, pieces: pieces.length },
              ':expiration': expiration,
            }),
          },
        },
      },
      refused: busy,
    };
    // The record's condition guards its pieces: the transaction writes all of them or none.
    const otherPieces = others.map((bytes, index): TransactionItem => {
      const item = { [attributes.keyAttr]: pieceId(id, index + 1), sealed: bytes };
      return {
        write: {
          Put: { TableName: this.#table, Item: toItem({ ...item, [attributes.expiryAttr]: expiration }) },
        },
        refused: busy,
      };
    });
    return [completed, ...otherPieces];
  }
}

export const createIdempotency = (client: DynamoDBClient, table: string): Idempotency => ({
  async once<Data>(
    request: IdempotentRequest,
    context: Context,
    { operate, respond }: IdempotentWrite<Data>,
  ) {
    const secrets = idempotencySecrets(request);
    const records = new LeasedRecords(client, table, secrets);
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
          return records.recordResponse(answered, () => {
            response = answered;
          });
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
