import { deepStrictEqual } from 'node:assert/strict';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { policyRoutes } from '../../functions/policies/routes.ts';
import type { PolicyStore } from '../../functions/policies/store.ts';
import { apiEvent, carrier, lambdaContext } from '../support/api-event.ts';
import type { Contender } from './contenders/contender.ts';
import { hono } from './contenders/hono.ts';
import { ours } from './contenders/ours.ts';
import { powertools } from './contenders/powertools.ts';
import { median, type Row } from './report.ts';
import { samplePolicy, samplePolicyTransaction } from './sample-policies.ts';

const transactionCount = 120;
const rounds = 40;
const batchMilliseconds = 20;

/** The database's part, which costs nothing: a policy with its transactions in memory. */
function stubStore(): PolicyStore {
  const policy = { ...samplePolicy(1), transactionCount };
  const transactions = Array.from({ length: transactionCount }, (_, index) =>
    samplePolicyTransaction(1, index),
  );
  return {
    async *list() {
      yield [policy];
    },
    async *itemsChangedSince() {
      yield [policy];
    },
    find: (_, policyId) => Promise.resolve(policyId === policy._id ? policy : undefined),
    findTransaction: (_, __, id) => Promise.resolve(transactions.find(({ _id }) => _id === id)),
    transactions: (_, __, first, count) => Promise.resolve(transactions.slice(first - 1, first - 1 + count)),
  };
}

const { listPolicyTransactions } = policyRoutes.routes;
const params = { policyId: samplePolicy(1)._id };

const requests = [
  {
    what: 'a page of 50 transactions',
    status: 200,
    event: gatewayEvent({ limit: '50' }),
  },
  { what: 'a refused request', status: 400, event: gatewayEvent({ limit: '101' }) },
];

/** An event with the headers of an ordinary client, each of them and each parameter given twice as the gateway does. */
function gatewayEvent(query: Record<string, string>): APIGatewayProxyEvent {
  const headers = {
    Accept: 'application/json',
    'Accept-Encoding': 'gzip, deflate, br',
    Authorization: `Bearer ${'x'.repeat(300)}`,
    Host: 'api.example.com',
    'User-Agent': 'carrier-integration/3.2',
    'X-Amzn-Trace-Id': 'Root=1-65f0c1d2-e3a4b5c6d7e8f9010a1b2c3d',
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
  };
  return {
    ...apiEvent(listPolicyTransactions, { params, query, headers, identity: carrier }),
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: query,
  };
}

const headerValues = z.record(z.string(), z.unknown());
const answerShape = z.object({
  status: z.optional(z.int()),
  statusCode: z.optional(z.int()),
  headers: z.optional(headerValues),
  multiValueHeaders: z.optional(headerValues),
  body: z.string(),
});

/** What a caller gets, whatever form the router gives it; the time is left out. */
async function answerOf(contender: Contender, event: APIGatewayProxyEvent) {
  const answer = z.parse(answerShape, await contender.answer(event, lambdaContext));
  const headers = { ...answer.headers, ...answer.multiValueHeaders };
  return {
    status: answer.status ?? answer.statusCode,
    headers: Object.entries(headers)
      .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
      .sort(),
    body: { ...z.parse(z.looseObject({}), JSON.parse(answer.body)), timestamp: undefined },
  };
}

/** @throws AssertionError when the contenders do not do the same work. */
async function checkAlike(contenders: readonly Contender[]): Promise<void> {
  for (const { event, status } of requests) {
    const [first, ...others] = await Promise.all(contenders.map((contender) => answerOf(contender, event)));
    deepStrictEqual(first?.status, status);
    for (const other of others) deepStrictEqual(other, first);
  }
}

async function microseconds(
  contender: Contender,
  event: APIGatewayProxyEvent,
  times: number,
): Promise<number> {
  const started = performance.now();
  for (let time = 0; time < times; time += 1) await contender.answer(event, lambdaContext);
  return ((performance.now() - started) * 1_000) / times;
}

/** Time of a warm request in the pipeline and in two routers that do the same work, taking turns. */
export async function measure(): Promise<Row[]> {
  const store = stubStore();
  const service = ours(store);
  const others = [hono(store), powertools(store)];
  const contenders = [service, ...others];
  await checkAlike(contenders);

  const rows: Row[] = [];
  for (const { what, event } of requests) {
    const runs = [];
    for (const contender of contenders) {
      // Warm first, then batches so long that the clock does not matter.
      await microseconds(contender, event, 1_000);
      const times = Math.ceil((batchMilliseconds * 1_000) / (await microseconds(contender, event, 500)));
      runs.push({ contender, times, samples: [] as number[] });
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const { contender, times, samples } of runs)
        samples.push(await microseconds(contender, event, times));
    }
    const [own, ...theirs] = runs.map(({ contender, samples }) => ({
      name: contender.name,
      time: median(samples),
    }));
    if (own === undefined) throw new Error('Nothing was measured.');
    for (const { name, time } of theirs) {
      rows.push({
        what: `warm request, ${what}`,
        measured: `${own.time.toFixed(0)} µs`,
        comparedWith: `${name} ${time.toFixed(0)} µs`,
        ratio: own.time / time,
        budget: 'below 1',
        isWithin: own.time < time,
      });
    }
  }
  return rows;
}
