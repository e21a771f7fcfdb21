import { SQSClient } from '@aws-sdk/client-sqs';
import { type Registry, simulatedAddress } from '#domain/registry/registry.ts';
import { tablesOf } from '#domain/tables.ts';
import { adminFunction } from '../../functions/admin/function.ts';
import { licenseSweepFunction } from '../../functions/license-sweep/function.ts';
import { linkRedemptionFunction } from '../../functions/link-redemption/function.ts';
import { registryReconciliationFunction } from '../../functions/registry-reconciliation/function.ts';
import { testContext } from './context.ts';
import { linkSecret } from './link-secret.ts';
import { memoryObjectStore } from './memory-object-store.ts';
import { testQueue } from './queue-messages.ts';
import { dynamo } from './tables.ts';

type AdminTables = Readonly<Record<keyof typeof absent, string>>;

/** Tables of the function, and of those that it invokes. */
const absent = {
  agents: 'no-agents',
  associations: 'no-associations',
  compliance: 'no-compliance',
  contacts: 'no-contacts',
  downstreamEntities: 'no-downstream-entities',
  fileDocuments: 'no-file-documents',
  filings: 'no-filings',
  licensing: 'no-licensing',
  oneTimeLinks: 'no-one-time-links',
  organizations: 'no-organizations',
  outbox: 'no-outbox',
  rateCounters: 'no-rate-counters',
  registryRecords: 'no-registry-records',
};

const nowhere = { queue: 'no-queue', dead: 'no-queue' };
const noQueues = {
  'registry-sync': nowhere,
  'webhook-fanout': nowhere,
  'webhook-fanout-imports': nowhere,
  'deliveries-healthy': nowhere,
  'deliveries-failing': nowhere,
  'compliance-changes': nowhere,
  'compliance-changes-imports': nowhere,
  'license-sweep': nowhere,
  'registry-reconciliation': nowhere,
  'sandbox-nightly-run': nowhere,
  'agency-moves': nowhere,
};

/** A registry that knows nobody. */
const emptyRegistry: Registry = { fetch: async () => undefined };

/**
 * Runs operator commands as the deployed function does, on these tables; what needs another one fails. There is no queue
 * to redrive. A refused command throws what it was refused with.
 */
export function commandsOn(
  tables: Partial<AdminTables>,
  {
    now = () => new Date(),
    objectStore = memoryObjectStore().store,
    allowsFutureAsOf = true,
  }: {
    readonly now?: () => Date;
    readonly objectStore?: ReturnType<typeof memoryObjectStore>['store'];
    readonly allowsFutureAsOf?: boolean;
  } = {},
) {
  const shared = { tables: tablesOf(dynamo, { ...absent, ...tables }), context: testContext({ now }) };
  const worker = { ...shared, queue: testQueue, send: () => Promise.reject(new Error('no queue')) };
  const invoked = {
    'license-sweep': licenseSweepFunction.compose(worker),
    'registry-reconciliation': registryReconciliationFunction.compose({
      ...worker,
      registry: emptyRegistry,
      mostCallsANight: undefined,
    }),
    'link-redemption': linkRedemptionFunction.compose({ ...shared, linkSecret }),
  } as Readonly<Record<string, (event: object) => Promise<unknown>>>;
  const answer = adminFunction.compose({
    ...shared,
    objectStore,
    invoke: async (name, payload) => JSON.parse(JSON.stringify(await invoked[name]?.(payload))),
    sqs: new SQSClient({ region: 'us-east-1' }),
    registryAddress: simulatedAddress,
    queues: noQueues,
    allowsFutureAsOf,
    isSandbox: true,
  });
  return async (command: string, input: object): Promise<object> => {
    const outcome = await answer({ command, input });
    if (!outcome.ok) throw Object.assign(new Error(outcome.error.errorMessage.join()), outcome.error);
    return outcome.result;
  };
}
