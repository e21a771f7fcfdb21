import { createOutboxStore } from '../../functions/event-publisher/outbox-store.ts';
import { publish } from '../../functions/event-publisher/publish.ts';
import { itemsOfEvent, newEventId, type OutboxItem, outboxKeys } from '../../shared/domain/events/stored.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { consumed } from './consumed.ts';
import type { Row } from './report.ts';
import { transactionUnits } from './transaction-units.ts';

interface Shape {
  readonly kilobytes: number;
  /** Whether it waits for its slot, as that of an import. */
  readonly deferred?: boolean;
  /** Events of one carrier that are published together. */
  readonly together?: number;
}

function newEvent({ kilobytes, deferred = false }: Shape, upstreamEntityId: string): OutboxItem {
  const [eventId, entityId] = [newEventId(), newObjectId(new Date())];
  return {
    ...outboxKeys.event(upstreamEntityId, entityId, eventId),
    ...{ eventId, type: 'CONTRACT_SIGNED', upstreamEntityId, entityId, occurredAt: new Date().toISOString() },
    payload: { text: 'a'.repeat(kilobytes * 1_000) },
    ...(deferred ? { deferred } : {}),
  };
}

/** Write units of an event, feed included, from the transaction of its change until the bus has it. */
export async function measureEvent(shape: Shape): Promise<number> {
  const { together = 1 } = shape;
  const upstream = newObjectId(new Date());
  const events = Array.from({ length: together }, () => newEvent(shape, upstream));
  const table = tableOf(outboxTable, dynamo, await createTable(outboxTable));
  let inTransactions = 0;
  const alone = await consumed(dynamo, async () => {
    inTransactions = await transactionUnits(dynamo, async () => {
      for (const event of events) {
        await table.transact(itemsOfEvent(event, 4_000_000_000).map((item) => table.items.put(item)));
      }
      await publish(events, {
        outbox: createOutboxStore(table),
        bus: { put: async (entries) => entries.map(() => ({ outcome: 'accepted' })) },
        now: () => new Date(),
        onFailure: (_event, error) => {
          throw error;
        },
        onRefusal: (_event, reason) => {
          throw new Error(reason);
        },
      });
    });
  });
  return (inTransactions + alone.writeUnits - alone.transactedUnits) / together;
}

/**
 * At commit 5d3b3d57, when an event was written anew with its number, and again when the bus had it: measured, but that of an
 * import, which follows from DynamoDB's rules.
 */
const before = { alone: 24, together: 22.1, deferred: 42, large: 939 };

/** What an event costs to write. */
export async function measureOutboxWrites(): Promise<Row[]> {
  const row = async (what: string, shape: Shape, unitsBefore: number, most?: number): Promise<Row> => {
    const units = await measureEvent(shape);
    return {
      what: `write units of an event of ${shape.kilobytes} KB from its request to the bus, feed included${what}`,
      measured: `${units.toFixed(1)} units`,
      comparedWith: `before ${unitsBefore.toFixed(1)} units`,
      ratio: units / unitsBefore,
      ...(most === undefined ? {} : { budget: `at most ${most}`, isWithin: units <= most }),
    };
  };
  return [
    await row('', { kilobytes: 2 }, before.alone, 16),
    await row(', among 20 of its carrier', { kilobytes: 2, together: 20 }, before.together),
    await row(', of an import', { kilobytes: 2, deferred: true }, before.deferred),
    await row('', { kilobytes: 190 }, before.large),
  ];
}
