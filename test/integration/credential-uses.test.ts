import { tableOf } from '../../shared/platform/data/table.ts';
import { createRecordUse, lastUses } from '../../shared/platform/identity/credential-uses.ts';
import { rateCountersTable } from '../../shared/platform/request/tables.ts';
import { withFaults } from '../support/faults.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

/** Two instances of a function that check credentials, and a clock. */
async function setup() {
  const table = tableOf(rateCountersTable, dynamo, await createTable(rateCountersTable));
  const clock = { time: new Date('2026-11-26T09:00:00.000Z') };
  const logger = recordingLogger();
  const [one, other] = [1, 2].map(() => createRecordUse(table, () => clock.time, logger)) as [
    ReturnType<typeof createRecordUse>,
    ReturnType<typeof createRecordUse>,
  ];
  const lastUse = async (id: string) => (await lastUses(table, [id, 'unused']))(id);
  return { clock, logger, one, other, lastUse };
}

it('the first use of each day is recorded, whichever instance sees it', async () => {
  const { clock, one, other, lastUse } = await setup();
  expect(await lastUse('a')).toBeUndefined();
  await one('a');
  expect(await lastUse('a')).toBe('2026-11-26T09:00:00.000Z');
  clock.time = new Date('2026-11-26T23:59:59.000Z');
  await other('a');
  await other('b');
  expect(await lastUse('a')).toBe('2026-11-26T09:00:00.000Z');
  expect(await lastUse('b')).toBe('2026-11-26T23:59:59.000Z');
  clock.time = new Date('2026-11-27T00:00:00.000Z');
  await one('a');
  expect(await lastUse('a')).toBe('2026-11-27T00:00:00.000Z');
  expect(await lastUse('unused')).toBeUndefined();
});

it('takes one database call a day for a credential and an instance', async () => {
  const { clock, one } = await setup();
  const { calls } = await databaseCalls(async () => {
    for (const time of ['T09:00', 'T09:01', 'T22:00']) {
      clock.time = new Date(`2026-11-26${time}:00.000Z`);
      await Promise.all([one('a'), one('a')]);
    }
  });
  expect(calls).toEqual(['UpdateItemCommand']);
});

it('a use that cannot be recorded harms nobody, and is not tried again with every request', async () => {
  const { logger, one, lastUse } = await setup();
  await withFaults(
    () => 'before',
    async () => {
      await one('a');
      const { calls } = await databaseCalls(() => one('a'));
      expect(calls).toEqual([]);
    },
  );
  expect(logger.lines).toMatchObject([
    { level: 'warn', event: 'credential_use_not_recorded', credentialId: 'a' },
  ]);
  expect(await lastUse('a')).toBeUndefined();
});
