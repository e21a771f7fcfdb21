import { DynamoDBClient, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { eventPrefix, type OutboxEvent, outboxEvent } from '#domain/events/stored.ts';
import { type BusEvent, CallRejected, type EventBus } from '#domain/publishing/publish.ts';
import { tablesOf } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { shardAmong } from '#platform/data/keys.ts';
import { eventPublisherFunction } from '../../functions/event-publisher/function.ts';
import { testContext } from './context.ts';
import { dynamoSettings } from './tables.ts';

/** A random number from 0 to below 1. */
type Draw = () => number;

interface World {
  readonly table: string;
  readonly draw: Draw;
  /** Whether calls fail now. */
  readonly isArmed: () => boolean;
}

/** Shares of calls that are throttled, break off before or after they took effect, or end their instance after it. */
const rates = { throttle: 0.02, before: 0.01, after: 0.01, crash: 0.01 } as const;

/** The share of an index's items that a query does not show yet. */
const lagging = 0.2;

type Fault = keyof typeof rates | 'none';

function faultOf(number: number): Fault {
  let bound = 0;
  for (const [fault, rate] of Object.entries(rates)) {
    bound += rate;
    if (number < bound) return fault as Fault;
  }
  return 'none';
}

const transaction = z.object({ TransactItems: z.array(z.custom<TransactWriteItem>()) });
const found = z.looseObject({ Items: z.optional(z.array(z.unknown())) });

/** A database client of an instance, whose calls fail at random and all of them once the instance has ended. */
function unreliableClient({ draw, isArmed }: World, onWritten: (items: readonly OutboxEvent[]) => void) {
  const client = new DynamoDBClient(dynamoSettings());
  let hasEnded = false;
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const fault = isArmed() ? faultOf(draw()) : 'none';
        if (hasEnded || fault === 'before') throw new Error('broke off');
        if (fault === 'throttle') {
          throw Object.assign(new Error('Rate exceeded'), { name: 'ProvisionedThroughputExceededException' });
        }
        const answer = await next(args);
        if (commandName === 'TransactWriteItemsCommand') onWritten(eventsOf(args.input));
        if ('IndexName' in args.input && isArmed()) {
          const { Items = [] } = z.parse(found, answer.output);
          Object.assign(answer.output, { Items: Items.filter(() => draw() >= lagging) });
        }
        hasEnded ||= fault === 'crash';
        if (hasEnded || fault === 'after') throw new Error('broke off');
        return answer;
      },
    { step: 'initialize', name: 'faults' },
  );
  return client;
}

/** The events that a transaction brings into the stream. */
const eventsOf = (input: unknown): OutboxEvent[] =>
  z
    .parse(transaction, input)
    .TransactItems.flatMap(({ Put }) => (Put?.Item === undefined ? [] : [unmarshall(Put.Item)]))
    .filter(({ sk }) => String(sk).startsWith(eventPrefix))
    .map((item) => z.parse(outboxEvent, item));

const detail = z.object({ eventId: z.string() });

/** A bus that fails at random, for an event or a whole call, and the ids of the events that it has accepted. */
function unreliableBus({ draw, isArmed }: World) {
  const accepted = new Set<string>();
  const bus: EventBus = {
    put: async (entries: readonly BusEvent[]) => {
      if (isArmed() && draw() < 0.03) throw new CallRejected('elsewhere', new Error('ThrottlingException'));
      return entries.map((entry) => {
        if (isArmed() && draw() < 0.05) return { outcome: 'failed', reason: 'Not now.' };
        accepted.add(z.parse(detail, JSON.parse(entry.detail)).eventId);
        return { outcome: 'accepted' };
      });
    },
  };
  return { bus, accepted };
}

/** An item as the stream has it. */
type Image = NonNullable<NonNullable<DynamoDBStreamEvent['Records'][number]['dynamodb']>['NewImage']>;

const streamOf = (items: readonly OutboxEvent[]): DynamoDBStreamEvent => ({
  Records: items.map((item, index) => ({
    eventName: 'INSERT',
    dynamodb: { SequenceNumber: String(index), NewImage: toItem({ ...item }) as Image },
  })),
});

/** Attempts after which the stream gives up a batch, as it does after hours, and the largest batch. */
const attempts = 5;
const batchSize = 100;

const lambda = { getRemainingTimeInMillis: () => 300_000 };

/**
 * The publishers of an outbox: one instance for each of two shards of its stream, and one for the events of imports in both, which
 * resume where they failed and give up a batch after its last attempt, and the schedule. The stream has each event once, in the
 * order of its entity.
 */
export function startPublishers(world: World) {
  const { table, draw } = world;
  const others: OutboxEvent[][] = [[], []];
  const imported: OutboxEvent[] = [];
  const seen = new Set<string>();
  const { bus, accepted } = unreliableBus(world);

  const add = (items: readonly OutboxEvent[]): void => {
    for (const item of items) {
      const shard = item.isImported === true ? imported : others[shardAmong(item.pk, others.length)];
      if (!seen.has(item.eventId)) shard?.push(item);
      seen.add(item.eventId);
    }
  };

  /** An instance that nothing has ended yet, with its clock. */
  const instance = (aheadMs = 0) =>
    eventPublisherFunction.compose({
      bus,
      tables: tablesOf(unreliableClient(world, add), { outbox: table }),
      context: testContext({ now: () => new Date(Date.now() + aheadMs) }),
    });

  /** Works on a shard until it is empty; answers whether it did anything. */
  async function consume(shard: OutboxEvent[]): Promise<boolean> {
    const hadWork = shard.length > 0;
    for (let failed = 0; shard.length > 0; ) {
      const batch = shard.slice(0, 1 + Math.floor(draw() * batchSize));
      const result = await instance()(streamOf(batch), lambda).catch(() => undefined);
      const failure =
        result !== undefined && 'batchItemFailures' in result ? result.batchItemFailures[0] : undefined;
      const done =
        result === undefined ? 0 : failure === undefined ? batch.length : Number(failure.itemIdentifier);
      failed = done === 0 ? failed + 1 : 0;
      shard.splice(0, failed === attempts ? batch.length : done);
      if (failed === attempts) failed = 0;
    }
    return hadWork;
  }

  /** Calls the schedule's task. Ten minutes ahead, every event is one that the stream has missed. */
  const republish = async (): Promise<void> => {
    await instance(600_000)({ task: 'republish' }, lambda).catch(() => undefined);
  };

  return { add, shards: [...others, imported], consume, republish, accepted };
}
