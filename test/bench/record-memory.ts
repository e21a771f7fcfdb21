import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { appointmentsOf, licensesOf } from '../../shared/domain/compliance/records-of-day.ts';
import type { RegistryReport } from '../../shared/domain/registry/registry.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { storedBytes } from '../../shared/platform/data/stored-bytes.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { addDays } from '../../shared/platform/dates/calendar.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { consumed } from './consumed.ts';
import { count, type Row } from './report.ts';

const npn = '17654321';
const states = ['TX', 'OK', 'LA', 'NM', 'AR', 'FL', 'CA', 'NY', 'PA', 'OH'] as const;
const firstDay = '2025-01-01';
const asOf = '2025-01-05';

/** What the registry reports of ten licenses and ten appointments after so many changes of each. */
function report(change: number): RegistryReport {
  const renewalDate = addDays('2027-03-31', change);
  const renewed = { nextRenewalDate: renewalDate, expirationDate: renewalDate };
  return reportOf({
    licenses: states.map((stateCode) => ({ stateCode, ...renewed })),
    appointments: states.map((stateCode) => ({ stateCode, renewalDate })),
  });
}

/**
 * What a question about a former day costs beside one about today, by how many versions each record has, and what
 * synchronizations that find nothing changed leave behind.
 */
export async function measureMemory(): Promise<Row[]> {
  const table = await createTable(registryRecordsTable);
  const holders = holdersIn(table);
  const reads = {
    registryRecords: createRegistryRecords(tableOf(registryRecordsTable, dynamo, table)),
    recordedFacts: createRecordedFacts(tableOf(registryRecordsTable, dynamo, table)),
  };

  async function synchronize(owner: string, day: number, change: number): Promise<void> {
    await holders.poll(owner, npn, `${addDays(firstDay, day)}T09:00:00Z`, report(change));
  }
  async function bytesOf(owner: string): Promise<number> {
    const items = await holders.itemsOf(owner, npn);
    return Array.from(items.values()).reduce((sum, item) => sum + storedBytes(toItem(item)), 0);
  }
  async function askedOf(
    owner: string,
    day: string | undefined,
    stateCode?: 'TX',
  ): ReturnType<typeof consumed> {
    return consumed(dynamo, async () => {
      const filters = { stateCode };
      const moment = momentOf({ asOf: day }, new Date());
      const [licenses, appointments] = await Promise.all([
        collect(licensesOf(owner, npn, filters, moment, reads)),
        collect(appointmentsOf(owner, npn, filters, moment, reads)),
      ]);
      const expected = stateCode === undefined ? states.length : 1;
      if (licenses.length !== expected || appointments.length !== expected) {
        throw new Error(`${licenses.length} licenses and ${appointments.length} appointments were found.`);
      }
    });
  }

  const rows: Row[] = [];
  let unchanged = 0;
  for (const versions of [1, 5, 20]) {
    const owner = newObjectId(new Date());
    for (let change = 0; change < versions; change += 1) await synchronize(owner, change, change);
    for (const stateCode of [undefined, 'TX'] as const) {
      await askedOf(owner, asOf, stateCode);
      const present = await askedOf(owner, undefined, stateCode);
      const past = await askedOf(owner, asOf, stateCode);
      const ratio = Math.max(past.units / present.units, past.calls / present.calls);
      const shown = ({ units, calls }: typeof past): string => `${units} units, ${calls} calls`;
      const what = stateCode === undefined ? 'ten licenses and appointments' : 'one of each';
      rows.push({
        what: `${what}, ${versions} versions each, as of a day`,
        measured: shown(past),
        comparedWith: `today: ${shown(present)}`,
        ratio,
        // Every version is an item of its own, and a question about a former day reads them all.
        ...(versions === 1 ? { budget: 'at most 3', isWithin: ratio <= 3 } : {}),
      });
      if (stateCode !== undefined) continue;
      if (versions === 1) unchanged = present.units;
      else {
        rows.push({
          what: `the same, today`,
          measured: shown(present),
          comparedWith: `1 version each: ${unchanged} units`,
          ratio: present.units / unchanged,
        });
      }
    }
  }

  const owner = newObjectId(new Date());
  await synchronize(owner, 0, 0);
  const before = await bytesOf(owner);
  for (let day = 1; day < 30; day += 1) await synchronize(owner, day, 0);
  const after = await bytesOf(owner);
  rows.push({
    what: 'storage of an NPN after 30 synchronizations without changes',
    measured: `${count(after)} bytes`,
    comparedWith: `after the first: ${count(before)} bytes`,
    ratio: after / before,
    budget: '1.00',
    isWithin: after === before,
  });
  for (let change = 1; change < 20; change += 1) await synchronize(owner, 30 + change, change);
  const changed = await bytesOf(owner);
  rows.push({
    what: 'the same after 19 changes of each record',
    measured: `${count(changed)} bytes`,
    comparedWith: `before: ${count(before)} bytes`,
    ratio: changed / before,
  });
  return rows;
}
