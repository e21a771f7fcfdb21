import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { uses } from '../../functions/imported-event-publisher/uses.ts';
import { memoryOf } from '../../infra/function-uses.ts';
import { mostInRun } from '../../shared/domain/events/feed.ts';
import { itemsOfEvent, newEventId, type OutboxEvent, outboxKeys } from '../../shared/domain/events/stored.ts';
import { createOutboxStore } from '../../shared/domain/publishing/outbox-store.ts';
import { type EventBus, publish } from '../../shared/domain/publishing/publish.ts';
import { outboxTable } from '../../shared/domain/table-designs.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { type Table, tableOf } from '../../shared/platform/data/table.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, dynamo, dynamoSettings } from '../support/tables.ts';
import { consumed } from './consumed.ts';
import { atMost, count, median, type Row } from './report.ts';
import { transactionUnits } from './transaction-units.ts';

const { batchSize } = uses.stream;

const newId = () => newObjectId(new Date());

/** New events about an entity each, of these organizations in turns. */
const newEvents = (
  organizations: readonly string[],
  howMany: number,
  { isImported = false, occurredAt = new Date().toISOString() } = {},
): OutboxEvent[] =>
  Array.from({ length: howMany }, (_, index) => {
    const upstreamEntityId = organizations[index % organizations.length] ?? '';
    const [entityId, eventId] = [newId(), newEventId()];
    const payload = { agentId: entityId, npn: '8123456', firstName: 'Maria', lastName: 'Delgado' };
    return {
      ...outboxKeys.event(upstreamEntityId, entityId, eventId),
      ...{ eventId, type: 'AGENT_CREATED', upstreamEntityId, entityId, occurredAt, payload },
      ...(isImported ? { isImported } : {}),
    };
  });

const organizationsOf = (howMany: number) => Array.from({ length: howMany }, newId);

const newTable = async () => tableOf(outboxTable, dynamo, await createTable(outboxTable));

const put = async (table: Table, events: readonly OutboxEvent[]): Promise<void> => {
  for (const some of chunks(events, { count: 500 })) {
    await table.putAll(some.flatMap((event) => itemsOfEvent(event, 4_000_000_000)));
  }
};

/** Calls that follow each other, of whatever is called. */
function callRounds() {
  let [rounds, calls] = [0, 0];
  return {
    async counted<Result>(call: () => Promise<Result>): Promise<Result> {
      const round = rounds + 1;
      calls += 1;
      const result = await call();
      rounds = Math.max(rounds, round);
      return result;
    },
    seen: () => ({ rounds, calls }),
  };
}

const openBus: EventBus = { put: async (entries) => entries.map(() => ({ outcome: 'accepted' })) };

const depsOf = (table: Table, bus = openBus) => ({
  outbox: createOutboxStore(table),
  bus,
  now: () => new Date(),
  log: recordingLogger(),
});

/** Publishes events as the publisher does with a batch, and says what that took. */
async function publishing(table: Table, events: readonly OutboxEvent[], client = dynamo) {
  const { counted, seen } = callRounds();
  const bus: EventBus = { put: (entries) => counted(() => openBus.put(entries)) };
  client.middlewareStack.add((next) => (args) => counted(() => next(args)), {
    step: 'initialize',
    name: 'rounds',
  });
  const since = process.cpuUsage();
  try {
    const { failures, refusals } = await publish(events, depsOf(table, bus));
    const { user, system } = process.cpuUsage(since);
    if (failures.size + refusals.size > 0) throw new Error('Not all events were published.');
    return { ...seen(), processorMs: (user + system) / 1_000 };
  } finally {
    client.middlewareStack.remove('rounds');
  }
}

type Publishing = Awaited<ReturnType<typeof publishing>>;

const waiting = 20_000;
const mostRatio = 1.2;
const repeats = 9;

