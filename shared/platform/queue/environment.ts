import * as z from 'zod/mini';

/** Variables of a function that consumes a queue. */
export const queueEnvironment = {
  DEAD_LETTER_QUEUE_URL: z.string(),
  /** How often the queue delivers a message. */
  MAX_RECEIVE_COUNT: z.pipe(z.string(), z.pipe(z.transform(Number), z.int().check(z.gte(1)))),
};
