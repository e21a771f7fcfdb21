import { createRegistry } from '../../shared/domain/environment-registry.ts';
import { eventFunction, type Resources } from '../../shared/domain/function.ts';
import { pollEveryDays } from '../../shared/domain/registry/registry.ts';
import {
  type Clock,
  createClockStore,
  lastNightBefore,
  nightAt,
} from '../../shared/domain/sandbox/clocks.ts';
import { addDays, type CalendarDate, runAhead } from '../../shared/platform/dates/dates.ts';
import { toError } from '../../shared/platform/log/log.ts';
import { createDueNights, createNight, createReset, type OwnResources } from './night.ts';
import { uses } from './uses.ts';

/** How long one run takes at most; the schedule begins the next one, which goes on. */
const runMs = 200_000;

/** How long nobody else runs the nights of a clock: the time limit of the function, and some more. */
const leaseMs = (uses.timeoutSeconds + 10) * 1_000;

function compose(resources: Resources<typeof uses, OwnResources>) {
  const { logger: log, now } = resources.context;
  const clocks = createClockStore(resources.tables.registryRecords);
  const runNight = createNight(resources);
  const dueNights = createDueNights(resources.tables);
  const reset = createReset(resources, runNight);

  /**
   * Runs the next night of a clock on which anything can happen, or has it arrive.
   * @returns the clock as it is then; undefined where nothing is left to do.
   */
  async function step(owner: string, clock: Clock): Promise<Clock | undefined> {
    const { aheadMs, to } = clock;
    const real = now().getTime();
    const target = to === undefined ? real + aheadMs : Date.parse(to);
    const move = async (changes: Partial<Clock>, from = clock): Promise<Clock | undefined> =>
      (await clocks.move(owner, from, changes)) ? { ...from, ...changes } : undefined;
    const last = lastNightBefore(new Date(target));
    if (clock.lastNight >= last) {
      if (to === undefined) return undefined;
      return move({ aheadMs: Math.max(aheadMs, target - real), to: undefined });
    }
    const visitOn = nextVisit(clock, last);
    const { nights, missed } = await dueNights(owner, clock.lastNight);
    const atOnce = missed.length === 0 ? [] : [addDays(clock.lastNight, 1)];
    const night = [...nights, ...atOnce, visitOn].reduce((first, day) => (day < first ? day : first));
    if (night > last) return move({ lastNight: last });
    const atNight = await move({ aheadMs: Math.max(aheadMs, nightAt(night).getTime() - real) });
    if (atNight === undefined) return undefined;
    const visits = night === visitOn;
    const { since } = clock;
    await runAhead(atNight, async () => {
      await runNight(owner, { night, missed, visits, since });
      // While the night was run, a writer by the clock of an earlier one may have had the sweep look on a day that is over.
      const { missed: late } = await dueNights(owner, night);
      if (late.length > 0) await runNight(owner, { night, missed: late, visits: false, since });
    });
    return move({ lastNight: night, ...(visits ? { visitedOn: night } : {}) }, atNight);
  }

  async function run(owner: string, until: number): Promise<void> {
    const found = await clocks.find(owner);
    const at = now();
    if (found === undefined || (found.leasedUntil ?? '') > at.toISOString()) return;
    const leasedUntil = new Date(at.getTime() + leaseMs).toISOString();
    if (!(await clocks.move(owner, found, { leasedUntil }))) return;
    let clock: Clock | undefined = { ...found, leasedUntil };
    try {
      if (clock.isReset === true) {
        await reset(owner);
        await clocks.end(owner, leasedUntil);
        return;
      }
      while (clock !== undefined && now().getTime() < until) clock = await step(owner, clock);
    } catch (error) {
      log.error('A night of a sandbox could not be run; it will be tried again.', {
        event: 'sandbox_night_failed',
        organizationId: owner,
        error: toError(error),
      });
      throw error;
    } finally {
      await clocks.release(owner, leasedUntil);
    }
  }

  return async (): Promise<{ readonly clocks: number }> => {
    const until = now().getTime() + runMs;
    const owners = await clocks.owners();
    const runs = await Promise.allSettled(Array.from(owners, (owner) => run(owner, until)));
    // The schedule's call fails, too, and so counts among the errors of functions.
    for (const run of runs) if (run.status === 'rejected') throw run.reason;
    return { clocks: owners.size };
  };
}

/** The night of the next visit: the first and the last one of an advance, and one where the registry was not visited for long. */
function nextVisit({ lastNight, visitedOn, to }: Clock, last: CalendarDate): CalendarDate {
  const next = addDays(lastNight, 1);
  if (visitedOn === undefined) return next;
  const regular = addDays(visitedOn, pollEveryDays);
  const inTime = regular < next ? next : regular;
  return to !== undefined && last < inTime ? last : inTime;
}

/**
 * Runs the nights of organizations that rehearse, each at its own time, up to where their clocks are or go. Invoked by a schedule
 * every minute. A night may be run again, after a crash: what it records and reports, it does once.
 */
export const sandboxNightsFunction = eventFunction({
  uses,
  compose,
  resources: ({ values, dynamo, context }) => ({
    registry: createRegistry(values, { dynamo, now: context.now }),
  }),
});
