import { createRegistryLists } from '../../functions/agency/registry-lists.ts';
import { createRecordedHolders } from '../../shared/domain/registry-records/store.ts';
import { registryRecordsTable } from '../../shared/domain/tables.ts';
import { chunks, concurrently } from '../../shared/platform/data/concurrently.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { recordedItems } from '../support/holders.ts';
import { sampleLicense } from '../support/sample-records.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { callsOf, every, scaled, unitsOf } from './measuring.ts';
import { atMost, count, type Row } from './report.ts';
import { sellerNpn } from './sample-carrier.ts';

// Small pages, so that there are a thousand of them without filling for many minutes.
const licenses = scaled(10_000);
const limit = 10;
const owner = derivedObjectId('organization', 'agency of the bench');

/** Licenses of as many producers, each renewed on another of a thousand days. */
const licenseItems = (index: number) => {
  const day = new Date(Date.UTC(2026, 0, 1 + (index % 1_000))).toISOString().slice(0, 10);
  const fields = { npn: sellerNpn(index), licenseNumber: String(2_000_000 + index), nextRenewalDate: day };
  return recordedItems(owner, { licenses: [sampleLicense(fields)] });
};

/** What the last page of an agency's licenses costs beside the first. */
export async function measure(): Promise<Row[]> {
  // The index that the list reads is the only one, so that filling takes half the time.
  const { 'by-list': byList } = registryRecordsTable.indexes;
  const table = await createTable({ ...registryRecordsTable, indexes: { 'by-list': byList } });
  const records = tableOf(registryRecordsTable, dynamo, table);
  await concurrently(
    chunks(every(licenses, Number), { count: 25 }),
    (some) => records.putAll(some.flatMap(licenseItems)),
    4,
  );
  const lists = createRegistryLists(records, createRecordedHolders(records));
  const readPage = async (page: number) => {
    const { items, total } = await lists.licenses(owner, {}, { page, limit }, new Date());
    if (items.length !== limit || total !== licenses)
      throw new Error(`Page ${page} shows ${items.length} licenses of ${total}.`);
  };
  const lastPage = licenses / limit;
  const first = unitsOf(await callsOf(() => readPage(1)));
  const calls = await callsOf(() => readPage(lastPage));
  return [
    // An index of keys is read whole, whatever the page: the difference is that of the pages' own items.
    atMost(
      1.05,
      unitsOf(calls) / first,
      `page ${count(lastPage)} of ${count(licenses)} licenses, ${limit} a page`,
      `${count(unitsOf(calls))} units, ${calls.length} calls`,
      `page 1: ${count(first)} units`,
    ),
  ];
}
