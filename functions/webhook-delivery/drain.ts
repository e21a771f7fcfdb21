import { type DueEntry, readDueEntry, secondsLater } from '#domain/webhooks/drain.ts';
import type { DrainMessage, DrainQueues } from '#domain/webhooks/drain-queues.ts';
import type { WebhookSecrets } from '#domain/webhooks/secrets.ts';
import {
  type Health,
  isHealthy,
  type QueueName,
  queueOf,
  type StoredWebhook,
} from '#domain/webhooks/stored.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import type { LogOutcome } from '#platform/log/log.ts';
import type { Delivery, MessageOutcome } from '#platform/queue/consumer.ts';
import { type AttemptDeps, healthAfter, hostOf, makeAttempt } from './attempt.ts';
import { checkDue, type DueCheck } from './check-due.ts';
import type { Connections } from './exchange.ts';
import type { Lease, LeaseStore, RecordAttempt } from './store.ts';
import { leaseSeconds } from './uses.ts';

/** Attempts at a webhook that are under way at once: at a healthy one of which more is due than a page, the `backlog`. */
export const attemptsAtOnce: Readonly<Record<QueueName | 'backlog', number>> = {
  healthy: 20,
  backlog: 50,
  failing: 1,
};

/**
 * Due entries that are read together: one call, or two at once, reads their deliveries and the webhook, and with their events, of
 * up to 200 KB each, those of an invocation's webhooks fit its memory. A backlog's attempts wait for the slowest of a page, so it
 * has several rounds of them.
 */
export const pageSizes: Readonly<Record<QueueName, number>> = { healthy: 2 * batchGetKeys - 1, failing: 25 };

/** Seconds before the end of the lease in which no attempt starts: an attempt, its record, and some. */
const lastSeconds = 20;

/**
 * Seconds of a lease in which attempts may start. A failing webhook then backs off for as long as its lease lasted, so it gets at
 * most 30 seconds of a worker's time a minute.
 */
const attemptSeconds: Readonly<Record<QueueName, number>> = {
  healthy: leaseSeconds - lastSeconds,
  failing: 15,
};

export interface DrainDeps extends AttemptDeps {
  readonly leases: LeaseStore;
  readonly queues: DrainQueues;
  readonly secrets: WebhookSecrets;
  /** Opens the connections of one lease. */
  readonly connect: () => Connections;
}

/**
 * The longest time that a failing webhook backs off: a lease in the queue of the healthy, in which a receiver began to fail, lasts
 * longer than others.
 */
const longestBackOffSeconds = 30;

/** A drain within this time is asked for by a delayed message, unless one is outstanding; a later one by the schedule. */
const delayedWithinSeconds = 60;

/** A worker's lease of a webhook. */
interface Draining {
  readonly lease: Lease;
  readonly queue: QueueName;
  readonly connections: Connections;
  readonly record: RecordAttempt;
  health: Health;
  savedHealth: Health;
  attempts: number;
  /** Seconds that a delivery had been due for when the lease found it; the most of its checks. */
  lateSeconds: number;
  /** Why the last attempt failed; undefined after a success. */
  fault: string | undefined;
}

const healthIn = ({ failures, firstFailureAt }: Health): Health =>
  failures === undefined ? {} : { failures, firstFailureAt };

const secondsSince = (from: Date, now: Date): number => (now.getTime() - from.getTime()) / 1_000;

/** Whether the lease may go on to attempt: there is time, and the webhook is still of the queue's health. */
const mayGoOn = (draining: Draining, { now }: DrainDeps): boolean =>
  queueOf(draining.health) === draining.queue &&
  secondsSince(draining.lease.takenAt, now()) < attemptSeconds[draining.queue];

/**
 * Drains a webhook: makes its attempts that are due, several at once. One worker at a time has the lease. A worker that finds
 * nothing due gives it back, unless another drain was requested since its last check began. After a crash the schedule has the
 * webhook drained when the lease ends; at most the attempts that were under way are repeated.
 */
