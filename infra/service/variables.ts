import type { Construct } from 'constructs';
import type { FunctionUses } from '../../shared/domain/function-uses.ts';
import { declaredVariables, type ValueName } from '../../shared/domain/variables.ts';
import { type Binding, plain } from '../constructs/binding.ts';
import { type QueueWithDlq, redrives } from '../constructs/queue-with-dlq.ts';
import type { DataStack } from '../data-stack.ts';
import type { Environment } from '../environments.ts';
import type { Queues } from './flows.ts';

/** What functions are made in, and what their variables take their values from. */
export interface Sources {
  readonly scope: Construct;
  readonly deployment: Environment;
  readonly data: DataStack;
  readonly queues: Queues;
  /** The API's public address, for functions that are made after the gateway. */
  readonly apiAddress?: string;
}

/** The value of each variable of a function, and the permissions that go with it: exactly what it declares that it uses. */
export function variablesOf(uses: FunctionUses, sources: Sources): Readonly<Record<string, Binding>> {
  const { data, queues } = sources;
  const declared = declaredVariables(uses);
  return Object.fromEntries([
    ...declared.tables.map(({ variable, key, use }) => [variable, data.tables[key].allows(use)] as const),
    ...declared.queues.map(({ variable, name }) => [variable, queues.named(name).sends] as const),
    ...declared.values.map(({ variable }) => [variable, values[variable](sources, uses)] as const),
  ]);
}

const values: Readonly<Record<ValueName, (sources: Sources, uses: FunctionUses) => Binding>> = {
  ENVIRONMENT: ({ deployment }) => plain(deployment.name),
  RESPONSE_CHECK: ({ deployment }) => plain(deployment.responseCheck),
  FILES_BUCKET: ({ data }, { files }) => data.files.allows(files?.writes ?? []),
  MALWARE_SCAN: ({ deployment }) => plain(deployment.malwareScan),
  DEAD_LETTER_QUEUE_URL: (sources, uses) => consumed(sources, uses).deadLetters,
  MAX_RECEIVE_COUNT: (sources, uses) => plain(String(consumed(sources, uses).maxReceiveCount)),
  EVENT_BUS_NAME: ({ queues }) => queues.bus.puts,
  CLOCKS: ({ data, deployment }) =>
    deployment.sandbox ? data.tables.registryRecords.allows({ items: ['GetItem'] }) : plain('none'),
  REGISTRY_ADDRESS: ({ data }) => data.registry.address,
  REGISTRY_ACCESS: ({ data }) => data.registry.access,
  REGISTRY_CHANGES: ({ data }) => data.registry.changes,
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
  DEFERRED_EVENTS_PER_SECOND: ({ deployment }) => plain(String(deployment.deferredEventsPerSecond)),
  MOST_CALLS_A_NIGHT: ({ deployment }) => plain(String(deployment.mostCallsANight)),
  REGISTRY_POLLS_PER_SECOND: ({ deployment }) => plain(String(deployment.registryPollsPerSecond)),
  SANDBOX: ({ deployment }) => plain(deployment.sandbox ? 'yes' : 'no'),
  SUPPORT_URL: ({ deployment }) => plain(deployment.supportUrl),
};

/** The first queue of a worker: the unreadable messages of all its queues go to the dead-letter queue of that one. */
function consumed({ queues }: Sources, { consumes = {} }: FunctionUses): QueueWithDlq {
  const [first] = queues.all.filter(({ name }) => consumes[name] !== undefined);
  if (first === undefined) throw new Error('The function consumes no queue.');
  return first;
}
