import { createRecordConfig } from '../../shared/domain/compliance/record-config.ts';
import { configHeads, createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import type { StoredConfigVersion } from '../../shared/domain/compliance/stored.ts';
import { configInForce } from '../../shared/domain/decision/compliance-config.ts';
import { complianceTable } from '../../shared/domain/table-designs.ts';
import { type Table, tableOf } from '../../shared/platform/data/table.ts';
import { addDays, newYorkDate } from '../../shared/platform/dates/dates.ts';
import { inShort } from '../support/extent.ts';
import { newId } from '../support/filings.ts';
import { randomOf } from '../support/random.ts';
import { createTable, dynamo } from '../support/tables.ts';

describe('config versions', () => {
  // How versions are found: those that count are read, however many there are.

  let table: Table<'by-start'>;
  beforeAll(async () => {
    table = tableOf(complianceTable, dynamo, await createTable(complianceTable));
  });

  const productId = '65f0c1d2e3a4b5c6d7e8f905';
  const firstDay = '2026-01-05';
  const noon = (day: string) => new Date(`${day}T17:00:00.000Z`);

  /** Records a version of many bytes at a time; returns it. */
  async function recordAt(
    owner: string,
    time: Date,
    validFrom?: string,
    mustExist = false,
  ): Promise<StoredConfigVersion> {
    const productName = `${time.toISOString()} ${validFrom}`;
    const linesOfAuthority = Array.from({ length: 100 }, (_, index) => `${index} `.padEnd(50, '0'));
    const states = [{ stateCode: 'TX' as const, linesOfAuthority, appointment: 'required' as const }];
    const change = { config: { productId, productName, states, validFrom }, isSilent: true, mustExist };
    const recorded = await createRecordConfig(table)(owner, change, time, () => []);
    return { ...recorded, recordedAt: time.toISOString(), isSilent: true };
  }

  /** The units that some reads consume. */
  async function unitsOf(work: () => Promise<unknown>): Promise<number> {
    let units = 0;
    dynamo.middlewareStack.add(
      (next) => async (args) => {
        Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
        const result = await next(args);
        const { ConsumedCapacity } = result.output as {
          ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[];
        };
        for (const one of [ConsumedCapacity ?? []].flat()) units += one.CapacityUnits ?? 0;
        return result;
      },
      { step: 'initialize', name: 'units' },
    );
    try {
      await work();
    } finally {
      dynamo.middlewareStack.remove('units');
    }
    return units;
  }

  it('costs the same after 60 versions and after 160', async () => {
    const owner = newId();
    const configs = createComplianceConfigs(table);
    let recorded = 0;
    const recordUntil = async (count: number) => {
      for (; recorded < count; recorded += 1) await recordAt(owner, noon(addDays(firstDay, recorded)));
    };
    const costs = async () => {
      const today = addDays(firstDay, recorded - 1);
      const now = new Date(noon(today).getTime() + 60_000);
      const [head] = await configHeads(table, owner);
      if (head === undefined) throw new Error('There is no config.');
      const days = [addDays(today, -10), addDays(today, -3)];
      const then = { day: addDays(today, -7), knownAt: noon(addDays(today, -5)).toISOString() };
      const units: number[] = [];
      for (const work of [
        () => configs.products(owner, now),
        () => configs.all(owner, now),
        () => configs.find(owner, productId, { day: today, knownAt: now.toISOString() }, now),
        () => configs.find(owner, productId, then, now),
        () => configs.versions(owner, new Map([[head, days]]), now.toISOString()),
      ]) {
        units.push(await unitsOf(work));
      }
      return units;
    };
    await recordUntil(60);
    const few = await costs();
    await recordUntil(160);
    const many = await costs();
    expect(Math.min(...few)).toBeGreaterThan(0);
    // A page that was being read when the one before it had the answer may count or not.
    for (const [index, units] of many.entries()) expect(units - (few[index] ?? 0)).toBeLessThanOrEqual(1);
  });

  it('finds the version that decides a day as known at a time, whatever the order of days and recordings', async () => {
    const { below, chance } = randomOf('versions');
    for (let round = 0; round < inShort(1, 10); round += 1) {
      const owner = newId();
      const versions: StoredConfigVersion[] = [];
      for (let index = 0; index < 50; index += 1) {
        const day = addDays(firstDay, Math.floor(index / 2));
        const time = new Date(noon(day).getTime() + index * 1_000);
        const validFrom = chance(30) ? undefined : addDays(day, below(60) - 42);
        versions.push(await recordAt(owner, time, validFrom));
      }
      const now = noon(addDays(firstDay, 45));
      const [first, ...others] = versions;
      if (first === undefined) throw new Error('There is no version.');
      const configs = createComplianceConfigs(table);
      for (let index = 0; index < 60; index += 1) {
        const day = addDays(firstDay, below(120) - 48);
        const knownAt = (chance(40) ? now : noon(addDays(firstDay, below(50) - 5))).toISOString();
        const { config, configBasis } = configInForce([first, ...others], day, knownAt);
        const found = await configs.find(owner, productId, { day, knownAt }, now);
        if (found === undefined) throw new Error('The config is not found.');
        expect(configInForce(found.versions, day, knownAt)).toEqual({ config, configBasis });
        expect(found.productName).toBe(
          configInForce([first, ...others], newYorkDate(now), now.toISOString()).config.productName,
        );
      }
    }
  });

  it('a product has at most 20 new versions a day by requests, and as many as an import has', async () => {
    const owner = newId();
    const at = (index: number) => new Date(noon(firstDay).getTime() + index * 1_000);
    for (let index = 0; index < 20; index += 1) await recordAt(owner, at(index), undefined, index > 0);
    await expect(recordAt(owner, at(20), undefined, true)).rejects.toMatchObject({
      reason: 'state_conflict',
      options: { most: 20 },
    });
    await recordAt(owner, at(21), undefined);
    await recordAt(owner, noon(addDays(firstDay, 1)), undefined, true);
  });
});
