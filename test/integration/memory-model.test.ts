import * as fc from 'fast-check';
import { asOf } from '../../shared/domain/registry-records/as-of.ts';
import { subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { createSubscriberRecords } from '../../shared/domain/registry-records/subscriber-records.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { clock, importLines, newOwner, registryRecords, tables } from '../support/agents-tests.ts';
import { answerOf, versionsOf, type Written } from '../support/memory-model.ts';
import {
  appointmentOf,
  dateOf,
  dayOf,
  everyDay,
  licenseOf,
  stories,
  writtenBy,
} from '../support/memory-stories.ts';
import { dynamo } from '../support/tables.ts';

/** More of them for a long run. */
const numRuns = Number(process.env['MEMORY_MODEL_RUNS'] ?? 5);

const npn = '17654321';

/** What the story writes, as the database sees it: the registry takes back only what it has reported, and as it was. */
function possible(writes: ReturnType<typeof writtenBy>): ReturnType<typeof writtenBy> {
  let before: Written | undefined;
  return writes.flatMap((write) => {
    const isTakenBack = write.by !== 'import' && write.written.isGone;
    if (isTakenBack && (before === undefined || before.isGone)) return [];
    const { on } = write.written;
    const written: Written =
      isTakenBack && before !== undefined ? { ...before, on, isGone: true, given: null } : write.written;
    before = written;
    return [{ ...write, written }];
  });
}

/** Tells a story of a license and an appointment through the registry's reports and imports; answers whose they are. */
async function lived(writes: ReturnType<typeof writtenBy>, kind: 'license' | 'appointment'): Promise<string> {
  const owner = await newOwner();
  const records = createSubscriberRecords(dynamo, tables.registryRecords);
  const subscriber = {
    _id: subscriptionIdOf(owner, npn),
    dataOwnerId: owner,
    dataOwnerModel: 'upstreamEntity' as const,
    npn,
  };
  for (const { at, by, written } of writes) {
    const record = kind === 'license' ? licenseOf(written, '') : appointmentOf(written, '');
    const { registryDataSubscriptionId: _id, npn: _npn, updatedAt: _at, ...reported } = record;
    clock.time = at;
    if (by === 'import') {
      const validFrom = written.given === null ? {} : { validFrom: dateOf(written.given) };
      const line = { type: kind, npn, ...reported, ...validFrom, isDeleted: written.isGone };
      expect((await importLines(owner, [line])).rejected).toEqual([]);
      continue;
    }
    const found = written.isGone ? [] : [reported];
    const report = {
      licenses: kind === 'license' ? (found as ReturnType<typeof licenseOf>[]) : undefined,
      appointments: kind === 'appointment' ? (found as ReturnType<typeof appointmentOf>[]) : undefined,
      actions: [],
    };
    const application = { at, by, last: () => [] };
    await records.apply(subscriber, await records.read(subscriber), report, application);
  }
  return owner;
}

it('answers of a license on each day what the rule says, however its versions were written', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (steps) => {
      const writes = possible(writtenBy(steps, false));
      const owner = await lived(writes, 'license');
      const versions = versionsOf(writes.map(({ written }) => written));
      const [history = []] = await collect(registryRecords().licenseHistoriesOf(owner, npn));
      const said = everyDay.map((day) => {
        const { record, isLive, isRecorded } = asOf(history, dayOf(day));
        return { day, isLive, content: isLive ? record?.linesOfAuthority[0]?.code : undefined, isRecorded };
      });
      expect(said).toEqual(everyDay.map((day) => ({ day, ...answerOf(versions, day) })));
      expect(history).toHaveLength(versions.length);
    }),
    { numRuns },
  );
});

it('lists the appointments of each day as the rule says, however their versions were written', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (steps) => {
      const writes = possible(writtenBy(steps, true)).map((write) => ({
        ...write,
        // The county is part of what identifies an appointment.
        written: { ...write.written, content: '16' },
      }));
      const owner = await lived(writes, 'appointment');
      const versions = versionsOf(writes.map(({ written }) => written));
      for (const day of everyDay.filter((one) => one % 7 === 0)) {
        const listed = await collect(registryRecords().appointmentsOf(owner, npn, { asOf: dayOf(day) }));
        expect([day, listed.length]).toEqual([day, answerOf(versions, day).isLive ? 1 : 0]);
      }
    }),
    { numRuns },
  );
});
