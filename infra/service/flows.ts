import { deepStrictEqual } from 'node:assert';
import type { Construct } from 'constructs';
import { type FunctionUses, type WorkedQueue, workedQueues } from '#function/uses.ts';
import { eventBus } from '../constructs/event-bus.ts';
import { type QueueWithDlq, queueWithDlq } from '../constructs/queue-with-dlq.ts';
import type { Environment } from '../environments.ts';
import { functionsOf, functionUses } from '../function-uses.ts';

/** Senders and receivers: names of functions, in order, and `events` for the bus. */
interface Flow {
  readonly from: readonly string[];
  readonly to: string;
}

interface Flows {
  /** The stream of the outbox. */
  readonly outbox: Flow;
  /** The bus. */
  readonly events: Pick<Flow, 'from'>;
  readonly queues: Readonly<Record<WorkedQueue, Flow>>;
  /** Functions that a function invokes, and waits for. */
  readonly invokes: Readonly<Record<string, readonly string[]>>;
}

/** The flows that the `uses.ts` of functions declare. */
export function declaredFlows(functions: ReadonlyMap<string, FunctionUses>): Flows {
  const namesOf = (matches: (uses: FunctionUses) => boolean | undefined): string[] =>
    [...functions].flatMap(([name, uses]) => (matches(uses) === true ? [name] : []));
  const flowOf = (name: WorkedQueue): Flow => {
    const consumers = namesOf(({ consumes }) => consumes?.[name] !== undefined);
    const hasEvents = consumers.some((to) => functions.get(to)?.consumes?.[name]?.events !== undefined);
    const senders = namesOf(({ sends }) => sends?.includes(name));
    return { from: hasEvents ? ['events', ...senders] : senders, to: consumers.join(' and ') };
  };
  const publishers = namesOf(({ stream }) => stream !== undefined);
  const writers = namesOf(({ tables }) => tables?.outbox?.items?.includes('PutItem'));
  return {
    outbox: {
      // What the publisher itself writes there is no event.
      from: writers.filter((name) => !publishers.includes(name)),
      to: publishers.join(' and '),
    },
    events: { from: namesOf(({ publishes }) => publishes) },
    queues: Object.fromEntries(workedQueues.map((name) => [name, flowOf(name)])) as Flows['queues'],
    invokes: Object.fromEntries(
      [...functions].flatMap(([name, { invokes }]) => (invokes === undefined ? [] : [[name, [...invokes]]])),
    ),
  };
}

/**
 * The queues that functions of the environment consume, and the bus that sends events to some of them.
 *
 * @throws AssertionError where functions declare other flows.
 */
export function createFlows(scope: Construct, deployment: Environment, flows: Flows) {
  deepStrictEqual(flows, declaredFlows(functionUses), 'The `uses.ts` of functions declare other flows.');
  const bus = eventBus(scope, 'events', deployment);
  const queueOf = (name: WorkedQueue): QueueWithDlq => {
    const { timeoutSeconds, consumes } = functionUses.get(flows.queues[name].to) ?? {};
    const consumption = consumes?.[name];
    if (timeoutSeconds === undefined || consumption === undefined)
      throw new Error(`"${flows.queues[name].to}" does not consume the queue "${name}".`);
    const { maxReceiveCount, events } = consumption;
    const queue = queueWithDlq(scope, name, {
      deployment,
      workerTimeoutSeconds: timeoutSeconds,
      maxReceiveCount,
    });
    if (events !== undefined) bus.routes(events, queue);
    return queue;
  };
  const functions = functionsOf(deployment);
  const present = workedQueues.filter((name) => functions.has(flows.queues[name].to));
  const queues = new Map(present.map((name) => [name, queueOf(name)]));
  return {
    bus,
    all: [...queues.values()],
    named(name: WorkedQueue): QueueWithDlq {
      const queue = queues.get(name);
      if (queue === undefined) throw new Error(`There is no queue "${name}".`);
      return queue;
    },
  };
}

export type Queues = ReturnType<typeof createFlows>;
