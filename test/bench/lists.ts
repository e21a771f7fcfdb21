import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { complianceFunction } from '../../functions/compliance/function.ts';
import { tables as designs } from '../../shared/domain/tables.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { chunks, concurrently } from '../../shared/platform/data/concurrently.ts';
import { withoutLogger } from '../../shared/platform/data/dynamo.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import { writesOf } from '../../shared/platform/data/table.ts';
import { apiEvent, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { startEnvironment } from '../support/start-environment.ts';
import { accessKeyId, createTables, dynamo, dynamoSettings } from '../support/tables.ts';
import { type List, lists } from './listed.ts';
import { callsOf, every, milliseconds, scaled } from './measuring.ts';
import { atLeast, atMost, count, flat, type Row } from './report.ts';
import { agencyNpn, carrierLines, importCarrier, productId, sellerNpn, states } from './sample-carrier.ts';

/** Policies of three carriers, a hundred of each agency, which has twenty sellers. */
const [few, small, large] = [scaled(1_000), scaled(10_000), scaled(100_000)] as const;
const ofAgency = { policiesEach: 100, sellersEach: 20 } as const;
const agenciesOf = (policies: number): number => policies / ofAgency.policiesEach;
const holdersOf = (policies: number): number => agenciesOf(policies) * (1 + ofAgency.sellersEach);
const atOnce = 16;

const ownerOf = (policies: number): string => derivedObjectId('organization', String(policies));
/** The owner of one agency, of whose items all the others' are copies. */
const first = ownerOf(0);

type Names = Awaited<ReturnType<typeof filledTables>>;

/** Writes the items of the first agency again, as those of so many agencies of another owner: with other ids, numbers, and NPNs. */
async function copy(table: string, items: readonly string[], policies: number): Promise<void> {
  const owner = ownerOf(policies);
  const words = new RegExp(`\\b(?:[0-9a-f]{24}|${agencyNpn(0)}|${sellerNpn(0).slice(0, -2)}\\d\\d)\\b`, 'g');
  const copyOf = (word: string, agency: number): string => {
    if (word === first) return owner;
    if (word === productId(0)) return word;
    if (word === agencyNpn(0)) return agencyNpn(agency);
    return word.length === 8
      ? sellerNpn(agency * ofAgency.sellersEach + Number(word.slice(-2)))
      : derivedObjectId(owner, word, String(agency));
  };
  const { putAll } = writesOf(dynamo, table);
  await concurrently(
    every(agenciesOf(policies), Number),
    async (agency) => {
      const copies = items.map((item) => item.replaceAll(words, (word) => copyOf(word, agency)));
      // What is the owner's and no agency's is there for each of them.
      const own = new Map(copies.map((item) => [JSON.stringify(keyOf(JSON.parse(item))), item]));
      await putAll([...own.values()].map((item) => unmarshall(JSON.parse(item))));
    },
    4,
  );
}

const keyOf = ({ pk, sk }: { readonly pk: object; readonly sk: object }) => ({ pk, sk });

/** Tables with the carriers' policies. Of their indexes those that are read: the others would only take time to fill. */
async function filledTables() {
  const { agents, associations, compliance, policies, registryRecords } = designs;
  const { 'by-number': byNumber, 'by-agency': byAgency, 'by-sale': bySale } = policies.indexes;
  const filled = {
    agents: { ...agents, indexes: {} },
    associations: { ...associations, indexes: {} },
    compliance: { ...compliance, indexes: {} },
    policies: { ...policies, indexes: { 'by-number': byNumber, 'by-agency': byAgency, 'by-sale': bySale } },
    registryRecords: { ...registryRecords, indexes: {} },
  };
  const names = await createTables<keyof typeof designs>({ ...designs, ...filled });
  const { tables, owner } = await importCarrier(carrierLines({ products: 1, agencies: 1, ...ofAgency }));
  for (const name of Object.keys(filled) as (keyof typeof filled)[]) {
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: tables[name] }));
    const items = Items.filter(({ sk }) => !/^(?:license|appointment)#/.test(sk?.S ?? '')).map((item) =>
      JSON.stringify(item).replaceAll(owner, first),
    );
    for (const policies of [few, small, large]) await copy(names[name], items, policies);
  }
  return names;
}

/** What a list reads when this process makes it: its queries, the distinct items by table, and how many batches read some of a table. */
async function readsOf(names: Names, list: Exclude<List, 'policies'>) {
  const pipeline = complianceFunction.compose({
    dynamo,
    tables: names,
    context: testContext({ now: () => new Date() }),
    registry: { fetch: () => Promise.reject(new Error('No list asks the registry.')) },
    questionsADay: 0,
  });
  const identity = {
    organizationId: ownerOf(large),
    category: 'upstreamEntity',
    credentialId: 'bench',
  } as const;
  const calls = await callsOf(async () => {
    const { body } = await pipeline(apiEvent(lists[list].route, { identity }), lambdaContext);
    for await (const part of body) if (part === '') return;
  });
  const inputsOf = (name: string) => calls.flatMap((call) => (call.name === name ? [call.input] : []));
  const queries = inputsOf('QueryCommand') as QueryCommandInput[];
  const batches = inputsOf('BatchGetItemCommand').flatMap(
    ({ RequestItems = {} }: Partial<BatchGetItemCommandInput>) =>
      Object.entries(RequestItems).map(([table, { Keys = [] }]) => ({ table, keys: Keys })),
  );
  const keys = Array.from(
    Map.groupBy(batches, ({ table }) => table),
    ([table, some]) => ({
      table,
      batches: some.length,
      distinct: [
        ...new Map(some.flatMap((batch) => batch.keys).map((key) => [JSON.stringify(key), key])).values(),
      ],
    }),
  );
  return { queries, keys };
}

