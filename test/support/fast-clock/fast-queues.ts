import * as z from 'zod/mini';
import { queueDelaySeconds, queueVisibilitySeconds } from '#platform/aws/limits.ts';
import type { AwsMiddleware } from '../../../infra/local/aws/endpoint.ts';
import { bodyOf } from '../../../infra/local/aws/service.ts';

interface Delayed {
  readonly DelaySeconds?: number | undefined;
}

const delay = z.optional(z.number());
const input = z.looseObject({
  DelaySeconds: delay,
  Entries: z.optional(z.array(z.looseObject({ DelaySeconds: delay }))),
  Attributes: z.optional(z.looseObject({ VisibilityTimeout: z.optional(z.string()) })),
});
type Input = z.output<typeof input>;

/** Seconds for which a failed message is hidden at most: its queue hides it six times as long as its function may run. */
const longestHiddenSeconds = 10;
/** By how much sooner than everything else it is visible again. */
const sooner = 4;

/** The times of a message or a queue, from faster clocks' to the engine's. SQS has to see what it rejects. */
function slowedDown(body: Input, speed: number): Input {
  const delayed = <One extends Delayed>(one: One): One => {
    const { DelaySeconds: seconds } = one;
    if (seconds === undefined || seconds > queueDelaySeconds) return one;
    return { ...one, DelaySeconds: Math.ceil(seconds / speed) };
  };
  const { Entries, Attributes } = body;
  const hidden = Number(Attributes?.VisibilityTimeout);
  const seconds = Math.min(longestHiddenSeconds, Math.ceil(hidden / speed / sooner));
  return {
    ...delayed(body),
    ...(Entries === undefined ? {} : { Entries: Entries.map(delayed) }),
    ...(hidden <= queueVisibilitySeconds
      ? { Attributes: { ...Attributes, VisibilityTimeout: String(seconds) } }
      : {}),
  };
}

/** Queues whose delays and visibility timeouts pass faster, so that tests do not have to wait for them. */
export const fastQueues =
  (speed: number): AwsMiddleware =>
  ({ service, request }, next) => {
    if (service !== 'sqs') return next();
    const body = Buffer.from(JSON.stringify(slowedDown(bodyOf(request, input), speed)));
    return next({ ...request, body });
  };