/** Publishes batches of new events from a table in which others wait, and from one in which none do, in turns. */
async function measureWaiting(): Promise<Row[]> {
  const [idle, busy] = [await newTable(), await newTable()];
  await put(busy, newEvents(organizationsOf(200), waiting, { occurredAt: '2026-01-01T00:00:00.000Z' }));
  const processor = { idle: [] as number[], busy: [] as number[] };
  const units = { idle: 0, busy: 0 };
  for (let round = 0; round <= repeats; round += 1) {
    for (const [name, table] of Object.entries({ idle, busy }) as [keyof typeof units, Table][]) {
      const events = newEvents(organizationsOf(20), batchSize);
      await put(table, events);
      if (round > 0) processor[name].push((await publishing(table, events)).processorMs);
      else {
        const inTransactions = await transactionUnits(dynamo, async () => {
          const all = await consumed(dynamo, () => publishing(table, events));
          units[name] = all.units - all.transactedUnits;
        });
        units[name] += inTransactions;
      }
    }
  }
  const compared = (what: string, unit: string, busyOne: number, idleOne: number): Row =>
    atMost(
      mostRatio,
      busyOne / idleOne,
      `${what} of a batch of ${batchSize} events with ${count(waiting)} waiting`,
      `${count(busyOne)} ${unit}`,
      `with none waiting ${count(idleOne)} ${unit}`,
    );
  return [
    compared('publisher: read and write units', 'units', units.busy, units.idle),
    compared('publisher: processor', 'ms', median(processor.busy), median(processor.idle)),
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

/** Publishes batches of an import, as many at once as the stream has shards, until it is told to stop. */
async function importing(table: Table, isOver: () => boolean): Promise<void> {
  const carrier = organizationsOf(1);
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      const events = newEvents(carrier, batchSize, { isImported: true });
      await put(table, events);
      const { failures } = await publish(events, depsOf(table));
      if (failures.size > 0) throw new Error('Not all events were published.');
    }
  };
  await Promise.all(Array.from({ length: shards }, lane));
}

/** Rounds of batches of other organizations, which 19 of 20 do not exceed: alone, or while an import's events go by. */
async function roundsOfOthers(isBeside: boolean): Promise<number> {
  const client = new DynamoDBClient(dynamoSettings());
  const { name } = await newTable();
  const table = tableOf(outboxTable, client, name);
  let isOver = false;
  const imports = isBeside ? importing(tableOf(outboxTable, dynamo, name), () => isOver) : undefined;
  const rounds: number[] = [];
  while (rounds.length < 20) {
    const events = newEvents(organizationsOf(20), batchSize);
    await put(table, events);
    rounds.push((await publishing(table, events, client)).rounds);
  }
  isOver = true;
  await imports;
  client.destroy();
  return rounds.toSorted((one, other) => one - other)[18] ?? 0;
}

/** An import of many producers: how long its events are on their way to the bus, and what others feel of it. */
async function measureImport(): Promise<Row[]> {
  const table = await newTable();
  const batches: Publishing[] = [];
  for (let round = 0; round <= repeats; round += 1) {
    const events = newEvents(organizationsOf(1), batchSize, { isImported: true });
    await put(table, events);
    batches.push(await publishing(table, events));
  }
  const rounds = median(batches.map((one) => one.rounds));
  const processorMs = median(batches.map((one) => one.processorMs));
  const seconds =
    (rounds * callMs + invocationMs + (processorMs * megabytesOfProcessor) / memoryOf(uses)) / 1_000;
  const ofShards = (shards * batchSize) / seconds;
  const ofCounter = mostInRun / ((roundsOfRun * callMs) / 1_000);
  const minutes = imported / Math.min(importedPerSecond, ofShards, ofCounter) / 60;
  const [alone, beside] = [await roundsOfOthers(false), await roundsOfOthers(true)];
  return [
    {
      what: `events of an import of ${count(imported)}, reckoned: until the last is on the bus`,
      measured: `${minutes.toFixed(1)} minutes`,
      comparedWith: `written ${importedPerSecond} a second; ${shards} shards publish ${count(ofShards)} (${rounds} rounds, ${processorMs.toFixed(0)} ms a batch), a counter ${count(ofCounter)}`,
      budget: `at most ${mostMinutes} minutes`,
      isWithin: minutes <= mostMinutes,
    },
    atMost(
      mostRatio,
      beside / alone,
      `a batch of ${batchSize} events of others meanwhile: p95 of its rounds`,
      String(beside),
      `without the import ${alone}`,
    ),
  ];
}

/** What the publisher's batches cost while others wait, and how they fare while an import's events go by. */
export async function measure(): Promise<Row[]> {
  return [...(await measureWaiting()), ...(await measureImport())];
}
