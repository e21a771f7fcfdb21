import * as z from 'zod/mini';
import { timestamp } from '../contract/primitives.ts';

/** The two ways to a receiver: `fast` for first attempts to webhooks in good health, `slow` for everything else. */
export const lanes = ['fast', 'slow'] as const;

export type Lane = (typeof lanes)[number];

/**
 * Attempts to one webhook that may be under way at once in each lane, each held by a slot: a receiver that hangs takes no
 * more of what all share.
 */
export const laneSlots = {
  fast: ['fastSlot1', 'fastSlot2', 'fastSlot3'],
  slow: ['slowSlot1', 'slowSlot2'],
} as const satisfies Record<Lane, readonly string[]>;

export type SlotName = (typeof laneSlots)[Lane][number];

/** Who holds a slot: `<when the hold ends>#<random>`, which sorts by time. */
const slot = z.optional(z.string());

/** How a webhook's receiver has been doing. A webhook without attempts has no such item. */
export const storedHealth = z.object({
  /** Whether the last attempt failed. */
  isFailing: z.optional(z.boolean()),
  /** When the first failure since the last success happened. */
  firstFailureAt: z.optional(timestamp),
  fastSlot1: slot,
  fastSlot2: slot,
  fastSlot3: slot,
  slowSlot1: slot,
  slowSlot2: slot,
});

export type Health = z.output<typeof storedHealth>;

export const healthKey = (owner: string, webhookId: string) => ({
  pk: `${owner}#STANDING`,
  sk: webhookId,
});

/** Days after the last attempt for which the health is kept: more than a webhook's deliveries. */
export const healthDays = 40;

/** A webhook is in good health unless its last attempt failed. */
export const isHealthy = (health: Health): boolean => health.isFailing !== true;
