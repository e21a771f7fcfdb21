// Shared by the tests of idempotency: an operation whose executions are counted. Each file that imports it gets its own tables.

import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { ApiError } from '#platform/contract/errors.ts';
import { routeGroup } from '#platform/contract/route.ts';
import { idempotencyTable, organizationsTable, rateCountersTable } from '#platform/data/table-design.ts';
import { transact, VersionConflict } from '#platform/data/transact.ts';
import { createAnswerObjects } from '#platform/request/answer-objects.ts';
import { createIdempotency } from '#platform/request/idempotency.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { createRateLimiter } from '#platform/request/rate-limit.ts';
import { keepObjectsInMemory } from './answer-objects.ts';
import { apiEvent, carrier, lambdaContext } from './api-event.ts';
import { recordingLogger } from './recording-logger.ts';
import { createTable, dynamo } from './tables.ts';

/** A write that counts how often it was executed, in a table that stands for any record's. */
const group = routeGroup('counters', {
  count: {
    method: 'POST',
    path: '/v2/upstream/counters/{counterId}/counts',
    access: { kind: 'upstream', feature: null },
    body: z.strictObject({ by: z.int(), note: z.optional(z.string()) }),
    answer: { status: 201, one: z.object({ counted: z.string() }) },
  },
});

export const answerObjects = createAnswerObjects(new S3Client({ region: 'us-east-1' }), 'files');

let counters: string;
export let idempotencyName: string;
let rates: string;

beforeAll(async () => {
  keepObjectsInMemory();
  [counters, idempotencyName, rates] = await Promise.all([
    createTable(organizationsTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
});

interface Behaviour {
  /** The counter in the path. */
  readonly counterId?: string;
  /** Runs before the transaction. */
  readonly before?: () => Promise<void> | void;
  /** Runs right after the transaction. */
  readonly after?: () => Promise<void> | void;
  readonly remainingMs?: number;
  /** What is answered; a random text unless registered. */
  readonly answer?: string;
  /** Whether a transaction that would record an answer that nobody gets comes first, and meets another writer. */
  readonly conflicts?: boolean;
  /** Has the pipeline record the response instead of the transaction. */
  readonly recordsLater?: boolean;
}

export function api(counter: string, behaviour: Behaviour = {}) {
  const pipeline = createPipeline({
    environment: 'test',
    responseCheck: 'refuse',
    logger: recordingLogger(),
    now: () => new Date(),
    group,
    rateLimiter: createRateLimiter(dynamo, rates),
    idempotency: createIdempotency(dynamo, idempotencyName, answerObjects),
    operations: {
      count: async ({ body, recordResponse }) => {
        await behaviour.before?.();
        if (body.by < 0) throw new ApiError('conflict', { message: 'negative' });
        if (behaviour.conflicts === true) {
          const met = transact(dynamo, [
            {
              write: {
                Update: {
                  TableName: counters,
                  Key: { pk: { S: counter } },
                  UpdateExpression: 'ADD happened :one',
                  ConditionExpression: 'attribute_exists(never)',
                  ExpressionAttributeValues: { ':one': { N: '1' } },
                },
              },
              refused: () => new VersionConflict(),
            },
            ...recordResponse({ counted: 'of the first attempt' }),
          ]);
          await expect(met).rejects.toThrow(VersionConflict);
          // The second attempt finds nothing left to change.
          return { counted: 'of the second attempt' };
        }
        const data = { counted: behaviour.answer ?? randomUUID() };
        await transact(dynamo, [
          {
            write: {
              Update: {
                TableName: counters,
                Key: { pk: { S: counter } },
                UpdateExpression: 'ADD happened :one',
                ExpressionAttributeValues: { ':one': { N: '1' } },
              },
            },
            refused: () => new Error('unreachable'),
          },
          ...(behaviour.recordsLater === true ? [] : recordResponse(data)),
        ]);
        await behaviour.after?.();
        return data;
      },
    },
  });
  return async (headers: Record<string, string | string[]>, body: unknown = { by: 1 }) => {
    const event = apiEvent(group.routes.count, {
      identity: { ...carrier, credentialId: counter },
      params: { counterId: behaviour.counterId ?? '65f0c1d2e3a4b5c6d7e8f901' },
      headers,
      body,
      requestId: randomUUID(),
    });
    const context = { ...lambdaContext, getRemainingTimeInMillis: () => behaviour.remainingMs ?? 29_000 };
    const response = await pipeline(event, context);
    return { ...response, json: JSON.parse(String(response.body)) as Record<string, unknown> };
  };
}

export const happened = async (counter: string): Promise<number> => {
  const { Item } = await dynamo.send(
    new GetItemCommand({ TableName: counters, Key: { pk: { S: counter } } }),
  );
  return Number(Item?.['happened']?.N ?? 0);
};
