import { DynamoDBClient, GetItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { uses } from '../../functions/imported-event-publisher/uses.ts';
import { memoryOf } from '../../infra/function-uses.ts';
import { mostInRun } from '../../shared/domain/events/feed.ts';
import { itemsOfEvent, newEventId, type OutboxEvent, outboxKeys } from '../../shared/domain/events/stored.ts';
import { createOutboxStore } from '../../shared/domain/publishing/outbox-store.ts';
import { publish } from '../../shared/domain/publishing/publish.ts';
import { outboxTable } from '../../shared/domain/tables.ts';
import { KB } from '../../shared/platform/aws/limits.ts';
import { chunks } from '../../shared/platform/data/concurrently.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { storedBytes } from '../../shared/platform/data/stored.ts';
import { type Table, tableOf } from '../../shared/platform/data/table.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, dynamo, dynamoSettings } from '../support/tables.ts';
import { type Call, callsOf, every, scaled, unitsOf } from './measuring.ts';
import { atMost, count, median, quantile, type Row } from './report.ts';

const { batchSize } = uses.stream;

const newId = () => newObjectId(new Date());

/** New events about an entity each, of so many organizations in turns. */
function newEvents(howMany: number, organizations: number, fields: Partial<OutboxEvent> = {}): OutboxEvent[] {
  const owners = every(organizations, newId);
  return every(howMany, (index) => {
    const upstreamEntityId = owners[index % organizations] ?? '';
    const [entityId, eventId] = [newId(), newEventId()];
    return {
      ...outboxKeys.event(upstreamEntityId, entityId, eventId),
      ...{ eventId, type: 'AGENT_CREATED', upstreamEntityId, entityId, occurredAt: new Date().toISOString() },
      payload: { agentId: entityId, npn: '8123456', firstName: 'Maria', lastName: 'Delgado' },
      ...fields,
    };
  });
}

const newTable = async () => tableOf(outboxTable, dynamo, await createTable(outboxTable));

async function put(table: Table, events: readonly OutboxEvent[]): Promise<void> {
  for (const some of chunks(events, { count: 500 }))
    await table.putAll(some.flatMap((event) => itemsOfEvent(event, 4_000_000_000)));
}

/** Publishes events as the publisher does with a batch, and says what that took; a call of the bus is a round as one of the database is. */
async function publishing(table: Table, events: readonly OutboxEvent[], client = dynamo) {
  const since = process.cpuUsage();
  const calls = await callsOf(async (counted) => {
    const { failures, refusals } = await publish(events, {
      outbox: createOutboxStore(table),
      bus: {
        put: (entries) => counted('PutEvents', async () => entries.map(() => ({ outcome: 'accepted' }))),
      },
      now: () => new Date(),
      log: recordingLogger(),
    });
    if (failures.size + refusals.size > 0) throw new Error('Not all events were published.');
  }, client);
  const { user, system } = process.cpuUsage(since);
  const rounds = Math.max(...calls.map(({ round }) => round));
  return { calls, rounds, processorMs: (user + system) / 1_000 };
}

const isTransaction = ({ name }: Call): boolean => name === 'TransactWriteItemsCommand';

/**
 * Write units of the puts and updates in transactions, their indexes not included: two for each KB of each item. Of a transaction
 * with several items the local engine reports only some.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
 */
async function transactionUnits(calls: readonly Call[]): Promise<number> {
  const written = calls
    .filter(isTransaction)
    .flatMap(({ input }) => (input as { readonly TransactItems: TransactWriteItem[] }).TransactItems);
  const units = written.map(async ({ Put, Update }) => {
    if (Put?.Item !== undefined) return 2 * Math.ceil(storedBytes(Put.Item) / KB);
    if (Update === undefined) return 0;
    const { TableName, Key } = Update;
    const { Item = {} } = await dynamo.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    return 2 * Math.ceil(storedBytes(Item) / KB);
  });
  return (await Promise.all(units)).reduce((sum, one) => sum + one, 0);
}

/** Units of calls, those of transactions reckoned. */
const allUnits = async (calls: readonly Call[]): Promise<number> =>
  (await transactionUnits(calls)) + unitsOf(calls.filter((call) => !isTransaction(call)));

/** Write units of an event of 2 KB, feed included, from the transaction of its change until the bus has it. */
async function measureEvent(): Promise<Row> {
  const events = newEvents(1, 1, { type: 'CONTRACT_SIGNED', payload: { text: 'a'.repeat(2_000) } });
  const table = await newTable();
  const items = events.flatMap((event) => itemsOfEvent(event, 4_000_000_000));
  const writing = await callsOf(() => table.transact(items.map((item) => table.items.put(item))));
  const { calls } = await publishing(table, events);
  const reads = new Set(['BatchGetItemCommand', 'GetItemCommand', 'QueryCommand']);
  const units = await allUnits([...writing, ...calls].filter(({ name }) => !reads.has(name)));
  const what = 'write units of an event of 2 KB from its request to the bus, feed included';
  return atMost(16, units, what, `${units.toFixed(1)} units`);
}

const repeats = 9;

/** Publishes batches of new events from a table in which others wait, and from one in which none do, in turns. */
async function measureWaiting(): Promise<Row[]> {
  const waiting = scaled(20_000);
  const [idle, busy] = [await newTable(), await newTable()];
  await put(busy, newEvents(waiting, 200, { occurredAt: '2026-01-01T00:00:00.000Z' }));
  const publishNew = async (table: Table) => {
    const events = newEvents(batchSize, 20);
    await put(table, events);
    return publishing(table, events);
  };
  const units = {
    idle: await allUnits((await publishNew(idle)).calls),
    busy: await allUnits((await publishNew(busy)).calls),
  };
  const processor = { idle: [] as number[], busy: [] as number[] };
  for (let round = 0; round < repeats; round += 1) {
    processor.idle.push((await publishNew(idle)).processorMs);
    processor.busy.push((await publishNew(busy)).processorMs);
  }
  const compared = (what: string, unit: string, busyOne: number, idleOne: number): Row =>
    atMost(
      1.2,
      busyOne / idleOne,
      `publisher: ${what} of a batch of ${batchSize} events with ${count(waiting)} waiting`,
      `${count(busyOne)} ${unit}`,
      `with none waiting ${count(idleOne)} ${unit}`,
    );
  return [
    compared('read and write units', 'units', units.busy, units.idle),
    compared('processor', 'ms', median(processor.busy), median(processor.idle)),
  ];
}

/** What is assumed of AWS, as in `infra/capacity.md`: of a call, and of an invocation beside it, in milliseconds. */
const [callMs, invocationMs] = [6, 8];
/** Of a new table, and so of its stream: four partitions serve 4,000 write units a second. */
const shards = 4;
/** Events that one import writes in a second (`infra/capacity.md`). */
const importedPerSecond = 330;
const imported = 100_000;
const mostMinutes = 15;
/** Memory with which Lambda gives a function one whole processor. */
const megabytesOfProcessor = 1_769;
/** Rounds of a run's transaction: its counters, its entries, and itself. At a carrier's counter one follows the other. */
const roundsOfRun = 3;

/** Publishes a new batch of one carrier's import. */
async function publishImported(table: Table) {
  const events = newEvents(batchSize, 1, { isImported: true });
  await put(table, events);
  return publishing(table, events);
}

/** Rounds of batches of other organizations, which 19 of 20 do not exceed: alone, or while an import's events go by in as many lanes as the stream has shards. */
async function roundsOfOthers(lanes: number): Promise<number> {
  const client = new DynamoDBClient(dynamoSettings());
  const { name } = await newTable();
  const [table, importsTable] = [tableOf(outboxTable, client, name), tableOf(outboxTable, dynamo, name)];
  let isOver = false;
  const imports = every(lanes, async () => {
    while (!isOver) await publishImported(importsTable);
  });
  const rounds: number[] = [];
  while (rounds.length < 20) {
    const events = newEvents(batchSize, 20);
    await put(table, events);
    rounds.push((await publishing(table, events, client)).rounds);
  }
  isOver = true;
  await Promise.all(imports);
  client.destroy();
  return quantile(rounds, 0.9);
}

/** An import of many producers: how long its events are on their way to the bus, and what others feel of it. */
async function measureImport(): Promise<Row[]> {
  const table = await newTable();
  const batches: Awaited<ReturnType<typeof publishing>>[] = [];
  while (batches.length <= repeats) batches.push(await publishImported(table));
  const rounds = median(batches.map((batch) => batch.rounds));
  const processorMs = median(batches.map((batch) => batch.processorMs));
  const ofProcessor = (processorMs * megabytesOfProcessor) / memoryOf(uses);
  const ofShards = (shards * batchSize * 1_000) / (rounds * callMs + invocationMs + ofProcessor);
  const ofCounter = (mostInRun * 1_000) / (roundsOfRun * callMs);
  const minutes = imported / Math.min(importedPerSecond, ofShards, ofCounter) / 60;
  const [alone, beside] = [await roundsOfOthers(0), await roundsOfOthers(shards)];
  return [
    {
      what: `events of an import of ${count(imported)}, reckoned: until the last is on the bus`,
      measured: `${minutes.toFixed(1)} minutes`,
      comparedWith: `written ${importedPerSecond} a second; ${shards} shards publish ${count(ofShards)} (${rounds} rounds, ${processorMs.toFixed(0)} ms a batch), a counter ${count(ofCounter)}`,
      budget: `at most ${mostMinutes} minutes`,
      isWithin: minutes <= mostMinutes,
    },
    atMost(
      1.2,
      beside / alone,
      `a batch of ${batchSize} events of others meanwhile: p95 of its rounds`,
      String(beside),
      `without the import ${alone}`,
    ),
  ];
}

/** What an event costs to write, what the publisher's batches cost while others wait, and how they fare while an import's events go by. */
export const measure = async (): Promise<Row[]> => [
  await measureEvent(),
  ...(await measureWaiting()),
  ...(await measureImport()),
];
