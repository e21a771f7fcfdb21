import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { toError } from '#platform/log/log.ts';
import { isObject } from '../../text.ts';
import { type Access, clientSettings } from '../aws/call.ts';
import { mayDeliver, queuePolicies } from '../aws/resource-policies.ts';
import { accountId, type Deployment, propertiesOf, region } from '../template/template.ts';

/**
 * Event patterns, with which rules select events and event source mappings filter records: exact values, prefixes, and
 * whether there is a value.
 * Other operators are rejected when the pattern is read.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */

const condition = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ exists: z.boolean() }),
]);

type Condition = z.output<typeof condition>;

/** Whether an event matches the pattern. */
type Matches = (event: unknown) => boolean;

/** @throws Error when the pattern has parts that are not supported */
export function readEventPattern(pattern: unknown): Matches {
  if (!isObject(pattern)) throw new Error(`${JSON.stringify(pattern)} is not an event pattern.`);
  const members = Object.entries(pattern).map(([name, expectedPart]) => {
    if (name.startsWith('$')) throw new Error(`The local run does not support ${name} in event patterns.`);
    return {
      name,
      matches: Array.isArray(expectedPart) ? readLeaf(expectedPart) : readEventPattern(expectedPart),
    };
  });
  return (event) =>
    members.every(({ name, matches }) =>
      // A list of objects matches where one of them does.
      (Array.isArray(event) ? event : [event]).some((element) =>
        matches(isObject(element) ? element[name] : undefined),
      ),
    );
}

/** The alternative conditions on a value; of a list of values, one has to meet one of them. */
function readLeaf(expectedPart: readonly unknown[]): Matches {
  const conditions = expectedPart.map((element) => {
    const result = z.safeParse(condition, element);
    if (!result.success) {
      throw new Error(`The local run does not support ${JSON.stringify(element)} in event patterns.`);
    }
    return result.data;
  });
  if (conditions.length === 0) throw new Error('An event pattern needs a value to look for.');
  return (eventValue) => {
    const values = Array.isArray(eventValue) ? eventValue : [eventValue];
    return conditions.some((element) => values.some((value) => meets(element, value)));
  };
}

function meets(expectedPart: Condition, value: unknown): boolean {
  if (!isObject(expectedPart)) return value === expectedPart;
  if ('exists' in expectedPart) return (value !== undefined) === expectedPart.exists;
  return typeof value === 'string' && value.startsWith(expectedPart.prefix);
}

/** A target of a rule. */
interface RuleTarget {
  readonly ruleArn: string;
  readonly queueArn: string;
  /** Queue for events that cannot be delivered; without one they are lost. */
  readonly deadLetterArn: string | undefined;
}

interface EventDeliveryOptions {
  /** Access with which messages are sent to the queues of rules. */
  readonly operator: Access;
  /** Receives what happened to events that did not reach their target. */
  readonly onFault: (message: string) => void;
}

/**
 * Delivers events to queues. One that its queue refuses goes to the dead-letter queue of its target with the reason, as
 * EventBridge does it: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html. Failures that may pass,
 * which EventBridge retries for a day, hardly occur within one process.
 */
function eventDelivery({ operator, onFault }: EventDeliveryOptions) {
  // The engine may close a connection that this one is about to use.
  const sqs = new SQSClient({ ...clientSettings(operator), maxAttempts: 3 });

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

  return async ({ ruleArn, queueArn, deadLetterArn }: RuleTarget, body: string): Promise<void> => {
    try {
      await send(queueArn, body);
    } catch (cause) {
      const { name, message } = toError(cause);
      const lossMessage = `An event did not reach ${queueArn}: ${name}: ${message}`;
      const reason = { ERROR_CODE: name, ERROR_MESSAGE: message || name };
      if (deadLetterArn === undefined)
        return onFault(`${lossMessage}. It is lost: there is no dead-letter queue.`);
      await send(deadLetterArn, body, { RULE_ARN: ruleArn, TARGET_ARN: queueArn, ...reason }).then(
        () => onFault(`${lossMessage}. It is in ${deadLetterArn}.`),
        (second) =>
          onFault(`${lossMessage}. It is lost: ${deadLetterArn} did not accept it: ${String(second)}`),
      );
    }
  };
}

