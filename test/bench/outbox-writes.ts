import { itemsOfEvent, newEventId, type OutboxEvent, outboxKeys } from '../../shared/domain/events/stored.ts';
import { createOutboxStore } from '../../shared/domain/publishing/outbox-store.ts';
import { publish } from '../../shared/domain/publishing/publish.ts';
import { outboxTable } from '../../shared/domain/table-designs.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { consumed } from './consumed.ts';
import { atMost, type Row } from './report.ts';
import { transactionUnits } from './transaction-units.ts';

const kilobytes = 2;
const mostUnits = 16;

function newEvent(): OutboxEvent {
  const [eventId, entityId, upstreamEntityId] = [
    newEventId(),
    newObjectId(new Date()),
    newObjectId(new Date()),
  ];
  return {
    ...outboxKeys.event(upstreamEntityId, entityId, eventId),
    ...{ eventId, type: 'CONTRACT_SIGNED', upstreamEntityId, entityId, occurredAt: new Date().toISOString() },
    payload: { text: 'a'.repeat(kilobytes * 1_000) },
  };
}

/** Write units of an event of 2 KB, feed included, from the transaction of its change until the bus has it. */
export async function measureEvent(): Promise<number> {
  const event = newEvent();
  const table = tableOf(outboxTable, dynamo, await createTable(outboxTable));
  let inTransactions = 0;
  const alone = await consumed(dynamo, async () => {
    inTransactions = await transactionUnits(dynamo, async () => {
      await table.transact(itemsOfEvent(event, 4_000_000_000).map((item) => table.items.put(item)));
      const { failures, refusals } = await publish([event], {
        outbox: createOutboxStore(table),
        bus: { put: async (entries) => entries.map(() => ({ outcome: 'accepted' })) },
        now: () => new Date(),
        log: recordingLogger(),
      });
      if (failures.size + refusals.size > 0) throw new Error('The event was not published.');
    });
  });
  return inTransactions + alone.writeUnits - alone.transactedUnits;
}

/** What an event costs to write. */
export async function measure(): Promise<Row[]> {
  const units = await measureEvent();
  return [
    atMost(
      mostUnits,
      units,
      `write units of an event of ${kilobytes} KB from its request to the bus, feed included`,
      `${units.toFixed(1)} units`,
    ),
  ];
}
