import { createOutboxStore } from '../../functions/event-publisher/outbox-store.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import { outboxTable, type TableDesign } from '../../shared/data/tables.ts';
import { transact } from '../../shared/data/transact.ts';
import {
  keptDays,
  newEventId,
  type OutboxItem,
  outboxKeys,
  shardOf,
  unpublishedKey,
} from '../../shared/events/stored.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { consumed } from './consumed.ts';
import { count, type Row } from './report.ts';

const sizes = [2, 190] as const;

/** The outbox with an index of whole events, which it had at first. */
const withWholeEvents: TableDesign = {
  ...outboxTable,
  indexes: { unpublished: { ...outboxTable.indexes.unpublished, projection: 'all' } },
};

const newEvent = (kilobytes: number): OutboxItem => {
  const [eventId, entityId] = [newEventId(), newObjectId(new Date())];
  const upstreamEntityId = newObjectId(new Date());
  const at = new Date().toISOString();
  return {
    ...outboxKeys.event(upstreamEntityId, entityId, eventId),
    ...{ eventId, type: 'CONTRACT_SIGNED', upstreamEntityId, entityId, occurredAt: at, createdAt: at },
    payload: { text: 'a'.repeat(kilobytes * 1_000) },
  };
};

/** Write units of an event from its transaction until it is published, and of them those of the index. */
async function measure(design: TableDesign, kilobytes: number) {
  const table = await createTable(design);
  const outbox = createOutboxStore(dynamo, table);
  const item = newEvent(kilobytes);
  const expiresAt = Math.floor(Date.now() / 1_000) + keptDays * 86_400;
  const Item = toItem({ ...item, unpublishedKey: unpublishedKey(shardOf(item.eventId)), expiresAt });
  const write = { Put: { TableName: table, Item } };
  const written = await consumed(dynamo, () =>
    transact(dynamo, [{ write, refused: () => new Error('The event is there already.') }]),
  );
  const numbered = await consumed(dynamo, () => outbox.assignNumbers([item], new Date()));
  const marked = await consumed(dynamo, () => outbox.markPublished(item, new Date()));
  const all = [written, numbered, marked];
  return {
    request: written.writeUnits,
    units: all.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
    ofIndexes: all.reduce((sum, { indexWriteUnits }) => sum + indexWriteUnits, 0),
  };
}

/** What an event costs to write, beside the same with an index that holds whole events. */
export async function measureOutboxWrites(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kilobytes of sizes) {
    const keys = await measure(outboxTable, kilobytes);
    const whole = await measure(withWholeEvents, kilobytes);
    const row = (what: string, now: number, before: number): Row => ({
      what: `${what} of an event of ${kilobytes} KB`,
      measured: `${count(now)} units`,
      comparedWith: `index of whole events: ${count(before)} units`,
      ratio: now / before,
    });
    rows.push(
      row('request that writes the outbox item', keys.request, whole.request),
      row('write, number and publish', keys.units, whole.units),
      row('the index alone', keys.ofIndexes, whole.ofIndexes),
    );
  }
  return rows;
}
