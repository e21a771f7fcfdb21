import type { Construct } from 'constructs';
import { plain } from '../constructs/binding.ts';
import type { DataStack } from '../data-stack.ts';
import type { Environment } from '../environments.ts';

/** What every storey of the service is built from. */
export interface ServiceContext {
  readonly scope: Construct;
  readonly deployment: Environment;
  readonly data: DataStack;
}

/** What every function is given. */
export const commonUses = ({ deployment }: ServiceContext) => ({ ENVIRONMENT: plain(deployment.name) });

/** What every function that answers routes is given. */
export const apiUses = (context: ServiceContext) => ({
  ...commonUses(context),
  RESPONSE_CHECK: plain(context.deployment.responseCheck),
});

/** What the pipeline keeps for routes that write: the answers to idempotency keys, and counters. */
export const writeUses = ({ data }: ServiceContext) => ({
  IDEMPOTENCY_TABLE: data.idempotency.allows({ items: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
  RATE_COUNTERS_TABLE: data.rateCounters.allows({ items: ['UpdateItem'] }),
});
