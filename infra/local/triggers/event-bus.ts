// The buses of EventBridge: PutEvents, the patterns of rules, and the queues to which they send events.
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { putEventsBytes, putEventsEntries, putEventsTimeBytes } from '#platform/aws/limits.ts';
import { jsonText } from '#platform/data/json.ts';
import { mayDeliver, queuePolicies } from '../aws/policy-evaluation.ts';
import type { Access } from '../aws/service.ts';
import {
  AwsError,
  type AwsRequest,
  type AwsService,
  answerJson,
  bodyOf,
  targetOf,
  unsupportedCall,
} from '../aws/service.ts';
import { accountId, busArn, type Deployment, propertiesOf, region } from '../template/template.ts';
import { readEventPattern } from './mapping.ts';
import { queueMessages } from './queue-source.ts';

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

export type EventBuses = ReturnType<typeof createEventBuses>;

/** The buses of the deployment, with their rules. */
export function createEventBuses(
  deployment: Deployment,
  /** Access with which messages are sent, and what receives what happened to events that did not reach their target. */
  { operator, onFault }: { readonly operator: Access; readonly onFault: (message: string) => void },
) {
  const buses = deployment.ofType('AWS::Events::EventBus');
  const names = new Set(buses.map((resource) => propertiesOf(resource, busProperties).Name));
  const policies = queuePolicies(deployment);
  const rules = deployment.ofType('AWS::Events::Rule').map((resource) => {
    const { EventBusName, EventPattern, Targets } = propertiesOf(resource, ruleProperties);
    const ruleArn = resource.attributes['Arn'] ?? '';
    const queueArns = Targets.map(({ Arn, DeadLetterConfig }) =>
      DeadLetterConfig === undefined ? [Arn] : [Arn, DeadLetterConfig.Arn],
    );
    for (const queueArn of queueArns.flat()) {
      const call = { queueArn, principal: 'events.amazonaws.com', sourceArn: ruleArn };
      if (mayDeliver(policies, call)) continue;
      throw new Error(
        `The rule ${resource.logicalId} may not send to ${queueArn}: no policy of the queue allows it.`,
      );
    }
    const targets = queueArns.map((arns) => arns.map((arn) => ({ arn, ...queueMessages(arn, operator) })));
    return { busName: EventBusName, matches: readEventPattern(EventPattern), targets };
  });

  /**
   * Sends an event to a queue. One that the queue refuses goes to the dead-letter queue of the target
   * (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html), here without the attributes that say why. Failures
   * that may pass, which EventBridge retries for a day, hardly occur within one process.
   */
  const deliver = async (
    body: string,
    [queue, ...deadLetters]: (typeof rules)[number]['targets'][number],
  ) => {
    try {
      await queue?.send(body);
    } catch (error) {
      const [where] = deadLetters.map(({ arn }) => `in ${arn}`);
      onFault(`An event did not reach ${queue?.arn}: ${String(error)}. It is ${where ?? 'lost'}.`);
      await deliver(body, deadLetters);
    }
  };
  const inProgress = new Set<Promise<void>>();

  return {
    has: (busName: string): boolean => names.has(busName),
    /** Accepts an event with its detail and returns its id; matching rules deliver it asynchronously. */
    put(event: Entry, detail: unknown): string {
      const id = randomUUID();
      // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-events-structure.html
      const envelope = {
        version: '0',
        id,
        'detail-type': event.DetailType,
        source: event.Source,
        account: accountId,
        time: new Date(event.Time * 1_000).toISOString().replace(/\.\d{3}Z$/, 'Z'),
        region,
        resources: [],
        detail,
      };
      for (const { busName, matches, targets } of rules) {
        if (busName !== event.EventBusName || !matches(envelope)) continue;
        for (const target of targets) {
          const delivery = deliver(JSON.stringify(envelope), target).finally(() =>
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

/** Entry as the service sends it; EventBridge takes more, and requires less. */
const entry = z.strictObject({
  EventBusName: z.string(),
  Source: z.string().check(z.minLength(1)),
  DetailType: z.string().check(z.minLength(1)),
  Detail: z.string(),
  /** Unix seconds. */
  Time: z.number(),
});

type Entry = z.output<typeof entry>;

const putEvents = z.object({ Entries: z.array(entry).check(z.minLength(1), z.maxLength(putEventsEntries)) });

/** Bytes of an entry as EventBridge counts them (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html). */
const sizeOf = ({ Source, DetailType, Detail }: Entry): number =>
  Buffer.byteLength(Source + DetailType + Detail) + putEventsTimeBytes;

const detail = z.pipe(jsonText, z.record(z.string(), z.unknown()));

/** The detail of an event. @throws AwsError for another than an object: EventBridge refuses the entry, this the whole call. */
function detailOf({ Detail }: Entry): object {
  const { success, data } = z.safeParse(detail, Detail);
  if (success) return data;
  throw new AwsError('ValidationException', 'Detail is malformed.');
}

/** EventBridge's PutEvents. */
export function eventBridgeService(buses: EventBuses): AwsService {
  const entriesOf = (request: AwsRequest): Entry[] => bodyOf(request, putEvents).Entries;

  return {
    accesses: (request) => {
      const { service, operation } = targetOf(request);
      if (service !== 'AWSEvents' || operation !== 'PutEvents') throw unsupportedCall(`events:${operation}`);
      const names = new Set(entriesOf(request).map(({ EventBusName }) => EventBusName));
      return Array.from(names, (name) => ({ action: 'events:PutEvents', resource: busArn(name) }));
    },
    async answer(request, response) {
      const entries = entriesOf(request);
      if (entries.reduce((sum, eventEntry) => sum + sizeOf(eventEntry), 0) > putEventsBytes) {
        throw new AwsError('ValidationException', 'Total size of the entries is over the limit.');
      }
      const unknown = entries.find(({ EventBusName }) => !buses.has(EventBusName));
      if (unknown !== undefined) {
        throw new AwsError('ResourceNotFoundException', `Event bus ${unknown.EventBusName} does not exist.`);
      }
      const details = entries.map(detailOf);
      answerJson(response, {
        FailedEntryCount: 0,
        Entries: entries.map((event, index) => ({ EventId: buses.put(event, details[index]) })),
      });
    },
  };
}
