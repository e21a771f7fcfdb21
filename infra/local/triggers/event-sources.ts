// Folder `triggers`: invokes functions for queue messages, stream records, bus events and schedules.

import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { usualVisibilitySeconds } from '#platform/aws/limits.ts';
import { evaluate, type Grant } from '../aws/policy-evaluation.ts';
import type { Access } from '../aws/service.ts';
import type { Fleet } from '../functions/fleet.ts';
import type { LocalFunction } from '../functions/local-function.ts';
import { type Deployment, propertiesOf, type Resource } from '../template/template.ts';
import { readQueueMapping, readStreamMapping } from './mapping.ts';
import { queueMessages, queueSource } from './queue-source.ts';
import { streamRecords, streamSource } from './stream-source.ts';

/** Options of reading and writing queues on behalf of functions. */
interface EventSourcesOptions {
  readonly deployment: Deployment;
  readonly fleet: Pick<Fleet, 'memberOf' | 'report'>;
  readonly awsEndpoint: string;
  readonly onGrantUsed: (functionName: string, grant: Grant) => void;
}

/** Longest time that stopping the run waits for functions. */
const longestStopMs = 3_000;

interface OpenSource {
  readonly source: ReturnType<typeof queueSource>;
  /** The table of the stream. */
  readonly tableArn?: string;
  readonly wake?: () => void;
}

/** Starts all event source mappings of the deployment. */
export async function startEventSources(options: EventSourcesOptions) {
  checkFailureQueues(options);
  const mappings = options.deployment.ofType('AWS::Lambda::EventSourceMapping');
  refuseRepeated(mappings);
  const openSources = mappings.map((mapping) => open(mapping, options));
  const sources = openSources.map(({ source }) => source);
  await Promise.all(sources.map((source) => source.start()));
  let busy: OpenSource['source'] | undefined;
  return {
    /** Whether all queues are empty, all streams are read and no record is in progress. */
    async idle(): Promise<boolean> {
      // Tests that wait ask often. The others need not be asked while the source that was busy last still is.
      if ((await busy?.idle()) === false) return false;
      const areIdle = await Promise.all(sources.map((source) => source.idle()));
      busy = sources[areIdle.indexOf(false)];
      return busy === undefined;
    },
    /** Makes the reader of a table's stream poll immediately, after a write. */
    wake(tableArn: string): void {
      for (const entry of openSources) if (entry.tableArn === tableArn) entry.wake?.();
    },
    async stop(): Promise<void> {
      const stops = Promise.all(sources.map((source) => source.stop()));
      await Promise.race([stops, pause(longestStopMs, undefined, { ref: false })]);
    },
  };
}

/**
 * Lambda refuses a second mapping of a source to the same function with a ResourceConflictException, whatever its filter:
 * https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
 */
function refuseRepeated(mappings: readonly Resource[]): void {
  const pairs = new Set<string>();
  for (const mapping of mappings) {
    const { EventSourceArn, FunctionName } = mapping.properties();
    const pair = `${EventSourceArn} and ${FunctionName}`;
    if (pairs.has(pair)) throw new Error(`There is a mapping of ${pair} already.`);
    pairs.add(pair);
  }
}

/** The source of a mapping, by the service in its ARN. */
function open(mapping: Resource, options: EventSourcesOptions): OpenSource {
  const service = String(mapping.properties()['EventSourceArn']).split(':')[2];
  if (service === 'sqs') return openQueue(mapping, options);
  if (service === 'dynamodb') return openStream(mapping, options);
  throw new Error(`The local run does not support event sources of ${service}.`);
}

/**
 * Opens a queue for a function with the permissions of the function's role, as Lambda does. Mappings that Lambda rejects
 * are rejected here too.
 */
function openQueue(source: Resource, options: EventSourcesOptions): OpenSource {
  const { deployment, fleet } = options;
  const mapping = readQueueMapping(source);
  const { EventSourceArn, FunctionName } = mapping;
  const { target, name, access } = targetOf(FunctionName, options, {
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    resource: EventSourceArn,
  });
  const resource = deployment
    .ofType('AWS::SQS::Queue')
    .find(({ attributes }) => attributes['Arn'] === EventSourceArn);
  const visibilitySeconds = Number(resource?.properties()['VisibilityTimeout'] ?? usualVisibilitySeconds);
  if (visibilitySeconds * 1_000 < target.settings.timeoutMs) {
    throw new Error(`Messages of ${EventSourceArn} become visible again before ${name} times out.`);
  }
  const queue = queueMessages(EventSourceArn, access);
  const onFault = (message: string): void => fleet.report(name, message);
  return { source: queueSource({ mapping, queue, invoke: target.invoke, onFault }) };
}

/** Opens a table's stream likewise. */
function openStream(resource: Resource, options: EventSourcesOptions): OpenSource {
  const { fleet } = options;
  const mapping = readStreamMapping(resource);
  const { EventSourceArn, FunctionName, DestinationConfig } = mapping;
  const actions = ['DescribeStream', 'GetShardIterator', 'GetRecords', 'ListStreams'];
  const { target, name, access } = targetOf(FunctionName, options, {
    actions: actions.map((action) => `dynamodb:${action}`),
    resource: EventSourceArn,
  });
  const onFailure = { actions: ['sqs:SendMessage'], resource: DestinationConfig.OnFailure.Destination };
  targetOf(FunctionName, options, onFailure);
  const [tableArn = ''] = EventSourceArn.split('/stream/');
  const onFault = (message: string): void => fleet.report(name, message);
  const source = streamSource({
    mapping,
    stream: streamRecords(EventSourceArn, access),
    invoke: (event) => target.invoke(event),
    onFault,
  });
  return { source, tableArn, wake: source.wake };
}

/** The function of a mapping or a setting, and Lambda's access to AWS on its behalf, which needs these permissions. */
function targetOf(
  functionName: string,
  { fleet, awsEndpoint: endpoint, onGrantUsed }: EventSourcesOptions,
  neededAccess: { readonly actions: readonly string[]; readonly resource: string },
): { readonly target: LocalFunction; readonly name: string; readonly access: Access } {
  const { target, name, statements, accessKeyId } = fleet.memberOf(functionName);
  for (const action of neededAccess.actions) {
    const decision = evaluate(statements, { action, resource: neededAccess.resource });
    if (!decision.isAllowed)
      throw new Error(`The role of ${name} may not ${action} on ${neededAccess.resource}.`);
    for (const grant of decision.grants) onGrantUsed(name, grant);
  }
  return { target, name, access: { endpoint, accessKeyId } };
}

/** Supported settings of a function's asynchronous invocations. */
const invokeConfig = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.string(),
  MaximumEventAgeInSeconds: z.optional(z.number()),
  MaximumRetryAttempts: z.optional(z.literal(2)),
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) }),
});

/** @throws Error for a role that may not send calls that failed for good to the queue of its function, or of its alias. */
function checkFailureQueues(options: EventSourcesOptions): void {
  for (const resource of options.deployment.ofType('AWS::Lambda::EventInvokeConfig')) {
    const { FunctionName, Qualifier, DestinationConfig } = propertiesOf(resource, invokeConfig);
    const functionName = Qualifier === '$LATEST' ? FunctionName : `${FunctionName}:${Qualifier}`;
    const neededAccess = { actions: ['sqs:SendMessage'], resource: DestinationConfig.OnFailure.Destination };
    targetOf(functionName, options, neededAccess);
  }
}
