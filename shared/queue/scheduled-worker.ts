import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { SendMessages } from './send-messages.ts';

/** The schedule's invocation; `asOf` is when it was due. */
export const dispatchTask = z.object({
  task: z.literal('dispatch'),
  asOf: z.optional(z.iso.datetime({ offset: true })),
});

interface ScheduledWork {
  /** The jobs that are due as of then, page by page. */
  readonly jobs: (asOf: Date) => AsyncIterable<readonly object[]>;
  readonly send: SendMessages;
  /** Processes the queue's messages. */
  readonly consume: (event: SQSEvent) => Promise<SQSBatchResponse>;
  readonly onQueued: (jobs: number) => void;
  readonly now: () => Date;
}

/** The handler of a function that a schedule invokes to queue jobs, and the queue to do them. */
export const scheduledWorker =
  ({ jobs, send, consume, onQueued, now }: ScheduledWork) =>
  async (
    event: SQSEvent | z.output<typeof dispatchTask>,
  ): Promise<SQSBatchResponse | { readonly jobs: number }> => {
    if (!('task' in event)) return consume(event);
    const { asOf } = z.parse(dispatchTask, event);
    let queued = 0;
    for await (const some of jobs(asOf === undefined ? now() : new Date(asOf))) {
      await send(some);
      queued += some.length;
    }
    onQueued(queued);
    return { jobs: queued };
  };
