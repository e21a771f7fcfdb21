import { functionEntry } from '../../shared/domain/entry.ts';
import { createRegistry } from '../../shared/domain/registry/create.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createRegistrySyncFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry(
  'registry-sync',
  uses,
  ({ clients: { dynamo }, ...common }, { values }) =>
    createRegistrySyncFunction({
      ...common,
      clients: { dynamo, registry: createRegistry(values, { dynamo, now: common.context.now }) },
      queue: queueContext(createSqsClient(), values),
    }),
);
