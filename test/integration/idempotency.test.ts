import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { ApiError } from '#platform/contract/errors.ts';
import { routeGroup } from '#platform/contract/route.ts';
import { largestItem } from '#platform/data/table.ts';
import { idempotencyTable, organizationsTable, rateCountersTable } from '#platform/data/table-design.ts';
import { transact, VersionConflict } from '#platform/data/transact.ts';
import { createAnswerObjects } from '#platform/request/answer-objects.ts';
import { createIdempotency, type Idempotency } from '#platform/request/idempotency.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { createRateLimiter } from '#platform/request/rate-limit.ts';
import { keepObjectsInMemory } from '../support/answer-objects.ts';
import { apiEvent, carrier, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { everyItem } from '../support/every-item.ts';
import { withLostAnswer } from '../support/faults.ts';
import { storedTexts } from '../support/stored-texts.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

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

const answerObjects = createAnswerObjects(new S3Client({ region: 'us-east-1' }), 'files');

let counters: string;
let idempotencyName: string;
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

function api(counter: string, behaviour: Behaviour = {}) {
  const pipeline = createPipeline({
    ...testContext(),
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

const happened = async (counter: string): Promise<number> => {
  const { Item } = await dynamo.send(
    new GetItemCommand({ TableName: counters, Key: { pk: { S: counter } } }),
  );
  return Number(Item?.['happened']?.N ?? 0);
};

describe('idempotency', () => {
  it('answers, and records, what the attempt that ended says, not one that met another writer', async () => {
    const call = api(randomUUID(), { conflicts: true });
    const key = { 'idempotency-key': randomUUID() };
    for (const isReplayed of [false, true]) {
      const { status, json, headers } = await call(key);
      expect({ status, data: json['data'] }).toEqual({
        status: 201,
        data: { counted: 'of the second attempt' },
      });
      expect(headers['idempotency-replayed']).toBe(isReplayed ? 'true' : undefined);
    }
  });

  it('answers a repeated key with the original status and body, marked as replayed', async () => {
    const counter = randomUUID();
    const call = api(counter);
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await call(key);
    const second = await call(key);
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(second).toMatchObject({
      status: 201,
      json: first.json,
      headers: { 'idempotency-replayed': 'true' },
    });
    expect(await happened(counter)).toBe(1);
  });

  it('executes the request at once if the response to the beginning of its record is lost', async () => {
    const counter = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    const { status } = await withLostAnswer(() => api(counter)(key), 'UpdateItemCommand', idempotencyName);
    expect(status).toBe(201);
    expect(await happened(counter)).toBe(1);
    expect(await api(counter)(key)).toMatchObject({ headers: { 'idempotency-replayed': 'true' } });
  });

  it('reads the key from either header, quoted or not', async () => {
    const counter = randomUUID();
    const call = api(counter);
    const key = randomUUID();
    await call({ 'idempotency-key': `"${key}"` });
    await call({ 'X-Idempotency-Key': key.toUpperCase() });
    await call({ 'idempotency-key': key, 'x-idempotency-key': key });
    const repeated = { 'idempotency-key': [key, `"${key}"`], 'Idempotency-Key': key.toUpperCase() };
    expect(await call(repeated)).toMatchObject({ status: 201 });
    expect(await happened(counter)).toBe(1);
  });

  it.each([
    ['is not a UUID', { 'idempotency-key': 'seven' }, 'idempotency-key'],
    [
      'differs between the two headers',
      { 'idempotency-key': randomUUID(), 'x-idempotency-key': randomUUID() },
      'x-idempotency-key',
    ],
    [
      'is one of two in a header',
      { 'x-idempotency-key': `${randomUUID()},${randomUUID()}` },
      'x-idempotency-key',
    ],
    ...['idempotency-key', 'X-Idempotency-Key'].map((name): [string, Record<string, string[]>, string] => [
      `differs from another one in ${name}`,
      { [name]: [randomUUID(), randomUUID()] },
      name.toLowerCase(),
    ]),
  ])('rejects a key that %s', async (_, headers, path) => {
    const counter = randomUUID();
    const { status, json } = await api(counter)(headers);
    expect(status).toBe(400);
    expect(json).toMatchObject({ errorType: 'validation_error', details: { issues: [{ path }] } });
    expect(await happened(counter)).toBe(0);
  });

  it('keeps the key of one credential apart from the same key of another', async () => {
    const [counter, other] = [randomUUID(), randomUUID()];
    const key = { 'idempotency-key': randomUUID() };
    const first = await api(counter)(key);
    const second = await api(other)(key);
    expect(second.status).toBe(201);
    expect(second.headers).not.toHaveProperty('idempotency-replayed');
    expect(second.json).not.toEqual(first.json);
    expect(await happened(other)).toBe(1);
  });

  it('keeps a key of one resource apart from the same key of another', async () => {
    const counter = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    const first = await api(counter)(key);
    const second = await api(counter, { counterId: '65f0c1d2e3a4b5c6d7e8f902' })(key);
    expect(second.status).toBe(201);
    expect(second.headers).not.toHaveProperty('idempotency-replayed');
    expect(second.json).not.toEqual(first.json);
    expect(await happened(counter)).toBe(2);
  });

  it('rejects the same key with another body, whatever the order of its members', async () => {
    const counter = randomUUID();
    const call = api(counter);
    const key = { 'idempotency-key': randomUUID() };
    await call(key, { by: 1, note: 'a' });
    expect(await call(key, { note: 'a', by: 1 })).toMatchObject({ status: 201 });
    expect(await call(key, { by: 2 })).toMatchObject({
      status: 422,
      json: { errorType: 'unprocessable_entity' },
    });
    expect(await happened(counter)).toBe(1);
  });

  it('does not record a rejected request: a corrected one may use the same key', async () => {
    const counter = randomUUID();
    const call = api(counter);
    const key = { 'idempotency-key': randomUUID() };
    expect(await call(key, { by: -1 })).toMatchObject({ status: 409, json: { errorMessage: ['negative'] } });
    expect(await call(key, { by: 1 })).toMatchObject({ status: 201 });
  });

  /** A request that hangs where its execution begins, until `resume`. */
  async function stuck(counter: string, key: Record<string, string>, remainingMs: number) {
    let resume = () => {};
    const paused = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let answer: ReturnType<ReturnType<typeof api>> | undefined;
    await new Promise<void>((begun) => {
      const before = () => {
        begun();
        return paused;
      };
      answer = api(counter, { before, remainingMs })(key);
    });
    return { resume: () => resume(), answer };
  }

  /** Moves the clock of the locks forward. */
  function advanceClock(ms: number): void {
    const machine = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => machine() + ms);
  }

  afterEach(() => jest.restoreAllMocks());

  it('has one effect for 20 identical concurrent requests, and answers each with 201 or 409', async () => {
    const counter = randomUUID();
    const call = api(counter);
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(key)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(statuses).toContain(201);
    expect(await happened(counter)).toBe(1);
  });

  it('executes the request once if a crash follows, and answers the retry with the result', async () => {
    const counter = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    const crash = () => {
      throw new Error('the function died');
    };
    const crashed = await api(counter, { after: crash })(key);
    expect(crashed.status).toBe(500);
    const retried = await api(counter)(key);
    expect(retried).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    expect(await happened(counter)).toBe(1);
  });

  it('lets a retry execute the request if the crash came before it', async () => {
    const counter = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    await stuck(counter, key, 29_000);
    expect(await api(counter)(key)).toMatchObject({
      status: 409,
      headers: { 'retry-after': '1' },
      json: { errorType: 'conflict' },
    });
    advanceClock(29_001);
    expect(await api(counter)(key)).toMatchObject({ status: 201 });
    expect(await happened(counter)).toBe(1);
  });

  it('lets a retry execute the request at once if the function had no time left, and logs no warning', async () => {
    const counter = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    const warn = jest.spyOn(console, 'warn').mockImplementation();
    await stuck(counter, key, 0);
    advanceClock(2);
    expect(await api(counter)(key)).toMatchObject({ status: 201 });
    expect(warn).not.toHaveBeenCalled();
    expect(await happened(counter)).toBe(1);
  });

  it('locks a key for at most half a minute, however long its function may run', async () => {
    const counter = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    await stuck(counter, key, 300_000);
    advanceClock(29_000);
    expect((await api(counter)(key)).status).toBe(409);
    jest.restoreAllMocks();
    advanceClock(31_000);
    expect((await api(counter)(key)).status).toBe(201);
  });

  it('has one effect for requests of one millisecond, each of which is refused or replayed', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const counters = Array.from({ length: 5 }, () => randomUUID());
    for (const counter of counters) {
      const key = { 'idempotency-key': randomUUID() };
      const call = api(counter, { recordsLater: true });
      await Promise.all([call(key), call(key)]);
      expect(await happened(counter)).toBe(1);
    }
  });

  it('rejects the write of an execution whose lock expired', async () => {
    const counter = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    const { resume, answer: slow } = await stuck(counter, key, 29_000);
    advanceClock(29_001);
    const overtaker = await api(counter)(key);
    resume();
    expect(overtaker.status).toBe(201);
    expect((await slow)?.status).toBe(409);
    expect(await happened(counter)).toBe(1);
    expect(await api(counter)(key)).toMatchObject({ status: 201, json: overtaker.json });
  });

  it.each([
    ['in its transaction', false],
    ['after its transaction', true],
  ])('remembers an answer that does not fit an item, %s', async (_, recordsLater) => {
    const counter = randomUUID();
    const answer = randomBytes(largestItem).toString('base64');
    const call = api(counter, { answer, recordsLater });
    const key = { 'idempotency-key': randomUUID() };
    const first = await call(key);
    const second = await call(key);
    expect(first).toMatchObject({ status: 201, json: { data: { counted: answer } } });
    expect(second).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    expect(second.body).toBe(first.body);
    expect(await happened(counter)).toBe(1);
  });

  it('takes at most four database calls for a write: count, begin, write with the response', async () => {
    const { calls } = await databaseCalls(() => api(randomUUID())({ 'idempotency-key': randomUUID() }));
    expect(calls).toEqual(['UpdateItemCommand', 'UpdateItemCommand', 'TransactWriteItemsCommand']);
  });
});

describe('idempotency secrecy', () => {
  // What someone learns who can read the table of idempotency records.

  let table: string;
  let idempotency: Idempotency;

  beforeEach(async () => {
    table = await createTable(idempotencyTable);
    idempotency = createIdempotency(dynamo, table, answerObjects);
  });

  const scope = ['65f0c1d2e3a4b5c6d7e8f900', 'client_1', 'POST', '/v2/upstream/webhooks'];

  /** Executes a write under a key, and answers with `link`. */
  const write = (key: string, link: string, inTransaction = true) =>
    idempotency.once<{ readonly link: string }>(
      { key, scope, body: { email: 'maria@agency.com' } },
      lambdaContext,
      {
        operate: async (recordResponse) => {
          if (inTransaction) await transact(dynamo, [...recordResponse({ link })]);
          return { link };
        },
        respond: (data) => ({ status: 201, body: JSON.stringify(data) }),
      },
    );

  it.each([
    ['in the transaction', 'https://agencies.example.com/invitation?token=', true],
    ['after the write', 'https://agencies.example.com/invitation?token=', false],
  ])(
    'a record shows neither its key, nor the body, nor the response: recorded %s',
    async (_, prefix, inTransaction) => {
      const key = randomUUID();
      const link = `${prefix}${randomUUID()}`;
      const first = await write(key, link, inTransaction);
      const texts = (await everyItem(dynamo, table)).flatMap(storedTexts);
      expect(texts.length).toBeGreaterThan(0);
      const bodyHash = createHash('sha256').update('{"email":"maria@agency.com"}').digest('base64');
      for (const secret of [
        key,
        key.replaceAll('-', ''),
        link.slice(-36),
        link.slice(0, 30),
        'maria',
        bodyHash,
      ]) {
        expect(texts.filter((text) => text.includes(secret))).toEqual([]);
      }
      expect(await write(key, 'another')).toEqual({ ...first, isReplayed: true });
    },
  );

  it('equal responses of two keys look different', async () => {
    await write(randomUUID(), 'https://agencies.example.com');
    await write(randomUUID(), 'https://agencies.example.com');
    const [one, other] = await everyItem(dynamo, table);
    expect(one).toMatchObject({ sealed: expect.any(Uint8Array) });
    expect(one?.['sealed']).not.toEqual(other?.['sealed']);
    expect(one?.['validation']).not.toEqual(other?.['validation']);
  });
});
