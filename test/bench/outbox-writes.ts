import { createOutboxStore } from '../../functions/event-publisher/outbox-store.ts';
import {
  keptDays,
  newEventId,
  type OutboxItem,
  type OutboxType,
  outboxKeys,
  shardOf,
  unpublishedKey,
} from '../../shared/domain/events/stored.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import type { TableDesign } from '../../shared/platform/data/table-design.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { consumed } from './consumed.ts';
import { count, type Row } from './report.ts';
import { transactionUnits } from './transaction-units.ts';

const sizes = [2, 190] as const;

/** The outbox with an index of whole events, which it had at first. */
const withWholeEvents: TableDesign = {
  ...outboxTable,
  indexes: { unpublished: { ...outboxTable.indexes.unpublished, projection: 'all' } },
};

interface Shape {
  readonly kilobytes: number;
  readonly upstreamEntityId?: string;
  /** An internal type is published alike, and is not in the feed. */
  readonly type?: OutboxType;
}

const newEvent = ({
  kilobytes,
  upstreamEntityId = newObjectId(new Date()),
  type = 'CONTRACT_SIGNED',
}: Shape): OutboxItem => {
  const [eventId, entityId] = [newEventId(), newObjectId(new Date())];
  const at = new Date().toISOString();
  return {
    ...outboxKeys.event(upstreamEntityId, entityId, eventId),
    ...{ eventId, type, upstreamEntityId, entityId, occurredAt: at, createdAt: at },
    payload: { text: 'a'.repeat(kilobytes * 1_000) },
  };
};

/** Write units of events from their transactions until they are published together, and of them those of the index. */
async function measure(design: TableDesign, items: readonly OutboxItem[]) {
  const table = await createTable(design);
  const outbox = createOutboxStore(tableOf(outboxTable, dynamo, table));
  const expiresAt = Math.floor(Date.now() / 1_000) + keptDays * 86_400;
  const written = await consumed(dynamo, async () => {
    for (const item of items) {
      const Item = toItem({ ...item, unpublishedKey: unpublishedKey(shardOf(item.eventId)), expiresAt });
      const write = { Put: { TableName: table, Item } };
      await transact(dynamo, [{ write, refused: () => new Error('The event is there already.') }]);
    }
  });
  let numberedUnits = 0;
  const numbered = await consumed(dynamo, async () => {
    numberedUnits = await transactionUnits(dynamo, () => outbox.assignNumbers(items, new Date()));
  });
  const marked = await consumed(dynamo, async () => {
    for (const item of items) await outbox.markPublished(item, new Date());
  });
  return {
    request: written.writeUnits,
    units: written.writeUnits + numberedUnits + numbered.indexWriteUnits + marked.writeUnits,
    ofIndexes: written.indexWriteUnits + numbered.indexWriteUnits + marked.indexWriteUnits,
  };
}

/** Events of one carrier that are published together. */
const together = 20;

/** What the feed adds to an event that is published alone, and to one of several. */
async function measureFeed(): Promise<Row[]> {
  const unitsOf = async (count: number, type: OutboxType) => {
    const upstreamEntityId = newObjectId(new Date());
    const items = Array.from({ length: count }, () => newEvent({ kilobytes: 2, upstreamEntityId, type }));
    return (await measure(outboxTable, items)).units / count;
  };
  const row = async (what: string, count: number): Promise<Row> => {
    const [now, before] = [
      await unitsOf(count, 'CONTRACT_SIGNED'),
      await unitsOf(count, 'COMPLIANCE_INPUTS_CHANGED'),
    ];
    return {
      what: `write, number and publish of an event of 2 KB, ${what}`,
      measured: `${now.toFixed(1)} units`,
      comparedWith: `not in the feed: ${before.toFixed(1)} units`,
      ratio: now / before,
    };
  };
  return [await row('alone', 1), await row(`among ${together} of its carrier`, together)];
}

/** What an event costs to write, beside the same with an index that holds whole events. */
export async function measureOutboxWrites(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kilobytes of sizes) {
    const keys = await measure(outboxTable, [newEvent({ kilobytes })]);
    const whole = await measure(withWholeEvents, [newEvent({ kilobytes })]);
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
  return [...rows, ...(await measureFeed())];
}
