import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { policyKeys, policyPartitions, statusSort } from '../../shared/domain/policies/keys.ts';
import { policiesTable } from '../../shared/domain/table-designs.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import { startEnvironment } from '../support/start-environment.ts';
import { accessKeyId, createTable, dynamo } from '../support/tables.ts';
import { atMost, count, flat, median, type Row } from './report.ts';
import { samplePolicy } from './sample-policies.ts';

const [small, middle, large] = [1_000, 10_000, 100_000] as const;
const latestFirstByte = 2;
const rounds = 2;

/** The organization that owns so many policies. */
export const ownerOf = (policies: number): string => derivedObjectId('organization', String(policies));

/** A policy's item as the import leaves it. */
function policyItem(owner: string, index: number) {
  const policy = samplePolicy(index);
  return toItem({
    ...policyKeys.policy(owner, policy._id),
    ...policy,
    listKey: policyPartitions.all(owner),
    statusKey: policyPartitions.ofStatus(owner, policy.currentStatus),
    statusSort: statusSort(policy.riskStateCode, policy.policyNumber),
    stateKey: policyPartitions.ofState(owner, policy.riskStateCode),
    isDeleted: false,
    version: policy.transactionCount,
    newestTransactionId: derivedObjectId('transaction', String(index)),
  });
}

async function fill(table: string, owner: string, policies: number): Promise<void> {
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < policies) {
      const first = next;
      next += 25;
      const batch = Array.from({ length: Math.min(25, policies - first) }, (_, offset) => ({
        PutRequest: { Item: policyItem(owner, first + offset) },
      }));
      const { UnprocessedItems } = await dynamo.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: batch } }),
      );
      if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('The engine left items unwritten.');
    }
  };
  await Promise.all(Array.from({ length: 4 }, write));
}

interface Reading {
  readonly firstByteMs: number;
  readonly totalMs: number;
}

async function request(port: number, path: string, encoding: string): Promise<IncomingMessage> {
  const asked = get({ port, path, agent: false, headers: { 'accept-encoding': encoding } });
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (answer?.statusCode !== 200) throw new Error(`The answer is ${answer?.statusCode}.`);
  return answer;
}

/** What a process used at most, in MiB; see `policies-server.ts`. */
export const memoryOf = async (port: number) =>
  z.parse(
    z.object({ resident: z.number(), held: z.number() }),
    JSON.parse(await text(await request(port, '/memory', 'identity'))),
  );

/** Reads a list as a client would and makes sure that it is whole. */
export async function read(
  port: number,
  policies: number,
  encoding: string,
  { mark, rows } = { mark: '"policyNumber":', rows: policies },
): Promise<Reading> {
  const started = performance.now();
  const answer = await request(port, `/${ownerOf(policies)}`, encoding);
  let firstByteMs: number | undefined;
  let found = 0;
  let rest = '';
  const arrived = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      firstByteMs ??= performance.now() - started;
      yield chunk;
    }
  };
  const countPolicies = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      const seen = rest + chunk.toString('latin1');
      found += seen.split(mark).length - 1;
      rest = seen.slice(-(mark.length - 1));
    }
  };
  if (encoding === 'gzip') await pipeline(answer, arrived, createGunzip(), countPolicies);
  else await pipeline(answer, arrived, countPolicies);
  if (found !== rows || !rest.endsWith('"}')) throw new Error(`${found} of ${rows} rows arrived.`);
  return { firstByteMs: firstByteMs ?? Number.NaN, totalMs: performance.now() - started };
}

/** The server of a list (`policies-server.ts`) in a process of its own, once it listens, for some work. */
export async function withServer<Result>(
  list: 'policies' | 'compliance' | 'sales' | 'licenses',
  tables: Readonly<Record<string, string>>,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  const variables = Object.entries(tables).map(([name, table]) => [
    `${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}_TABLE`,
    table,
  ]);
  const server = fork(resolve('dist/bench/policies-server.mjs'), [list], {
    env: {
      ...process.env,
      ...startEnvironment(list === 'policies' ? 'policies' : 'compliance', 'dist/functions'),
      AWS_ENDPOINT_URL_DYNAMODB: process.env['TEST_DYNAMODB_ENDPOINT'],
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: 'bench',
      ...Object.fromEntries(variables),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`The server of the list ended with code ${code}.`);
  });
  try {
    const [message] = await Promise.race([once(server, 'message'), ended]);
    const { port } = z.parse(z.object({ port: z.int() }), message);
    return await Promise.race([work(port), ended]);
  } finally {
    if (server.connected) server.disconnect();
  }
}

/** One list read in a process of its own, warmed up by short lists: `peakMiB` is the most memory it ever held. */
const readAlone = (policies: string, length: number, encoding: string) =>
  withServer('policies', { policies }, async (port) => {
    for (let warmUp = 0; warmUp < 5; warmUp += 1) await read(port, small, encoding);
    const { firstByteMs } = await read(port, length, encoding);
    const { resident: peakMiB } = await memoryOf(port);
    return { firstByteMs, peakMiB };
  });

type Alone = Awaited<ReturnType<typeof readAlone>>;

const middleOf = (readings: readonly Alone[]): Alone => ({
  firstByteMs: median(readings.map(({ firstByteMs }) => firstByteMs)),
  peakMiB: median(readings.map(({ peakMiB }) => peakMiB)),
});

/** Lists of three lengths, taking turns. */
export async function measure(): Promise<Row[]> {
  // The index that the list reads is the only one, so that filling takes half the time.
  const table = await createTable({
    ...policiesTable,
    indexes: { 'by-number': policiesTable.indexes['by-number'] },
  });
  for (const policies of [small, middle, large]) await fill(table, ownerOf(policies), policies);
  const readings = new Map<number, Alone[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const length of [small, middle, large])
      readings.set(length, [...(readings.get(length) ?? []), await readAlone(table, length, 'gzip')]);
  const of = (length: number) => middleOf(readings.get(length) ?? []);
  const [first, compared] = [of(large).firstByteMs, of(small).firstByteMs];
  return [
    atMost(
      latestFirstByte,
      first / compared,
      `first byte of ${count(large)} policies`,
      `${first.toFixed(0)} ms`,
      `of ${count(small)}: ${compared.toFixed(0)} ms`,
    ),
    flat(
      `peak resident memory with ${count(large)} policies`,
      of(large).peakMiB,
      of(middle).peakMiB,
      `with ${count(middle)}`,
    ),
  ];
}