export async function drain(
  { message }: Pick<Delivery<DrainMessage>, 'message'>,
  deps: DrainDeps,
): Promise<MessageOutcome> {
  const { queue, ...webhook } = message;
  const lease = await deps.leases.take(webhook, deps.now());
  if (lease === undefined) return 'done';
  const health = healthIn(lease.drain);
  const connections = deps.connect();
  const draining: Draining = {
    lease,
    queue,
    connections,
    record: deps.store.recorder(webhook.owner),
    health,
    savedHealth: health,
    attempts: 0,
    lateSeconds: 0,
    fault: undefined,
  };
  try {
    const outcome = await drainLeased(draining, deps);
    deps.log.info('webhook drain', {
      event: 'webhook_drain',
      outcome,
      upstreamEntityId: webhook.owner,
      webhookId: webhook.webhookId,
      queue,
      attempts: draining.attempts,
      lateSeconds: draining.lateSeconds,
      durationMs: deps.now().getTime() - lease.takenAt.getTime(),
    });
  } finally {
    connections.close();
  }
  return 'done';
}

type DrainOutcome = LogOutcome<'webhook_drain'>;

/** Checks until nothing is due, or the lease is over; answers how it ended. */
async function drainLeased(draining: Draining, deps: DrainDeps): Promise<DrainOutcome> {
  for (;;) {
    if (!mayGoOn(draining, deps)) return stop(draining, deps);
    const checkedAt = deps.now();
    const check = await checkDue(draining.lease.webhook, pageSizes[draining.queue], deps);
    draining.lateSeconds = Math.max(draining.lateSeconds, lateSecondsOf(check, deps.now()));
    const { isDone, nextAt } = await attemptAll(draining, { ...check, checkedAt }, deps);
    const isDueAgain = nextAt !== undefined && Date.parse(nextAt) <= deps.now().getTime();
    if (!isDone || check.hasMore || isDueAgain) continue;
    const releaseOutcome = await release(draining, nextAt, deps);
    if (releaseOutcome === 'wanted' && backOffUntil(draining, deps) !== undefined)
      return stop(draining, deps);
    if (releaseOutcome !== 'wanted') return releaseOutcome;
    await deps.leases.clearWanted(draining.lease);
  }
}

/** Whole seconds since the first attempt that a check found was due. */
function lateSecondsOf({ attempts: [first] }: DueCheck, now: Date): number {
  return first === undefined ? 0 : Math.floor(secondsSince(new Date(readDueEntry(first.entry).dueAt), now));
}

/** Attempts, and seconds, after which a webhook is read again: what its owner deleted or changed must have no more of them. */
const attemptsOfReading = 20;
const secondsOfReading = 1;

/** Answers before each attempt whether a webhook is still as it was read. */
function watch(
  { owner, webhookId }: Lease['webhook'],
  { version }: StoredWebhook,
  readAt: Date,
  { store, now }: DrainDeps,
): () => Promise<boolean> {
  let last = { at: readAt, attempts: 0 };
  let isUnchanged = Promise.resolve(true);
  return () => {
    if (last.attempts >= attemptsOfReading || secondsSince(last.at, now()) >= secondsOfReading) {
      last = { at: now(), attempts: 0 };
      isUnchanged = store.read({ owner, webhookId }, []).then(({ webhook }) => webhook?.version === version);
    }
    last.attempts += 1;
    return isUnchanged;
  };
}

/** Makes the attempts that a check found, as long as the lease goes on and the webhook stays as it is. */
async function attemptAll(
  draining: Draining,
  { webhook, attempts, nextAt, hasMore, checkedAt }: DueCheck & { readonly checkedAt: Date },
  deps: DrainDeps,
): Promise<{ readonly isDone: boolean; readonly nextAt: string | undefined }> {
  if (webhook === undefined || attempts.length === 0) return { isDone: true, nextAt };
  const signer = await deps.secrets.reveal(webhook);
  const attemptedEntries: DueEntry[] = [];
  const records: Promise<void>[] = [];
  const nextTimes = nextAt === undefined ? [] : [nextAt];
  const isUnchanged = watch(draining.lease.webhook, webhook, checkedAt, deps);
  const atOnce = attemptsAtOnce[draining.queue === 'healthy' && hasMore ? 'backlog' : draining.queue];
  let isOver = false;
  try {
    await concurrently(
      attempts,
      async ({ entry, delivery, event }) => {
        if (isOver || !mayGoOn(draining, deps)) return;
        if (!(await isUnchanged())) isOver = true;
        if (isOver) return;
        draining.attempts += 1;
        const result = await makeAttempt(
          {
            owner: draining.lease.webhook.owner,
            webhook,
            signer,
            delivery,
            event,
            exchange: draining.connections.exchange,
            record: draining.record,
            health: () => draining.health,
          },
          deps,
        );
        draining.health = healthAfter(draining.health, result);
        draining.fault = result.fault;
        isOver ||= result.isDisabled;
        const recording = result.recording.then((next) => {
          attemptedEntries.push(entry);
          if (next !== undefined) nextTimes.push(next);
        });
        recording.catch(() => {
          isOver = true;
        });
        records.push(recording);
      },
      atOnce,
    );
    await Promise.all(records);
  } finally {
    await Promise.allSettled(records);
    // After their records: until then they lead to the attempts.
    await deps.store.removeEntries(attemptedEntries);
  }
  await saveHealth(draining, webhook, deps);
  // A check of a webhook that was disabled or deleted removes what is left.
  return { isDone: attemptedEntries.length === attempts.length && !isOver, nextAt: nextTimes.sort()[0] };
}

