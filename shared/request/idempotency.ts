import { gunzipSync, gzipSync } from 'node:zlib';
import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyInconsistentStateError,
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
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import { toItem } from '../data/dynamo.ts';
import type { Step } from '../data/transact.ts';

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
 * Makes the step that remembers an answer inside the operation's own transaction, so that no crash can part the work
 * from the memory of it.
 */
export type Remember = (answer: RememberedAnswer) => Step;

/** Executes writes at most once per key (specification, "Limits", idempotency window). */
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

/** An item holds 400 KB; the rest of a record needs a few hundred bytes. */
const largestMemory = 390 * 1024;

const stored = z.object({ status: z.int(), gzip: z.instanceof(Uint8Array) });

function toStored(answer: RememberedAnswer): z.output<typeof stored> {
  const gzip = gzipSync(answer.body);
  if (gzip.length > largestMemory)
    throw new Error(`An answer of ${gzip.length} compressed bytes cannot be remembered.`);
  return { status: answer.status, gzip };
}

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
  #completed = false;

  constructor(client: DynamoDBClient, table: string) {
    super({ tableName: table, awsSdkV3Client: client, ...attributes });
    this.#client = client;
    this.#table = table;
  }

  /** The step that completes the record within the operation's transaction. */
  completion(request: IdempotentRequest, answer: RememberedAnswer): Step {
    return {
      write: {
        Update: this.#complete(this.getHashedIdempotencyKey(powertoolsPayload(request)), toStored(answer)),
      },
      refused: busy,
    };
  }

  /** Says that the transaction holding the completion went through. */
  confirmCompletion(): void {
    this.#completed = true;
  }

  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    this.#lease = record.inProgressExpiryTimestamp ?? 0;
    await super._putRecord(record);
  }

  protected override async _updateRecord(record: IdempotencyRecord): Promise<void> {
    if (this.#completed) return;
    await this.#client.send(
      new UpdateItemCommand(this.#complete(record.idempotencyKey, z.parse(stored, record.getResponse()))),
    );
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

  #complete(id: string, answer: z.output<typeof stored>) {
    const condition = this.#leaseCondition();
    return {
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
          ':answer': answer,
          ':expiration': Math.floor(Date.now() / 1000) + windowSeconds,
        }),
      },
    } satisfies UpdateItemCommandInput;
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
    let replayed = false;
    const config = new IdempotencyConfig({
      eventKeyJmesPath: 'key',
      payloadValidationJmesPath: 'body',
      throwOnNoIdempotencyKey: true,
      expiresAfterSeconds: windowSeconds,
      hashFunction: 'sha256',
      lambdaContext: context,
      responseHook: (answer) => {
        replayed = true;
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
        if (inTransaction === answer) records.confirmCompletion();
        return toStored(answer);
      },
      { persistenceStore: records, config, keyPrefix: 'write', dataIndexArgument: 0 },
    );
    try {
      const { status, gzip } = z.parse(stored, await run(powertoolsPayload(request)));
      return { status, body: gunzipSync(gzip).toString('utf8'), replayed };
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
