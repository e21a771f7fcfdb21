import { deepStrictEqual } from 'node:assert';
import { Duration, TimeZone } from 'aws-cdk-lib';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { declaredVariables, type ValueName } from '#function/start.ts';
import { type FunctionUses, type Timetable, type WorkedQueue, workedQueues } from '#function/uses.ts';
import { eventBus, schedules } from '../constructs/event-bus.ts';
import { Gateway } from '../constructs/gateway.ts';
import { rotate } from '../constructs/keys.ts';
import { type QueueWithDlq, queueWithDlq, redrives } from '../constructs/queue-with-dlq.ts';
import { type Binding, granting, plain } from '../constructs/resource.ts';
import { ApiFunction, ServiceFunction } from '../constructs/service-function.ts';
import type { DataStack } from '../data-stack.ts';
import type { Environment } from '../environments.ts';
import { authorizerName, functionsOf, functionUses } from '../function-uses.ts';

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

type Queues = ReturnType<typeof createFlows>;

/** Scope of new functions, and the sources of their variables. */
interface Sources {
  readonly scope: Construct;
  readonly deployment: Environment;
  readonly data: DataStack;
  readonly queues: Queues;
  /** Functions that are made already, which others may invoke. */
  readonly createdFunctions: ReadonlyMap<string, ServiceFunction>;
  /** The API's public address, for functions that are made after the gateway. */
  readonly apiAddress?: string;
}

/** The value of each variable of a function, and the permissions that go with it: exactly what it declares that it uses. */
function variablesOf(uses: FunctionUses, sources: Sources): Readonly<Record<string, Binding>> {
  const { data, queues } = sources;
  const declarations = declaredVariables(uses);
  return Object.fromEntries([
    ...declarations.tables.map(({ variable, key, use }) => [variable, data.tables[key].allows(use)] as const),
    ...declarations.queues.map(({ variable, name }) => [variable, queues.named(name).sends] as const),
    ...declarations.functions.map(({ variable, name }) => [variable, invocation(sources, name)] as const),
    ...declarations.values.map(({ variable }) => [variable, values[variable](sources, uses)] as const),
  ]);
}

const values: Readonly<Record<ValueName, (sources: Sources, uses: FunctionUses) => Binding>> = {
  ENVIRONMENT: ({ deployment }) => plain(deployment.name),
  RESPONSE_CHECK: ({ deployment }) => plain(deployment.responseCheck),
  FILES_BUCKET: ({ data }, { files }) => data.files.allows(files?.writes ?? []),
  ANSWERS_BUCKET: ({ data }) => data.files.answers,
  MALWARE_SCAN: ({ deployment }) => plain(deployment.malwareScan),
  DEAD_LETTER_QUEUE_URL: (sources, uses) => consumedQueue(sources, uses).deadLetters,
  MAX_RECEIVE_COUNT: (sources, uses) => plain(String(consumedQueue(sources, uses).maxReceiveCount)),
  EVENT_BUS_NAME: ({ queues }) => queues.bus.puts,
  REGISTRY_ADDRESS: ({ data }) => data.registry.address,
  REGISTRY_ACCESS: ({ data }) => data.registry.access,
  WEBHOOK_KEY_ARN: ({ data }, { webhookKey }) =>
    webhookKey === 'encrypts' ? data.webhookKey.encrypts : data.webhookKey.decrypts,
  RECEIPT_KEY_ARNS: ({ data }) => data.receiptKeys,
  SIGNING_SECRET_ARN: ({ data }) => data.signingSecret,
  LINK_SECRET_ARN: ({ data }) => data.linkSecret,
  CANARY_SECRET_ARN: ({ data }) => data.canarySecret,
  QUEUES: ({ scope, queues }) => redrives(scope, queues.all),
  AGENCY_APP_URL: ({ deployment }) => plain(deployment.agencyAppUrl),
  ALLOW_FUTURE_AS_OF: ({ deployment }) => plain(deployment.futureAsOf),
  ALLOW_LOOPBACK_RECEIVERS: ({ deployment }) => plain(deployment.loopbackReceivers),
  API_ADDRESS: ({ apiAddress }) => {
    if (apiAddress === undefined)
      throw new Error('The gateway cannot depend on a function that knows its address.');
    return plain(apiAddress);
  },
  MOST_CALLS_A_NIGHT: ({ deployment }) => plain(String(deployment.mostCallsANight ?? 'unbounded')),
  REGISTRY_QUESTIONS_A_DAY: ({ deployment }) => plain(String(deployment.registryQuestionsADay)),
  SANDBOX: ({ deployment }) => plain(deployment.sandbox ? 'yes' : 'no'),
  SUPPORT_URL: ({ deployment }) => plain(deployment.supportUrl),
};