/** Keeps what was learned of the receiver, unless its owner has reset that meanwhile. */
async function saveHealth(
  draining: Draining,
  webhook: StoredWebhook,
  { leases, log }: DrainDeps,
): Promise<void> {
  if (isDeepStrictEqual(draining.health, draining.savedHealth)) return;
  const reset = await leases.saveHealth(draining.lease, draining.health);
  if (reset !== undefined) draining.health = healthIn(reset);
  if (isHealthy(draining.savedHealth) && !isHealthy(draining.health)) {
    log.warn('webhook failing', {
      event: 'webhook_failing',
      upstreamEntityId: draining.lease.webhook.owner,
      webhookId: webhook._id,
      host: hostOf(webhook),
      fault: draining.fault,
    });
  }
  draining.savedHealth = draining.health;
}

/** End of a failing webhook’s back-off, which lasts as long as its lease did, in whole seconds. */
function backOffUntil({ lease, health }: Draining, { now }: DrainDeps): string | undefined {
  const time = now();
  const seconds = isHealthy(health) ? 0 : Math.floor(secondsSince(lease.takenAt, time));
  return seconds === 0 ? undefined : secondsLater(time, Math.min(seconds, longestBackOffSeconds));
}

/** Ends a lease after which something may be due: another worker goes on, of a failing webhook when it has backed off. */
async function stop(draining: Draining, deps: DrainDeps): Promise<DrainOutcome> {
  const { lease } = draining;
  const now = deps.now();
  const until = backOffUntil(draining, deps);
  if (until !== undefined) {
    const delayedMessage = delayOf(draining, until, now);
    const isReleased = await deps.leases.backOff(lease, {
      backOffUntil: until,
      delayedUntil: delayedMessage?.until,
    });
    if (isReleased && delayedMessage !== undefined) await send(draining, delayedMessage.seconds, deps);
    return isReleased ? 'backs_off' : 'lost';
  }
  if (!(await deps.leases.requeue(lease, now))) return 'lost';
  await send(draining, 0, deps);
  return 'requeued';
}

/** Gives the lease back until the next entry is due; a failing webhook backs off before. */
async function release(
  draining: Draining,
  nextAt: string | undefined,
  deps: DrainDeps,
): Promise<'released' | 'wanted' | 'lost'> {
  const until = backOffUntil(draining, deps);
  const nextDrainAt = nextAt !== undefined && until !== undefined && until > nextAt ? until : nextAt;
  const delayedMessage = nextDrainAt === undefined ? undefined : delayOf(draining, nextDrainAt, deps.now());
  const next = { nextDrainAt, backOffUntil: until, delayedUntil: delayedMessage?.until };
  const releaseOutcome = await deps.leases.release(draining.lease, next);
  if (releaseOutcome === 'released' && delayedMessage !== undefined)
    await send(draining, delayedMessage.seconds, deps);
  return releaseOutcome;
}

/** The delayed message for a drain, if it is soon and no other message is outstanding. */
function delayOf(
  { lease: { drain } }: Draining,
  drainAt: string,
  now: Date,
): { readonly seconds: number; readonly until: string } | undefined {
  const seconds = Math.max(0, Math.ceil((Date.parse(drainAt) - now.getTime()) / 1_000));
  // A message that was due within the last second has just arrived: it is this lease's.
  const isOutstanding =
    drain.delayedUntil !== undefined && Date.parse(drain.delayedUntil) > now.getTime() + 1_000;
  if (seconds > delayedWithinSeconds || isOutstanding) return undefined;
  return { seconds, until: secondsLater(now, seconds) };
}

const send = ({ lease, health }: Draining, delaySeconds: number, { queues }: DrainDeps): Promise<void> =>
  queues.send([{ message: { ...lease.webhook, queue: queueOf(health) }, delaySeconds }]);
