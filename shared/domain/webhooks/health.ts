import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';

/** The queues of drains, each with its own workers: a failing receiver takes none of those of the healthy. */
export const queueNames = ['healthy', 'failing'] as const;

export type QueueName = (typeof queueNames)[number];

/** How a webhook's receiver has been doing; part of its drain item. */
export const health = object(() => ({
  /** Failures in a row, up to `failingAfter`. */
  failures: z.optional(z.int()),
  /** When the first failure since the last success happened. */
  firstFailureAt: z.optional(timestamp),
}));

export type Health = z.output<typeof health>;

/** Failures in a row after which a webhook is failing. */
export const failingAfter = 5;

/** Days of nothing but failures after which a webhook is disabled (OpenAPI, "Webhooks"). */
export const failingDays = 5;

/** A webhook is failing after five failures in a row, and healthy again after one success. */
export const isHealthy = ({ failures = 0 }: Health): boolean => failures < failingAfter;

/** The queue whose workers drain a webhook. */
export const queueOf = (of: Health): QueueName => (isHealthy(of) ? 'healthy' : 'failing');
