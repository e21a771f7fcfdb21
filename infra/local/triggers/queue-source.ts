import { setTimeout as pause } from 'node:timers/promises';
import { queueWaitSeconds } from '../../../shared/aws/limits.ts';
import { traceAttribute } from '../functions/trace-header.ts';
import type { EventSource } from './event-source.ts';
import type { QueueMapping } from './mapping.ts';
import { partsOf, reportedFailures } from './payload.ts';
import { type Message, type QueueMessages, sqsEvent, sqsRecord } from './queue-messages.ts';

interface QueueSourceOptions {
  readonly mapping: QueueMapping;
  readonly queue: QueueMessages;
  /** Invokes the function, by messages that were sent with these trace headers. */
  readonly invoke: (event: unknown, causes: readonly string[]) => Promise<unknown>;
  /** Hears of what keeps messages from being handed over; failures of the function are in its own log. */
  readonly onFault: (message: string) => void;
}

const faultPauseMs = 1_000;

/**
 * The messages that a function's answer says are done. As in Lambda, an answer that is not of this shape, or that names
 * a message which is not in the batch, fails the whole batch.
 */
export function doneMessages(messages: readonly Message[], answer: unknown): readonly Message[] {
  const failed = reportedFailures(answer);
  if (failed === undefined) return [];
  const ids = new Set(messages.map(({ MessageId = '' }) => MessageId));
  if (Array.from(failed).some((id) => !ids.has(id))) return [];
  return messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
}

/**
 * Hands a queue's messages to a function as Lambda does. What is not done stays in the queue, which delivers it again when
 * its visibility time is over and gives it to the dead-letter queue in the end.
 */
export function queueSource({ mapping, queue, invoke, onFault }: QueueSourceOptions): EventSource {
  const { batchSize, batchingWindowMs, maximumConcurrency, reportsFailures, sourceArn } = mapping;
  const ending = new AbortController();
  const deliveries = new Set<Promise<void>>();
  let polling: Promise<void> = Promise.resolve();

  /** A batch: what is there, or what comes within the window after the first message. */
  const gather = async (): Promise<Message[]> => {
    const batch = await queue.receive(batchSize, queueWaitSeconds, ending.signal);
    const until = performance.now() + batchingWindowMs;
    while (batch.length > 0 && batch.length < batchSize && performance.now() < until) {
      const seconds = Math.ceil((until - performance.now()) / 1_000);
      batch.push(
        ...(await queue.receive(
          batchSize - batch.length,
          Math.min(seconds, queueWaitSeconds),
          ending.signal,
        )),
      );
    }
    return batch;
  };

  const deliver = async (batch: readonly Message[]): Promise<void> => {
    let answer: unknown;
    try {
      const causes = batch.flatMap(({ Attributes }) => Attributes?.[traceAttribute] ?? []);
      answer = await invoke(sqsEvent(batch, sourceArn), causes);
    } catch {
      // Also what Lambda drops as recursive. How such a message comes to the dead-letter queue is not documented; nobody
      // but the queue itself may put it there, so it is refused until its deliveries are used up.
      return;
    }
    try {
      await queue.delete(reportsFailures ? doneMessages(batch, answer) : batch);
    } catch (error) {
      onFault(String(error));
    }
  };

  const deliverParts = async (batch: readonly Message[]): Promise<void> => {
    for (const part of partsOf(batch, (message) => sqsRecord(message, sourceArn))) await deliver(part);
  };

  const poll = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        while (deliveries.size >= maximumConcurrency) await Promise.race(deliveries);
        const batch = await gather();
        if (batch.length === 0) continue;
        const delivery = deliverParts(batch).finally(() => deliveries.delete(delivery));
        deliveries.add(delivery);
      } catch (error) {
        if (ending.signal.aborted) return;
        onFault(String(error));
        await pause(faultPauseMs);
      }
    }
  };

  return {
    start() {
      polling = poll();
      return Promise.resolve();
    },
    async idle() {
      const known = await queue.attributes();
      // What is held back until later, an attempt in five minutes say, does not wait for its function now.
      const waiting = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'].some(
        (name) => Number(known[name] ?? 0) > 0,
      );
      return !waiting && deliveries.size === 0;
    },
    async stop() {
      ending.abort();
      await polling;
      await Promise.all(deliveries);
    },
  };
}
