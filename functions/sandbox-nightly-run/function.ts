import { reportDeps, reportNow } from '#domain/compliance-changes/report.ts';
import { createEventItems } from '#domain/events/outbox.ts';
import { internalTypes } from '#domain/events/stored.ts';
import type { EventItems } from '#domain/events/transaction-items.ts';
import { createSweepStore } from '#domain/license-sweep/store.ts';
import { sweepSubscription } from '#domain/license-sweep/sweep.ts';
import { createPartiesOfNpns } from '#domain/npn-holders/holders.ts';
import { createRegistry } from '#domain/registry/environment-registry.ts';
import {
  createReconciliationStore,
  isOfCarrier,
  recordVisit,
  reportToAll,
} from '#domain/registry-reconciliation/visit.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '#domain/registry-records/resources.ts';
import { registryKeys } from '#domain/registry-records/stored.ts';
import { createSubscriberRecords } from '#domain/registry-records/subscriber-records.ts';
import {
  createNightlyRuns,
  type NightlyRunJob,
  nightlyRunJob,
  statusOfRun,
} from '#domain/sandbox/nightly-runs.ts';
import { eventFunction } from '#function/function.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { toError } from '#platform/log/log.ts';
import { type MessageOutcome, queueConsumer, queueContext } from '#platform/queue/consumer.ts';
import { checkFinished } from '#platform/queue/scheduled-jobs.ts';
import { createSqsClient } from '#platform/queue/send.ts';
import { uses } from './uses.ts';

/** Calls back with the number of events once they are written, without those for this service alone. */
const counting =
  (events: EventItems, countEvents: (count: number) => void): EventItems =>
  (newEvents, time) => {
    const shownEvents = newEvents.filter(({ type }) => !internalTypes.some((internal) => internal === type));
    const [first, ...rest] = events(newEvents, time);
    return first === undefined ? [] : [{ ...first, written: () => countEvents(shownEvents.length) }, ...rest];
  };

/** Does nightly runs, each for the one organization that asked for it. */
export const sandboxNightlyRunFunction = eventFunction({
  uses,
  resources: ({ values, dynamo, context }) => ({
    registry: createRegistry(values, { dynamo, now: context.now }),
    queue: queueContext(createSqsClient(), values),
  }),
  compose({ registry, tables, queue, context: { logger: log, now } }) {
    const runs = createNightlyRuns(tables.registryRecords);
    const holders = createPartiesOfNpns(tables);
    const ofVisits = {
      store: createReconciliationStore(tables.registryRecords),
      records: createSubscriberRecords(tables.registryRecords, now),
      registry,
      log,
      now,
    };
    const ofReports = reportDeps(tables, now);
    const ofSweep = { store: createSweepStore(tables), now };

    /** A night of one NPN: the visit of the registry, the license sweep, and the report of its compliance. */
    async function night(subscription: RegistryDataSubscription, events: EventItems): Promise<void> {
      const { _id, npn, dataOwnerId: owner } = subscription;
      // Events are for carriers.
      const parties = isOfCarrier(subscription) ? ((await holders([subscription])).get(_id) ?? []) : [];
      const askedAt = now();
      const report = await reportToAll(registry, npn);
      await recordVisit(
        { subscription, holders: parties, report, askedAt, isSilent: false },
        { ...ofVisits, events },
      );
      if (!isOfCarrier(subscription)) return;
      await sweepSubscription(subscription, parties, { ...ofSweep, events });
      await reportNow(owner, npn, { ...ofReports, events });
    }

    /**
     * Does what a night does, for the NPNs of one organization. It may be done any number of times: what it records and emits, it
     * does once, and so a run that is gone on with begins again.
     * @throws JobUnfinished when some NPNs failed, after all others: the run does not end.
     */
    async function run(job: NightlyRunJob): Promise<MessageOutcome> {
      const { organizationId: owner, runId, startedAt } = job;
      const nightlyRun = await runs.find(owner, runId);
      if (nightlyRun?.startedAt !== startedAt || statusOfRun(nightlyRun, now()) !== 'running') return 'done';
      let { events } = nightlyRun;
      let failures = 0;
      const countedEvents = counting(createEventItems(tables.outbox.items), (count) => {
        events += count;
      });
      const { pk } = registryKeys.subscription(owner, '');
      for await (const page of tables.registryRecords.query(registryDataSubscription, pk, {
        consistent: true,
      })) {
        await concurrently(page, (subscription) =>
          night(subscription, countedEvents).catch((error: unknown) => {
            failures += 1;
            log.error('An NPN failed within a nightly run.', {
              event: 'nightly_run_failed',
              organizationId: owner,
              npn: subscription.npn,
              error: toError(error),
            });
          }),
        );
        if (!(await runs.record(job, { events }))) return 'done';
      }
      checkFinished({ failed: failures });
      await runs.record(job, { events, endedAt: now().toISOString() });
      return 'done';
    }

    return queueConsumer({ schema: nightlyRunJob, work: ({ message }) => run(message), ...queue, log });
  },
});
