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

/** The times of a message or a queue, from faster clocks' to the engine's. */
function slowedDown(body: Input, speed: number, visibilitySpeed = speed): Input {
  // SQS has to see what it rejects.
  const seconds = (given: number, longest: number, times = speed): number =>
    given > longest ? given : Math.ceil(given / times);
  const delayed = <One extends Delayed>(one: One): One =>
    one.DelaySeconds === undefined
      ? one
      : { ...one, DelaySeconds: seconds(one.DelaySeconds, queueDelaySeconds) };
  const { Entries, Attributes } = body;
  const visibility = Attributes?.VisibilityTimeout;
  return {
    ...delayed(body),
    ...(Entries === undefined ? {} : { Entries: Entries.map(delayed) }),
    ...(visibility === undefined
      ? {}
      : {
          Attributes: {
            ...Attributes,
            VisibilityTimeout: String(seconds(Number(visibility), queueVisibilitySeconds, visibilitySpeed)),
          },
        }),
  };
}

/** Queues whose delays and visibility timeouts pass faster, so that tests do not have to wait for them. */
export const fastQueues =
  (speed: number, visibilitySpeed = speed): AwsMiddleware =>
  ({ service, request }, next) => {
    if (service !== 'sqs') return next();
    const body = Buffer.from(JSON.stringify(slowedDown(bodyOf(request, input), speed, visibilitySpeed)));
    return next({ ...request, body });
  };
