import type { Construct } from 'constructs';
import type { Consumption } from '../../shared/domain/function-uses.ts';
import type { WorkedQueue } from '../../shared/domain/queues.ts';
import { eventBus } from '../constructs/event-bus.ts';
import { type QueueWithDlq, queueWithDlq } from '../constructs/queue-with-dlq.ts';
import type { Environment } from '../environments.ts';
import { functionsOf } from '../function-uses.ts';

/** The queues that functions consume, and the bus that sends events to some of them. */
export function createQueues(scope: Construct, deployment: Environment) {
  const bus = eventBus(scope, 'events', deployment);
  const queues = new Map<WorkedQueue, QueueWithDlq>();
  for (const { routes, consumes = {}, timeoutSeconds } of functionsOf(deployment).values()) {
    if (routes !== undefined) continue;
    for (const [name, consumption] of Object.entries(consumes) as [WorkedQueue, Consumption][]) {
      const { maxReceiveCount, events } = consumption;
      const queue = queueWithDlq(scope, name, {
        deployment,
        workerTimeoutSeconds: timeoutSeconds,
        maxReceiveCount,
      });
      queues.set(name, queue);
      if (events !== undefined) bus.routes(events, queue);
    }
  }
  return {
    bus,
    all: [...queues.values()],
    /** @throws Error for a queue that no function consumes. */
    named(name: WorkedQueue): QueueWithDlq {
      const queue = queues.get(name);
      if (queue === undefined) throw new Error(`No function consumes the queue "${name}".`);
      return queue;
    },
  };
}

export type Queues = ReturnType<typeof createQueues>;
