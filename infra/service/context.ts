import type { Construct } from 'constructs';
import { plain } from '../constructs/binding.ts';
import type { Folder } from '../constructs/files-bucket.ts';
import type { DataStack } from '../data-stack.ts';
import type { Environment } from '../environments.ts';

/** What every part of the service stack needs. */
export interface ServiceContext {
  readonly scope: Construct;
  readonly deployment: Environment;
  readonly data: DataStack;
}

/** The environment variables of every function. */
export const commonUses = ({ deployment }: ServiceContext) => ({ ENVIRONMENT: plain(deployment.name) });

/** The environment variables of every function with routes. */
export const apiUses = (context: ServiceContext) => ({
  ...commonUses(context),
  RESPONSE_CHECK: plain(context.deployment.responseCheck),
});

/** The environment variables of functions with routes that write: idempotency records and rate counters. */
export const writeUses = ({ data }: ServiceContext) => ({
  IDEMPOTENCY_TABLE: data.idempotency.allows({ items: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
  RATE_COUNTERS_TABLE: data.rateCounters.allows({ items: ['UpdateItem'] }),
});

/** The bucket of files, where a function writes to these folders. */
export const filesUses = ({ data, deployment }: ServiceContext, write: readonly Folder[]) => ({
  FILES_BUCKET: data.files.allows(write),
  MALWARE_SCAN: plain(deployment.malwareScan),
});