/** @throws Error for a function that does not exist, or invokes others itself. */
function invocation({ createdFunctions }: Sources, name: string): Binding {
  const { functionArn } = functionNamed(createdFunctions, name).invoked;
  return granting(functionArn, { actions: ['lambda:InvokeFunction'], resources: [functionArn] });
}

/** The first queue of a worker: the unreadable messages of all its queues go to the dead-letter queue of that one. */
function consumedQueue({ queues }: Sources, { consumes = {} }: FunctionUses): QueueWithDlq {
  const [first] = queues.all.filter(({ name }) => consumes[name] !== undefined);
  if (first === undefined) throw new Error('The function consumes no queue.');
  return first;
}

/**
 * Every function of `functions/`, with what invokes it: the gateway, queues, a stream, or schedules.
 *
 * @throws Error if the environment reserves concurrency for a function that does not exist.
 */
export function createFunctions(sources: Omit<Sources, 'apiAddress' | 'createdFunctions'>) {
  const { scope, deployment } = sources;
  const functionUses = functionsOf(deployment);
  for (const name of Object.keys(deployment.capacity.reserved)) {
    if (!functionUses.has(name))
      throw new Error(`There is no function "${name}" to reserve concurrency for.`);
  }
  const createdFunctions = new Map<string, ServiceFunction>();
  const ofGateway = [...functionUses].filter(
    ([name, { routes }]) => name === authorizerName || routes !== undefined,
  );
  for (const [name, uses] of ofGateway)
    createdFunctions.set(name, createFunction(name, uses, { ...sources, createdFunctions }));
  const api = [...createdFunctions.values()].filter((entry) => entry instanceof ApiFunction);
  const authorizer = functionNamed(createdFunctions, authorizerName);
  const gateway = new Gateway(scope, 'Gateway', { environment: deployment, authorizer, functions: api });

  const call = schedules(scope, 'schedules', deployment);
  // Those that invoke others come after these.
  const otherFunctions = [...functionUses].filter(([name]) => !createdFunctions.has(name));
  otherFunctions.sort(
    ([, entry], [, otherEntry]) =>
      Number(entry.invokes !== undefined) - Number(otherEntry.invokes !== undefined),
  );
  for (const [name, uses] of otherFunctions) {
    const target = createFunction(name, uses, { ...sources, createdFunctions, apiAddress: gateway.address });
    createdFunctions.set(name, target);
    for (const [task, timetable] of Object.entries(uses.schedules ?? {})) {
      call(target, task, expressionOf(timetable));
    }
  }
  return { gateway, api, canary: functionNamed(createdFunctions, 'canary') };
}

function createFunction(name: string, uses: FunctionUses, sources: Sources): ServiceFunction {
  const { scope, deployment, data, queues } = sources;
  const props = { deployment, uses, variables: variablesOf(uses, sources) };
  if (uses.routes !== undefined) return new ApiFunction(scope, uses.routes, props);
  const serviceFunction = new ServiceFunction(scope, name, props);
  for (const queue of queues.all) {
    const consumption = uses.consumes?.[queue.name];
    if (consumption !== undefined) serviceFunction.receives(queue, consumption.batchSize, deployment);
  }
  if (uses.stream !== undefined) {
    serviceFunction.follows(data.tables[uses.stream.table], uses.stream, deployment);
  }
  if (uses.rotates !== undefined) rotate(data.signingSecret.value, serviceFunction);
  return serviceFunction;
}

const expressionOf = (timetable: Timetable): ScheduleExpression =>
  'everyMinutes' in timetable
    ? ScheduleExpression.rate(Duration.minutes(timetable.everyMinutes))
    : ScheduleExpression.cron({
        minute: '0',
        hour: String(timetable.dailyAtHour),
        timeZone: TimeZone.AMERICA_NEW_YORK,
      });

function functionNamed(
  createdFunctions: ReadonlyMap<string, ServiceFunction>,
  name: string,
): ServiceFunction {
  const serviceFunction = createdFunctions.get(name);
  if (serviceFunction === undefined) throw new Error(`There is no function "${name}".`);
  return serviceFunction;
}