/** The seconds that bare reads of the same take, so many at once. */
async function readBare({ queries, keys }: Awaited<ReturnType<typeof readsOf>>): Promise<number> {
  // As the function, this client signs each request.
  const { signer: _signer, ...settings } = dynamoSettings();
  const client = new DynamoDBClient(settings);
  withoutLogger(client);
  const batches = keys.flatMap(({ table, distinct }) =>
    [...chunks(distinct, { count: batchGetKeys })].map((Keys) => ({ [table]: { Keys: [...Keys] } })),
  );
  const time = await milliseconds(() =>
    Promise.all([
      concurrently(queries, async (query) => void (await client.send(new QueryCommand(query))), 1),
      concurrently(
        batches,
        async (RequestItems) => {
          await client.send(new BatchGetItemCommand({ RequestItems }));
        },
        atOnce - 1,
      ),
    ]),
  );
  client.destroy();
  return time / 1_000;
}

async function request(port: number, path: string): Promise<IncomingMessage> {
  const asked = get({ port, path, agent: false, headers: { 'accept-encoding': 'gzip' } });
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (answer?.statusCode !== 200) throw new Error(`The answer is ${answer?.statusCode}.`);
  return answer;
}

/** Reads a list as a client would and makes sure that it is whole, by what stands once in each of its rows. */
async function read(port: number, list: List, policies: number) {
  const [mark, rows] =
    list === 'licenses'
      ? ['"licenseNumber":', holdersOf(policies) * states.length]
      : ['"policyNumber":', policies];
  const started = performance.now();
  const answer = await request(port, `/${ownerOf(policies)}`);
  let firstByteMs = Number.NaN;
  let found = 0;
  let rest = '';
  answer.once('data', () => {
    firstByteMs = performance.now() - started;
  });
  await pipeline(answer, createGunzip(), async (bytes: AsyncIterable<Buffer>) => {
    for await (const some of bytes) {
      const seen = rest + some.toString('latin1');
      found += seen.split(mark).length - 1;
      rest = seen.slice(-(mark.length - 1));
    }
  });
  if (found !== rows || !rest.endsWith('"}')) throw new Error(`${found} of ${rows} rows arrived.`);
  return { firstByteMs, seconds: (performance.now() - started) / 1_000 };
}

const memory = z.object({ resident: z.number(), held: z.number() });

/** A list read in a process of its own (`lists-server.ts`), warmed up by a short one: seconds, milliseconds until the first byte, and MiB. */
async function readAlone(names: Names, list: List, policies: number) {
  const variables = Object.entries(names).map(([name, table]) => [
    `${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}_TABLE`,
    table,
  ]);
  const server = fork(resolve('dist/bench/lists-server.mjs'), [list], {
    env: {
      ...process.env,
      ...startEnvironment(lists[list].function, 'dist/functions'),
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
  const work = async () => {
    const [message] = await once(server, 'message');
    const { port } = z.parse(z.object({ port: z.int() }), message);
    await read(port, list, small);
    const reading = await read(port, list, policies);
    return { ...reading, ...z.parse(memory, JSON.parse(await text(await request(port, '/memory')))) };
  };
  try {
    return await Promise.race([work(), ended]);
  } finally {
    if (server.connected) server.disconnect();
  }
}

/** Lists of three lengths: compared with bare reads, by the first byte, and in memory. */
export async function measure(): Promise<Row[]> {
  const names = await filledTables();
  const rows: Row[] = [];
  for (const list of ['policies', 'compliance', 'sales', 'licenses'] as const) {
    const ofFew = await readAlone(names, list, few);
    const ofSmall = await readAlone(names, list, small);
    const ofLarge = await readAlone(names, list, large);
    const what = `${list} of ${count(large)} policies and ${count(agenciesOf(large))} agencies with ${ofAgency.sellersEach} agents each`;
    if (list !== 'policies') {
      const reads = await readsOf(names, list);
      const bare = await readBare(reads);
      const [taken, compared] = [`${ofLarge.seconds.toFixed(1)} s`, `bare reads: ${bare.toFixed(1)} s`];
      rows.push(atLeast(0.6, bare / ofLarge.seconds, what, taken, compared));
      const held = reads.keys.find(({ table }) => table === names.registryRecords);
      const batches = (batchGetKeys * (held?.batches ?? 0)) / (held?.distinct.length ?? 0);
      const each = `${what}: batch reads for each hundred of what is held of holders`;
      rows.push(atMost(1.1, batches, each, batches.toFixed(2)));
    }
    const [begins, compared] = [ofLarge.firstByteMs, ofFew.firstByteMs];
    const [ofLong, ofShort] = [ofLarge, ofSmall].map((one) =>
      list === 'policies' ? one.resident : one.held,
    );
    const milliseconds = [`${begins.toFixed(0)} ms`, `of a hundredth: ${compared.toFixed(0)} ms`] as const;
    rows.push(
      atMost(2, begins / compared, `${what}: first byte`, ...milliseconds),
      flat(`${what}: memory`, ofLong ?? Number.NaN, ofShort ?? Number.NaN, 'of a tenth'),
    );
  }
  return rows;
}
