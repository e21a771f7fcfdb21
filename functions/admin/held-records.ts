import { recordsOnDay } from '#domain/decision/held.ts';
import type { Appointment } from '#domain/registry/resources.ts';
import { createRecordedHolders, createRegistryRecords } from '#domain/registry-records/store.ts';
import type { RecordedLicense } from '#domain/registry-records/stored-records.ts';
import { chunks } from '#platform/data/chunks.ts';
import type { Table } from '#platform/data/table.ts';
import { newYorkDate } from '#platform/dates/dates.ts';

/** Holders that are read at once. */
const holdersAtOnce = 100;

/** Licenses and appointments of an organization's holders. */
interface HeldRows {
  readonly licenses: readonly RecordedLicense[];
  readonly appointments: readonly Appointment[];
}

/** The licenses and appointments that an organization holds, each by the row that says what it is now, some holders at a time. */
export async function* heldRows(
  table: Table<'by-license-number' | 'by-change'>,
  owner: string,
  now: Date,
): AsyncGenerator<HeldRows> {
  const { coveragesOf } = createRecordedHolders(table);
  const today = newYorkDate(now);
  for await (const subscriptions of createRegistryRecords(table).subscriptions(owner)) {
    for (const batch of chunks(subscriptions, { count: holdersAtOnce })) {
      const coverages = await coveragesOf(
        owner,
        batch.map(({ npn }) => npn),
        { classKinds: [] },
      );
      const holdings = Array.from(coverages.values(), (coverage) => recordsOnDay(coverage, today));
      yield {
        licenses: holdings.flatMap(({ licenses }) => licenses.map(({ row }) => row)),
        appointments: holdings.flatMap(({ appointments }) => appointments.map(({ row }) => row)),
      };
    }
  }
}
