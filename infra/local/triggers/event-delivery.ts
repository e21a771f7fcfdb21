import { setTimeout as wait } from 'node:timers/promises';
import { SendMessageCommand, SQSClient, SQSServiceException } from '@aws-sdk/client-sqs';
import { type Access, clientSettings } from '../aws/call.ts';
import { accountId } from '../template/physical-resources.ts';

/** A target of a rule. */
export interface RuleTarget {
  readonly ruleArn: string;
  readonly queueArn: string;
  /** Where an event goes that cannot be delivered; without one it is lost. */
  readonly deadLetterArn: string | undefined;
  /** Retries after the first attempt. */
  readonly retries: number;
}

interface EventDeliveryOptions {
  /** Access with which messages are sent. */
  readonly operator: Access;
  /** Receives what happened to events that did not reach their target. */
  readonly onFault: (message: string) => void;
}

/** The first wait before a retry, which doubles each time, and the longest. */
const firstWaitMs = 50;
const longestWaitMs = 30_000;

/** Whether a failure may pass by itself: no answer, an error of the queue's side, or throttling. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof SQSServiceException) || error.$fault === 'server' || error.name === 'RequestThrottled';

/**
 * Delivers events to queues as EventBridge does: failures that may pass are retried with growing waits, others not; an event
 * that cannot be delivered goes to the dead-letter queue of its target
 * (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-retry-policy.html, eb-rule-dlq.html).
 */
export function createEventDelivery({ operator, onFault }: EventDeliveryOptions) {
  const sqs = new SQSClient(clientSettings(operator));
  const inProgress = new Set<Promise<void>>();

  const send = (queueArn: string, MessageBody: string, attributes: Readonly<Record<string, string>> = {}) =>
    sqs.send(
      new SendMessageCommand({
        QueueUrl: `${operator.endpoint}/${accountId}/${queueArn.split(':').at(-1)}`,
        MessageBody,
        MessageAttributes: Object.fromEntries(
          Object.entries(attributes).map(([name, StringValue]) => [
            name,
            { DataType: 'String', StringValue },
          ]),
        ),
      }),
    );

  async function deadLetter(
    target: RuleTarget,
    body: string,
    error: unknown,
    attempts: number,
  ): Promise<void> {
    const lost = `An event did not reach ${target.queueArn}: ${String(error)}`;
    if (target.deadLetterArn === undefined)
      return onFault(`${lost}. It is lost: the target has no dead-letter queue.`);
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    try {
      await send(target.deadLetterArn, body, {
        RULE_ARN: target.ruleArn,
        TARGET_ARN: target.queueArn,
        ERROR_CODE: name,
        ERROR_MESSAGE: message || name,
        RETRY_ATTEMPTS: String(attempts),
      });
      onFault(`${lost}. It is in ${target.deadLetterArn}.`);
    } catch (second) {
      onFault(`${lost}. It is lost: ${target.deadLetterArn} did not accept it either: ${String(second)}`);
    }
  }

  async function attempt(target: RuleTarget, body: string): Promise<void> {
    for (let retry = 0; ; retry += 1) {
      try {
        await send(target.queueArn, body);
        return;
      } catch (error) {
        if (retry === target.retries || !mayPass(error)) return deadLetter(target, body, error, retry);
        const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** retry);
        // Does not keep a run alive that is to end.
        await wait(longest * (0.5 + Math.random() / 2), undefined, { ref: false });
      }
    }
  }

  return {
    /** Starts a delivery, which ends whenever it does. */
    start(target: RuleTarget, body: string): void {
      const delivery = attempt(target, body).finally(() => inProgress.delete(delivery));
      inProgress.add(delivery);
    },
    /** Whether every event was delivered or given up. */
    idle: (): boolean => inProgress.size === 0,
  };
}
