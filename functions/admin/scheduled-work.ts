import * as z from 'zod/mini';
import type { EventItems } from '../../shared/domain/events/transaction-items.ts';
import { createSweepStore, withoutClock } from '../../shared/domain/license-sweep/store.ts';
import { sweepAll } from '../../shared/domain/license-sweep/sweep.ts';
import { createPartiesOfNpns } from '../../shared/domain/npn-holders/holders.ts';
import type { Registry, RegistryPolls } from '../../shared/domain/registry/registry.ts';
import { createReconciliationDeps } from '../../shared/domain/registry-reconciliation/dependencies.ts';
import { reconciliationLog } from '../../shared/domain/registry-reconciliation/log.ts';
import { reconcileAll } from '../../shared/domain/registry-reconciliation/reconcile.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { isoDate } from '../../shared/platform/contract/primitives.ts';
import { addDays, type Clocks, newYorkDate } from '../../shared/platform/dates/dates.ts';
import { type Log, type LogEvent, toError } from '../../shared/platform/log/log.ts';

/** The time as of which scheduled work is done; a date means its day in New York. */
export const asOfInput = z.strictObject({ asOf: z.optional(isoDate) });

/** Days back at most: a year that was mistyped would make the next sweep do every day since. */
export const earliestAsOfDays = 400;

interface ScheduledWorkDeps {
  readonly tables: Tables<'registryRecords' | 'compliance' | 'agents' | 'associations'>;
  readonly registry: Registry & RegistryPolls;
  readonly events: EventItems;
  readonly pollsPerSecond: number;
  readonly mostCallsANight: number;
  readonly allowsFutureAsOf: boolean;
  readonly now: () => Date;
  readonly clocks: Clocks | undefined;
  readonly log: Log;
}

/** Does scheduled work at once, as of a given time; returns its totals. */
export function createScheduledWork({
  tables,
  registry,
  events,
  pollsPerSecond,
  mostCallsANight,
  allowsFutureAsOf,
  now,
  clocks,
  log,
}: ScheduledWorkDeps) {
  const holders = createPartiesOfNpns(tables);
  const sweepStore = createSweepStore(tables, withoutClock(clocks));
  const logFailure = (event: LogEvent) => (context: object, error: unknown) =>
    log.error('Scheduled work failed; it can be retried.', { event, ...context, error: toError(error) });
  const reconciliation = createReconciliationDeps({
    tables,
    registry,
    holders,
    events,
    pollsPerSecond,
    mostCallsANight,
    now,
    clocks,
    onFailure: logFailure('npn_not_polled'),
    ...reconciliationLog(log),
  });
  /** @throws ApiError `validation_error` for a day that is too long ago, and a time that is still to come, where it is not allowed. */
  function instant(asOf: string | undefined): Date {
    const present = now();
    if (asOf === undefined) return present;
    const isDate = asOf.length === 10;
    const today = newYorkDate(present);
    const earliest = addDays(today, -earliestAsOfDays);
    if ((isDate ? asOf : newYorkDate(new Date(asOf))) < earliest) {
      throw invalidAt('asOf', `must not be before ${earliest}, ${earliestAsOfDays} days ago`);
    }
    // What is swept or recorded as of a day that has not come can't be undone when it does.
    if (!allowsFutureAsOf && (isDate ? asOf > today : new Date(asOf) > present)) {
      throw invalidAt('asOf', `must not be in the future; it is ${today} in New York`);
    }
    if (isDate && asOf === today) return present;
    // Noon in UTC falls on the same date in New York, all year round.
    return new Date(isDate ? `${asOf}T12:00:00.000Z` : asOf);
  }

  return {
    sweepLicenses: async ({ asOf }: z.output<typeof asOfInput>) =>
      sweepAll(instant(asOf), {
        store: sweepStore,
        holders,
        events,
        now,
        onFailure: logFailure('license_not_swept'),
      }),
    reconcileRegistry: async ({ asOf }: z.output<typeof asOfInput>) =>
      reconcileAll(instant(asOf), reconciliation),
  };
}
