import { deepStrictEqual } from 'node:assert/strict';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { policyRoutes } from '../../functions/policies/routes.ts';
import { createPolicyStore, type PolicyStore } from '../../functions/policies/store.ts';
import { policiesTable } from '../../shared/domain/tables.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { apiEvent, type EventOptions, lambdaContext } from '../support/api-event.ts';
import { dynamo } from '../support/tables.ts';
import type { Contender } from './contenders/contender.ts';
import { hono } from './contenders/hono.ts';
import { ours } from './contenders/ours.ts';
import { powertools } from './contenders/powertools.ts';
import { every, inTurns } from './measuring.ts';
import { atMost, type Row } from './report.ts';
import { importCarrier, sale } from './sample-carrier.ts';

const transactionCount = 120;
const turns = 40;
const requestsATurn = 50;

/** The database's part, which costs nothing: a policy as it is after an import, with its transactions in memory. */
async function stubStore() {
  const lines = every(transactionCount, (index) => sale('GL-2026-1', { uniqueTransactionId: `T-${index}` }));
  const { tables, owner, identity } = await importCarrier(lines);
  const { transactions: transactionsOf, ...stored } = createPolicyStore(
    tableOf(policiesTable, dynamo, tables.policies),
  );
  const [policy] = await collect(stored.list(owner, {}));
  if (policy?.transactionCount !== transactionCount) throw new Error('Transactions are missing.');
  const transactions = await transactionsOf(owner, policy._id, 1, transactionCount);
  const store: PolicyStore = {
    ...stored,
    find: async (_, policyId) => (policyId === policy._id ? policy : undefined),
    transactions: async (_, __, first, count) => transactions.slice(first - 1, first - 1 + count),
  };
  return { policyId: policy._id, identity, store };
}

/** An event with the headers of an ordinary client, each of them and each parameter given twice as the gateway does. */
function gatewayEvent(
  given: EventOptions & { readonly query: Record<string, string> },
): APIGatewayProxyEvent {
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
    ...apiEvent(policyRoutes.routes.listPolicyTransactions, { ...given, headers }),
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: given.query,
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

/** Time of a warm request in the pipeline and in two routers that do the same work, taking turns. */
export async function measure(): Promise<Row[]> {
  const { policyId, identity, store } = await stubStore();
  const service = ours(store);
  const rows: Row[] = [];
  for (const { what, status, limit } of [
    { what: 'a page of 50 transactions', status: 200, limit: '50' },
    { what: 'a refused request', status: 400, limit: '101' },
  ]) {
    const event = gatewayEvent({ params: { policyId }, query: { limit }, identity });
    const answer = await answerOf(service, event);
    deepStrictEqual(answer.status, status);
    const batch = (contender: Contender) => async () => {
      for (let sent = 0; sent < requestsATurn; sent += 1) await contender.answer(event, lambdaContext);
    };
    for (const contender of [hono(store), powertools(store)]) {
      deepStrictEqual(await answerOf(contender, event), answer);
      const { own, other } = await inTurns(turns, batch(service), batch(contender));
      const microseconds = (time: number) => `${((time * 1_000) / requestsATurn).toFixed(0)} µs`;
      const compared = `${contender.name} ${microseconds(other)}`;
      rows.push(atMost(1, own / other, `warm request, ${what}`, microseconds(own), compared));
    }
  }
  return rows;
}
