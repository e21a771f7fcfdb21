import { setTimeout as pause } from 'node:timers/promises';
import type { Fleet } from '../fleet.ts';
import type { LocalFunction } from '../local-function.ts';
import { evaluate } from '../policy-evaluation.ts';
import type { Deployment } from '../template.ts';
import type { EventSource } from './event-source.ts';
import { type Mapping, readMapping } from './mapping.ts';
import { queueMessages } from './queue-messages.ts';
import { queueSource } from './queue-source.ts';

/** All event source mappings of the deployment. */
export interface EventSources {
  /** Resolves when every queue is empty and no record is under way. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

interface EventSourcesOptions {
  readonly deployment: Deployment;
  readonly fleet: Pick<Fleet, 'all' | 'identityOf' | 'statements' | 'report'>;
  readonly awsEndpoint: string;
}

/** Whoever ends the run does not wait longer for functions that are still working. */
const longestStopMs = 3_000;

const drainedEveryMs = 100;

/** Starts to hand records to functions, as the deployment's event source mappings say. */
export async function startEventSources(options: EventSourcesOptions): Promise<EventSources> {
  const mappings = options.deployment.ofType('AWS::Lambda::EventSourceMapping').map(readMapping);
  const sources = await Promise.all(mappings.map((mapping) => eventSource(mapping, options)));
  for (const source of sources) source.start();
  return {
    async drained() {
      for (;;) {
        // One source's records may make another's, so all have to be idle twice: before and after a moment.
        if (await allIdle(sources)) {
          await pause(drainedEveryMs);
          if (await allIdle(sources)) return;
        }
        await pause(drainedEveryMs);
      }
    },
    async stop() {
      const stopped = Promise.all(sources.map((source) => source.stop()));
      await Promise.race([stopped, pause(longestStopMs, undefined, { ref: false })]);
    },
  };
}

const allIdle = async (sources: readonly EventSource[]): Promise<boolean> =>
  (await Promise.all(sources.map((source) => source.idle()))).every((idle) => idle);

/** The source that a mapping names, by the service in its ARN. */
async function eventSource(mapping: Mapping, options: EventSourcesOptions): Promise<EventSource> {
  const service = mapping.sourceArn.split(':')[2];
  if (service !== 'sqs') throw new Error(`The local run has no event sources of ${service}.`);
  return openQueue(mapping, options);
}

/**
 * Opens a queue for a function with the permissions of the function's role, which is whose Lambda uses. What Lambda
 * refuses to map is refused here too.
 */
async function openQueue(
  mapping: Mapping,
  { fleet, awsEndpoint }: EventSourcesOptions,
): Promise<EventSource> {
  const { sourceArn } = mapping;
  const target = targetOf(mapping, fleet);
  const { name, accessKeyId } = fleet.identityOf(target);
  for (const action of ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']) {
    const { allowed } = evaluate(fleet.statements.get(name) ?? [], { action, resource: sourceArn });
    if (!allowed) throw new Error(`The role of ${name} may not ${action} on ${sourceArn}.`);
  }
  const queue = queueMessages(sourceArn.split(':').at(-1) ?? '', { endpoint: awsEndpoint, accessKeyId });
  const visibilityMs = Number((await queue.attributes())['VisibilityTimeout']) * 1_000;
  if (visibilityMs < target.settings.timeoutMs) {
    throw new Error(`Messages of ${sourceArn} become visible again before ${name} runs into its time limit.`);
  }
  return queueSource({
    mapping,
    queue,
    invoke: (event) => target.invoke(event),
    onFault: (message) => fleet.report(name, message),
  });
}

function targetOf({ functionName }: Mapping, fleet: Pick<Fleet, 'all'>): LocalFunction {
  const target = fleet
    .all()
    .find(({ settings }) => [settings.functionName, settings.functionArn].includes(functionName));
  if (target === undefined) throw new Error(`The deployment has no function ${functionName}.`);
  return target;
}
