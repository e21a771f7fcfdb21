import { randomBytes } from 'node:crypto';
import {
  drainDays,
  drainKey,
  drainRequest,
  nextDrainKeyOf,
  type StoredDrain,
  secondsLater,
  storedDrain,
  type WebhookReference,
} from '#domain/webhooks/drain.ts';
import type { Health } from '#domain/webhooks/stored.ts';
import { absentOr, atMost, below, type Changes, type Condition } from '#platform/data/expressions.ts';
import type { Table } from '#platform/data/table.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import { leaseSeconds } from './uses.ts';

/** The right to drain a webhook. */
export interface Lease {
  readonly webhook: WebhookReference;
  /** `<when the lease ends>#<random>`. */
  readonly token: string;
  readonly takenAt: Date;
  /** The drain item when the lease was taken. */
  readonly drain: StoredDrain;
}

/** Times of the next drain; without `nextDrainAt` nothing is left to do. */
interface NextDrain {
  readonly nextDrainAt?: string | undefined;
  /** Time at which the message arrives that is sent for it. */
  readonly delayedUntil?: string | undefined;
  /** End of a failing webhook’s back-off. */
  readonly backOffUntil?: string | undefined;
}

export type LeaseStore = ReturnType<typeof createLeaseStore>;

export function createLeaseStore(table: Table) {
  /** Writes the changes; `drain` is the item as it is then, or as it is when the condition does not hold. */
  async function write(webhook: WebhookReference, changes: Changes, condition: Condition) {
    const { isWritten, item } = await table.change(storedDrain, drainKey(webhook), changes, condition);
    return { drain: item ?? {}, isRefused: !isWritten };
  }

  const changesOfRelease = (
    { webhook: { webhookId } }: Lease,
    { nextDrainAt, delayedUntil, backOffUntil }: NextDrain,
  ): Changes => ({
    lease: undefined,
    nextDrainAt,
    nextDrainKey: nextDrainAt === undefined ? undefined : nextDrainKeyOf(webhookId),
    ...(delayedUntil === undefined ? {} : { delayedUntil }),
    ...(backOffUntil === undefined ? {} : { backOffUntil }),
  });

  return {
    /**
     * Takes the lease; undefined while another worker has it, who then sees that it is wanted, or while the webhook backs off. What
     * is written before somebody asks for a drain is seen by the worker that takes the lease afterwards.
     */
    async take(webhook: WebhookReference, now: Date): Promise<Lease | undefined> {
      const until = secondsLater(now, leaseSeconds);
      const token = `${until}#${randomBytes(8).toString('hex')}`;
      const time = now.toISOString();
      const changes = {
        lease: token,
        nextDrainAt: until,
        nextDrainKey: nextDrainKeyOf(webhook.webhookId),
        expiresAt: expiresAfterDays(now, drainDays),
        wantedAt: undefined,
        backOffUntil: undefined,
      };
      const isFree = { lease: absentOr(below(time)), backOffUntil: absentOr(atMost(time)) };
      const { drain, isRefused } = await write(webhook, changes, isFree);
      // The answer to the write may have been lost, and its repetition refused.
      if (isRefused && drain.lease !== token) return undefined;
      return { webhook, token, takenAt: now, drain };
    },

    /** Gives the lease back; `wanted` when somebody asked for another drain meanwhile, and the lease is kept. */
    async release(lease: Lease, next: NextDrain): Promise<'released' | 'wanted' | 'lost'> {
      const isUnwanted = { lease: lease.token, wantedAt: undefined };
      const { drain, isRefused } = await write(lease.webhook, changesOfRelease(lease, next), isUnwanted);
      if (!isRefused) return 'released';
      return drain.lease === lease.token ? 'wanted' : 'lost';
    },

    /** Clears the request for another drain, which the worker that has the lease makes now. */
    async clearWanted({ webhook, token }: Lease): Promise<void> {
      await write(webhook, { wantedAt: undefined }, { lease: token });
    },

    /** Gives the lease back until the webhook has backed off; false when another worker took it meanwhile. */
    async backOff(
      lease: Lease,
      {
        backOffUntil,
        delayedUntil,
      }: { readonly backOffUntil: string; readonly delayedUntil: string | undefined },
    ) {
      const changes = changesOfRelease(lease, { nextDrainAt: backOffUntil, backOffUntil, delayedUntil });
      return !(await write(lease.webhook, changes, { lease: lease.token })).isRefused;
    },

    /** Gives the lease back and asks for a drain by another worker; false as for `backOff`. */
    async requeue({ webhook, token }: Lease, now: Date): Promise<boolean> {
      const changes = { ...drainRequest(webhook, now), lease: undefined };
      return !(await write(webhook, changes, { lease: token })).isRefused;
    },

    /** Writes what was learned of a receiver; answers its health as it was reset meanwhile, if it was. */
    async saveHealth(
      { webhook, token, drain: { healthSince } }: Lease,
      { failures = 0, firstFailureAt }: Health,
    ) {
      const isOfThisHealth = { lease: token, healthSince };
      const { drain, isRefused } = await write(webhook, { failures, firstFailureAt }, isOfThisHealth);
      return isRefused ? drain : undefined;
    },
  };
}
