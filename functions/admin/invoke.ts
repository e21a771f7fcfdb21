// Work that operators have other functions do: how these are invoked, scheduled work as of a day, and messages that gave up.
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { Values } from '#function/start.ts';
import { scheduledWorkSeconds, type WorkedQueue } from '#function/uses.ts';
import { queueBatchMessages } from '#platform/aws/limits.ts';
import { ApiError, type ErrorType, errorRegistry, existing, invalidAt } from '#platform/contract/errors.ts';
import { isoDate } from '#platform/contract/primitives.ts';
import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import type { uses } from './uses.ts';

/** A function whose work operators have done. */
type InvokedFunction = (typeof uses)['invokes'][number];

/** Invokes a function, and waits for its answer. @throws Error when it fails; SDK errors. */
export type Invoke = (name: InvokedFunction, payload: object) => Promise<unknown>;

/** Longer than any of them may run. */
const requestTimeout = (scheduledWorkSeconds + 10) * 1_000;

/** @param functions the ARN of each. */
export function createInvoke(functions: Readonly<Record<InvokedFunction, string>>): Invoke {
  // Once: what an attempt without an answer has done is not to be done again.
  const client = new LambdaClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1_000, requestTimeout },
  });
  return async (name, payload) => {
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ FunctionName: functions[name], Payload: JSON.stringify(payload) }),
    );
    const text = Payload?.transformToString() ?? '';
    if (FunctionError !== undefined) throw new Error(`The function ${name} failed: ${text}`);
    return JSON.parse(text);
  };
}

/** Counts of scheduled work. */
const totalsAnswer = z.looseObject({ failed: z.int().check(z.gte(0)) });

const errorTypes = Object.keys(errorRegistry) as [ErrorType, ...ErrorType[]];

export const operatorRefusal = z.object({
  errorType: z.enum(errorTypes),
  errorMessage: z.array(z.string()),
  details: z.optional(z.looseObject({})),
});

/** The answer of a function that operators can call. */
export const operatorAnswer = z.union([
  z.object({ ok: z.literal(true), result: z.looseObject({}) }),
  z.object({ ok: z.literal(false), error: operatorRefusal }),
]);

/** The result in the answer of a function that operators can call, too. @throws ApiError where it refused. */
export function resultOf(answer: unknown): object {
  const outcome = z.parse(operatorAnswer, answer);
  if (outcome.ok) return outcome.result;
  const { errorType, errorMessage, details } = outcome.error;
  throw new ApiError(errorType, { message: errorMessage.join(' '), details });
}

/** The time as of which scheduled work is done; a date means its day in New York. */
export const asOfInput = z.strictObject({ asOf: z.optional(isoDate) });

/** Days back at most: a year that was mistyped would make the next sweep do every day since. */
const earliestAsOfDays = 400;

interface ScheduledWorkDeps {
  readonly invoke: Invoke;
  readonly allowsFutureAsOf: boolean;
  readonly now: () => Date;
}

/** Has scheduled work done at once, as of a given time; returns its totals. */
export function createScheduledWork({ invoke, allowsFutureAsOf, now }: ScheduledWorkDeps) {
  /**
   * @throws ApiError `validation_error` for a day that is too long ago, and a time that is still to come, where it is not allowed.
   */
  function instant(asOfText: string | undefined): Date {
    const present = now();
    if (asOfText === undefined) return present;
    const isDate = asOfText.length === 10;
    const today = newYorkDate(present);
    const earliest = addDays(today, -earliestAsOfDays);
    if ((isDate ? asOfText : newYorkDate(new Date(asOfText))) < earliest) {
      throw invalidAt('asOf', `must not be before ${earliest}, ${earliestAsOfDays} days ago`);
    }
    // What is swept or recorded as of a day that has not come can't be undone when it does.
    if (!allowsFutureAsOf && (isDate ? asOfText > today : new Date(asOfText) > present)) {
      throw invalidAt('asOf', `must not be in the future; it is ${today} in New York`);
    }
    if (isDate && asOfText === today) return present;
    // Noon in UTC falls on the same date in New York, all year round.
    return new Date(isDate ? `${asOfText}T12:00:00.000Z` : asOfText);
  }

  const run =
    (name: 'license-sweep' | 'registry-reconciliation') =>
    async ({ asOf }: z.output<typeof asOfInput>) =>
      z.parse(totalsAnswer, await invoke(name, { task: 'run', asOf: instant(asOf).toISOString() }));

  return { sweepLicenses: run('license-sweep'), reconcileRegistry: run('registry-reconciliation') };
}

/** Addresses of a queue and of its dead-letter queue, by the queue's name. */
export type QueueAddresses = Values<typeof uses>['QUEUES'];

/** Seconds that a message stays hidden while it is moved. */
const moveSeconds = 30;

/**
 * Moves the messages of a dead-letter queue back to their queue; returns how many there were.
 * Each message is sent before it is deleted, so one may be processed twice but none is lost; consumers have to handle
 * that in any case. SQS could move them by itself (StartMessageMoveTask), but would not report how many.
 *
 * @throws ApiError `not_found` for a queue that the environment does not have; SDK errors, after which it can be repeated.
 */
export const createRedrive =
  (client: SQSClient, queues: QueueAddresses, now: () => Date) =>
  async (queueName: WorkedQueue): Promise<{ readonly moved: number }> => {
    const addresses = existing(queues[queueName]);
    const startedAt = now().getTime();
    // A message that is dead-lettered again during the redrive has a later timestamp, and would loop endlessly.
    const isOld = ({ Attributes }: Message): boolean => Number(Attributes?.SentTimestamp) < startedAt;
    for (let movedCount = 0; ; ) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: addresses.dead,
          MaxNumberOfMessages: queueBatchMessages,
          // A short poll queries a sample of the servers, and may return nothing although there are messages.
          WaitTimeSeconds: 1,
          VisibilityTimeout: moveSeconds,
          MessageSystemAttributeNames: ['SentTimestamp'],
          MessageAttributeNames: ['All'],
        }),
      );
      if (Messages.length === 0) return { moved: movedCount };
      const oldMessages = Messages.filter(isOld);
      for (const { Body, MessageAttributes, ReceiptHandle } of oldMessages) {
        await client.send(
          new SendMessageCommand({ QueueUrl: addresses.queue, MessageBody: Body, MessageAttributes }),
        );
        await client.send(new DeleteMessageCommand({ QueueUrl: addresses.dead, ReceiptHandle }));
        movedCount += 1;
      }
    }
  };
