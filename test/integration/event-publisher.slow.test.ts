import * as fc from 'fast-check';
import * as z from 'zod/mini';
import type { OutboxEvent } from '#domain/events/stored.ts';
import { createOutboxStore } from '#domain/publishing/outbox-store.ts';
import { type EventBus, publish } from '#domain/publishing/publish.ts';
import { outboxTable } from '#domain/table-designs.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import { runs } from '../support/extent.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { emitExamples } from '../support/feed.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { risingClock } from '../support/rising-clock.ts';
import { createTable, dynamo } from '../support/tables.ts';

const now = risingClock();
const carrier = newObjectId(new Date());
let table: string;

beforeEach(async () => {
  table = await createTable(outboxTable);
});

const detail = z.object({ eventId: z.string(), sequence: z.int() });

/** The bus, and the numbers of the events that it has accepted, by their ids. */
function recordingBus() {
  const numbers = new Map<string, number>();
  const bus: EventBus = {
    put: async (entries) =>
      entries.map((entry) => {
        const { eventId, sequence } = z.parse(detail, JSON.parse(entry.detail));
        numbers.set(eventId, sequence);
        return { outcome: 'accepted' };
      }),
  };
  return { bus, numbers };
}

const emit = async (event: { readonly entityId?: string; readonly isImported?: boolean }) => {
  const [item] = await emitExamples(table, [{ upstreamEntityId: carrier, ...event }], now());
  if (item === undefined) throw new Error('Nothing was emitted.');
  return item;
};

const published = (events: readonly OutboxEvent[], bus: EventBus) =>
  publish(events, {
    outbox: createOutboxStore(tableOf(outboxTable, dynamo, table)),
    bus,
    now,
    log: recordingLogger(),
  });

const idsOf = (items: readonly OutboxEvent[]): string[] => items.map(({ eventId }) => eventId);

it('events that break off at any call are all published, each under one number', async () => {
  const entityId = newObjectId(now());
  const items: OutboxEvent[] = [];
  const { bus, numbers } = recordingBus();
  /** Calls of the database until everything is published, with one that breaks off. */
  const publishAll = async (broken: number, fault: Fault): Promise<number> => {
    let left = [await emit({ entityId, isImported: true }), await emit({ entityId })];
    items.push(...left);
    let calls = 0;
    const faultNow = (): Fault => {
      calls += 1;
      return calls === broken ? fault : 'none';
    };
    await withFaults(faultNow, async () => {
      while (left.length > 0) {
        const { failed } = await published(left, bus);
        left = left.filter(({ eventId }) => failed.has(eventId));
      }
    });
    return calls;
  };
  const calls = await publishAll(0, 'none');
  for (let broken = 1; broken <= calls; broken += 1) {
    for (const fault of ['before', 'after'] as const) await publishAll(broken, fault);
  }
  expect(idsOf(items).map((eventId) => numbers.get(eventId))).toEqual(items.map((_, index) => index + 1));
});

it('numbers follow the order of the changes, whichever reader of the stream comes first', async () => {
  const step = fc.constantFrom('request', 'import', 'publish', 'publish imported');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const entityId = newObjectId(now());
      const items: OutboxEvent[] = [];
      const readers = { others: [] as OutboxEvent[], imports: [] as OutboxEvent[] };
      const { bus, numbers } = recordingBus();
      for (const one of [...steps, 'publish', 'publish imported']) {
        if (one === 'request' || one === 'import') {
          const isImported = one === 'import';
          const item = await emit({ entityId, isImported });
          items.push(item);
          readers[isImported ? 'imports' : 'others'].push(item);
        } else await published(readers[one === 'publish' ? 'others' : 'imports'].splice(0), bus);
      }
      expect(idsOf(items).map((id) => numbers.get(id))).toEqual(items.map((_, index) => index + 1));
    }),
    runs(6),
  );
});

it('publishers that meet at the counter of one carrier publish all of its events', async () => {
  const batches = await Promise.all(
    Array.from({ length: 24 }, () => Promise.all(Array.from({ length: 4 }, () => emit({})))),
  );
  const { bus, numbers } = recordingBus();
  const done = await Promise.all(batches.map((events) => published(events, bus)));
  expect(done.flatMap(({ failed }) => [...failed])).toEqual([]);
  expect(numbers.size).toBe(96);
}, 120_000);
