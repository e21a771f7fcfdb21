import * as z from 'zod/mini';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { isNew } from '#platform/data/expressions.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import { simulatedKeys, simulatedRecordDays } from '../registry/simulated-record.ts';

/** Minutes after which a run that did not end is broken off: a worker has as long. */
export const nightlyRunMinutes = 15;

/** Milliseconds in which a request that begins a run sends its message: the gateway answers it before. */
const sentWithinMs = 30_000;

/** The message of the sandbox-nightly-run queue. */
export const nightlyRunJob = z.strictObject({
  organizationId: objectId,
  runId: objectId,
  /** Start of the run: a message of an earlier beginning of it does nothing. */
  startedAt: timestamp,
});

export type NightlyRunJob = z.output<typeof nightlyRunJob>;

const nightlyRun = storedItem('registry-records/nightly-run', {
  runId: objectId,
  /** Time at which it began, or was gone on with. */
  startedAt: timestamp,
  /** Whether the queue has accepted its message. */
  isSent: z.boolean(),
  /** Time at which all of it was done. */
  endedAt: z.optional(timestamp),
  /** The number of its events. */
  events: z.int(),
});

export type NightlyRun = z.output<typeof nightlyRun>;

const latestRun = storedItem('registry-records/latest-nightly-run', { runId: objectId });

/** The status of a run. One whose message was not sent in time is broken off, too. */
export function statusOfRun(
  { startedAt, isSent, endedAt }: NightlyRun,
  now: Date,
): 'running' | 'broken off' | 'done' {
  if (endedAt !== undefined) return 'done';
  const within = isSent ? nightlyRunMinutes * 60_000 : sentWithinMs;
  return now.getTime() - Date.parse(startedAt) < within ? 'running' : 'broken off';
}

/** The nightly runs of organizations. */
export type NightlyRuns = ReturnType<typeof createNightlyRuns>;

export const createNightlyRuns = (table: Table) => ({
  find: (owner: string, runId: string) => table.get(nightlyRun, simulatedKeys.run(owner, runId)),

  /** The run that began last. */
  async latest(owner: string): Promise<NightlyRun | undefined> {
    const latest = await table.get(latestRun, simulatedKeys.latestRun(owner));
    return latest && (await table.get(nightlyRun, simulatedKeys.run(owner, latest.runId)));
  },

  /**
   * Begins a run, or goes on with the latest one if that did not end.
   * @throws VersionConflict when another request has.
   */
  async begin(owner: string, latest: NightlyRun | undefined, now: Date): Promise<NightlyRun> {
    const continuedRun = latest?.endedAt === undefined ? latest : undefined;
    const run = {
      runId: continuedRun?.runId ?? newObjectId(now),
      startedAt: now.toISOString(),
      isSent: false,
      events: continuedRun?.events ?? 0,
    };
    const expiresAt = expiresAfterDays(now, simulatedRecordDays);
    const asRead =
      continuedRun === undefined ? isNew : { startedAt: continuedRun.startedAt, endedAt: undefined };
    await table.transact([
      table.items.put({ ...simulatedKeys.run(owner, run.runId), ...run, expiresAt }, asRead),
      table.items.put(
        { ...simulatedKeys.latestRun(owner), runId: run.runId, expiresAt },
        { runId: latest?.runId },
      ),
    ]);
    return run;
  },

  /** Records that the queue has accepted the message of a run, with further items. */
  sent: (owner: string, { runId, startedAt }: NightlyRun, more: readonly TransactionItem[]) =>
    table.transact([
      table.items.update(simulatedKeys.run(owner, runId), { isSent: true }, { startedAt }),
      ...more,
    ]),

  /** Records how far a run is. @returns false when another worker goes on with it. */
  record: (
    { organizationId, runId, startedAt }: NightlyRunJob,
    changes: Pick<NightlyRun, 'events' | 'endedAt'>,
  ) => table.update(simulatedKeys.run(organizationId, runId), changes, { startedAt }),
});
