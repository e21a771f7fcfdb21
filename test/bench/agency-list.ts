import { createRegistryLists } from '../../functions/agency/registry-lists.ts';
import type { License } from '../../shared/domain/registry/resources.ts';
import { createRecordedHolders } from '../../shared/domain/registry-records/store.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import { tableOf, writesOf } from '../../shared/platform/data/table.ts';
import { recordedItems } from '../support/holders.ts';
import { sampleLicense } from '../support/sample-records.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { consumed } from './consumed.ts';
import { atMost, count, type Row } from './report.ts';

// Small pages, so that there are a thousand of them without filling for many minutes.
const licenses = 10_000;
const limit = 10;
const lastPage = licenses / limit;
/** An index of keys is read whole, whatever the page: the difference is that of the pages' own items. */
const mostCapacity = 1.05;

const owner = derivedObjectId('organization', 'agency of the bench');
const states = ['TX', 'OK', 'LA', 'NM', 'AR', 'FL', 'CA', 'NY'] as const;

/** A license, each of another producer. */
function licenseAt(index: number): License {
  const npn = String(10_000_000 + index);
  const stateCode = states[index % states.length] ?? 'TX';
  const renewal = new Date(Date.UTC(2026, 0, 1) + (index % 1_000) * 86_400_000).toISOString().slice(0, 10);
  return sampleLicense({
    npn,
    stateCode,
    licenseNumber: String(2_000_000 + index),
    nextRenewalDate: renewal,
  });
}

async function fill(table: string): Promise<void> {
  const { putAll } = writesOf(dynamo, table);
  const every = Array.from({ length: licenses }, (_, index) => index);
  await concurrently(chunks(every, { count: 25 }), 4, (some) =>
    putAll(some.flatMap((index) => recordedItems(owner, { licenses: [licenseAt(index)] }))),
  );
}

/** What the last page of an agency's licenses costs beside the first. */
export async function measure(): Promise<Row[]> {
  // The index that the list reads is the only one, so that filling takes half the time.
  const table = await createTable({
    ...registryRecordsTable,
    indexes: { 'by-list': registryRecordsTable.indexes['by-list'] },
  });
  await fill(table);
  const records = tableOf(registryRecordsTable, dynamo, table);
  const lists = createRegistryLists(records, createRecordedHolders(records));
  const read = async (page: number): Promise<void> => {
    const { items, total } = await lists.licenses(owner, {}, { page, limit }, new Date());
    if (items.length !== limit || total !== licenses) {
      throw new Error(`Page ${page} shows ${items.length} licenses of ${total}.`);
    }
  };
  await read(1);
  const first = await consumed(dynamo, () => read(1));
  const last = await consumed(dynamo, () => read(lastPage));
  return [
    atMost(
      mostCapacity,
      last.units / first.units,
      `page ${count(lastPage)} of ${count(licenses)} licenses, ${limit} a page`,
      `${count(last.units)} units, ${last.calls} calls, ${count(last.milliseconds)} ms`,
      `page 1: ${count(first.units)} units`,
    ),
  ];
}