const busProperties = z.strictObject({
  Name: z.string(),
  Description: z.optional(z.unknown()),
  Tags: z.optional(z.unknown()),
});

/** Supported properties of a rule; others are refused because they may change where events go. */
const ruleProperties = z.strictObject({
  Name: z.optional(z.string()),
  Description: z.optional(z.unknown()),
  EventBusName: z.string(),
  EventPattern: z.unknown(),
  State: z.literal('ENABLED'),
  Targets: z._default(
    z.array(
      z.strictObject({
        Id: z.string(),
        Arn: z.string().check(z.startsWith('arn:aws:sqs:')),
        DeadLetterConfig: z.optional(z.strictObject({ Arn: z.string().check(z.startsWith('arn:aws:sqs:')) })),
      }),
    ),
    [],
  ),
  Tags: z.optional(z.unknown()),
});

/** An event that is put on a bus. */
interface PutEvent {
  readonly busName: string;
  readonly source: string;
  readonly detailType: string;
  readonly detail: unknown;
  readonly time: Date;
}

export type EventBuses = ReturnType<typeof createEventBuses>;

/** The buses of the deployment, with their rules. */
export function createEventBuses(deployment: Deployment, options: EventDeliveryOptions) {
  const buses = deployment.ofType('AWS::Events::EventBus');
  const names = new Set(buses.map((resource) => propertiesOf(resource, busProperties).Name));
  const policies = queuePolicies(deployment);
  const rules = deployment.ofType('AWS::Events::Rule').map((resource) => {
    const { EventBusName, EventPattern, Targets } = propertiesOf(resource, ruleProperties);
    const ruleArn = resource.attributes['Arn'] ?? '';
    const targets = Targets.map(
      ({ Arn, DeadLetterConfig }): RuleTarget => ({
        ruleArn,
        queueArn: Arn,
        deadLetterArn: DeadLetterConfig?.Arn,
      }),
    );
    const queueArns = targets.flatMap(({ queueArn, deadLetterArn }) => [queueArn, deadLetterArn]);
    for (const queueArn of queueArns.filter((arn) => arn !== undefined)) {
      const call = { queueArn, principal: 'events.amazonaws.com', sourceArn: ruleArn };
      if (mayDeliver(policies, call)) continue;
      throw new Error(
        `The rule ${resource.logicalId} may not send to ${queueArn}: no policy of the queue allows it.`,
      );
    }
    return { busName: EventBusName, matches: readEventPattern(EventPattern), targets };
  });
  const deliver = eventDelivery(options);
  const inProgress = new Set<Promise<void>>();

  return {
    has: (busName: string): boolean => names.has(busName),
    /** Accepts an event and returns its id; matching rules deliver it asynchronously. */
    put(event: PutEvent): string {
      const id = randomUUID();
      const envelope = envelopeOf(id, event);
      for (const { busName, matches, targets } of rules) {
        if (busName !== event.busName || !matches(envelope)) continue;
        for (const target of targets) {
          const delivery = deliver(target, JSON.stringify(envelope)).finally(() =>
            inProgress.delete(delivery),
          );
          inProgress.add(delivery);
        }
      }
      return id;
    },
    /** Whether all accepted events are delivered, or given up. */
    idle: () => Promise.resolve(inProgress.size === 0),
  };
}

/** The event that targets receive (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-events-structure.html). */
const envelopeOf = (id: string, event: PutEvent) => ({
  version: '0',
  id,
  'detail-type': event.detailType,
  source: event.source,
  account: accountId,
  time: event.time.toISOString().replace(/\.\d{3}Z$/, 'Z'),
  region,
  resources: [],
  detail: event.detail,
});
