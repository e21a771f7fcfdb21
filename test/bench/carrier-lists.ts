import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { evidenceKey } from '../../shared/domain/associations/match-evidence.ts';
import {
  newSubscription,
  registryKeys,
  subscriptionItem,
} from '../../shared/domain/registry-records/stored.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { tables as designs } from '../../shared/domain/tables.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { queryOf, queryPages } from '../../shared/platform/data/query-pages.ts';
import { writesOf } from '../../shared/platform/data/table.ts';
import { createTables, dynamo } from '../support/tables.ts';
import { memoryOf, ownerOf, read, withServer } from './policies-list.ts';
import { agentItem, agentNpn, agentOf, itemsOfHolder, keysOfHolder, signingClient } from './policy-book.ts';
import { atLeast, atMost, count, flat, type Row } from './report.ts';

const [few, small, large] = [200, 2_000, 20_000] as const;
const licensesOfHolder = 2;
const atOnce = 16;
const lowestRate = 0.6;
const latestFirstByte = 2;

type Names = Readonly<Record<'agents' | 'associations' | 'organizations' | 'registryRecords', string>>;

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);

async function fill(names: Names, owner: string, holders: number): Promise<void> {
  const dataOwner = { dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' } as const;
  const now = new Date();
  await concurrently(chunks(numbers(holders), { count: 100 }), 4, async (some) => {
    const npns = some.map(agentNpn);
    await writesOf(dynamo, names.agents).putAll(
      some.flatMap((agent) => [
        agentItem(owner, agent),
        { ...agentKeys.npn(owner, agentNpn(agent)), agentId: agentOf(owner, agent) },
      ]),
    );
    await writesOf(dynamo, names.registryRecords).putAll(
      npns.flatMap((npn) => [
        subscriptionItem(owner, newSubscription(dataOwner, npn, 'agent'), now),
        ...itemsOfHolder(owner, npn),
      ]),
    );
  });
}

/** The seconds that bare reads take for the same holders, so many at once. */
async function readBare(names: Names, owner: string, holders: number): Promise<number> {
  const client = signingClient();
  const started = performance.now();
  const { agents, associations, registryRecords } = names;
  const { pk } = registryKeys.subscription(owner, '');
  const list = async () => {
    const query = queryOf(registryRecordsTable, registryRecords, pk, { limit: batchGetKeys });
    for await (const page of queryPages(client, query)) if (page.length === 0) return;
  };
  const all = numbers(holders);
  const keysOf = (table: string, keys: readonly { readonly pk: string; readonly sk: string }[]) =>
    chunks(keys, { count: batchGetKeys }).map((some) => [table, some] as const);
  const batches = [
    ...keysOf(
      agents,
      all.flatMap((agent) => [
        agentKeys.npn(owner, agentNpn(agent)),
        agentKeys.agent(owner, agentOf(owner, agent)),
      ]),
    ),
    ...keysOf(
      associations,
      all.map((agent) => evidenceKey(owner, 'NPN', agentNpn(agent))),
    ),
    ...keysOf(
      registryRecords,
      all.flatMap((agent) => keysOfHolder(owner, agentNpn(agent))),
    ),
  ];
  const readAll = concurrently(batches, atOnce - 1, async ([table, keys]) => {
    const RequestItems = { [table]: { Keys: keys.map((key) => toItem({ ...key })) } };
    await client.send(new BatchGetItemCommand({ RequestItems }));
  });
  await Promise.all([list(), readAll]);
  return (performance.now() - started) / 1_000;
}

/** The list read in a process of its own: seconds, milliseconds until the first byte, and its memory. */
const readAlone = (names: Names, holders: number) =>
  withServer('licenses', names, async (port) => {
    const licenses = (of: number) => ({ mark: '"licenseNumber":', rows: of * licensesOfHolder });
    await read(port, small, 'gzip', licenses(small));
    const { firstByteMs, totalMs } = await read(port, holders, 'gzip', licenses(holders));
    return { seconds: totalMs / 1_000, firstByteMs, memory: await memoryOf(port) };
  });

/** All licenses of a carrier: compared with bare reads, by the first byte, and in memory. */
export async function measure(): Promise<Row[]> {
  const { agents, associations, organizations, registryRecords } = designs;
  // Indexes that nothing here reads would only take time to fill.
  const names = await createTables({
    agents: { ...agents, indexes: {} },
    associations: { ...associations, indexes: {} },
    organizations: { ...organizations, indexes: {} },
    registryRecords: { ...registryRecords, indexes: {} },
  });
  for (const size of [few, small, large]) await fill(names, ownerOf(size), size);
  const ofFew = await readAlone(names, few);
  const ofSmall = await readAlone(names, small);
  const ofLarge = await readAlone(names, large);
  const bare = await readBare(names, ownerOf(large), large);
  const rate = bare / ofLarge.seconds;
  const begins = ofLarge.firstByteMs / ofFew.firstByteMs;
  return [
    atLeast(
      lowestRate,
      rate,
      `licenses of ${count(large)} holders`,
      `${ofLarge.seconds.toFixed(1)} s`,
      `bare reads, ${atOnce} at once: ${bare.toFixed(1)} s`,
    ),
    atMost(
      latestFirstByte,
      begins,
      `first byte of the licenses of ${count(large)} holders`,
      `${ofLarge.firstByteMs.toFixed(0)} ms`,
      `of ${count(few)}: ${ofFew.firstByteMs.toFixed(0)} ms`,
    ),
    flat(
      `memory held at most with ${count(large)} holders, gzipped`,
      ofLarge.memory.held,
      ofSmall.memory.held,
      `with ${count(small)}`,
    ),
  ];
}
