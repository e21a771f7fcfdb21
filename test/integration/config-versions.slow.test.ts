import {
  createRecordConfig,
  mostBytesOfVersions,
  mostVersionsADay,
} from '#domain/compliance/record-config.ts';
import { configHeads, createComplianceConfigs } from '#domain/compliance/store.ts';
import { complianceKeys, type StoredConfigVersion } from '#domain/compliance/stored.ts';
import { configInForce } from '#domain/decision/compliance-config.ts';
import { complianceTable } from '#domain/tables.ts';
import { type Table, tableOf } from '#platform/data/table.ts';
import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import { inShort } from '../support/extent.ts';
import { newId } from '../support/filings.ts';
import { randomOf } from '../support/seeded.ts';
import { createTable, dynamo } from '../support/tables.ts';

describe('config versions', () => {
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

  it('are at most 20 of a product a day', async () => {
    const owner = newId();
    const record = (index: number) => recordAt(owner, noon(firstDay), addDays(firstDay, index));
    for (let index = 0; index < mostVersionsADay; index += 1) await record(index);
    await expect(record(100)).rejects.toMatchObject({ options: { most: mostVersionsADay } });
    await recordAt(owner, noon(addDays(firstDay, 1)), addDays(firstDay, 100));
  });

  it('have room for some 1,000 of a product', async () => {
    const owner = newId();
    const day = newYorkDate(noon(firstDay));
    await recordAt(owner, noon(firstDay));
    const [head] = await configHeads(table, owner);
    const [entry] = head?.versions ?? [];
    if (head === undefined || entry === undefined) throw new Error('There is no config.');
    const versions = Array.from({ length: 1_200 }, () => entry);
    await table.put({ ...complianceKeys.config(owner, productId), ...head, versions });
    await expect(recordAt(owner, noon(addDays(day, 1)))).rejects.toMatchObject({
      reason: 'state_conflict',
      options: { most: mostBytesOfVersions },
    });
  });
});
