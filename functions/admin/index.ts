import { functionEntry } from '../../shared/domain/entry.ts';
import { createRegistry } from '../../shared/domain/environment-registry.ts';
import { lambdaObjectStore } from '../../shared/domain/file-documents/lambda-object-store.ts';
import { createS3Changes } from '../../shared/domain/registry/s3-change-files.ts';
import { createSecretText } from '../../shared/platform/config/secret-text.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createAdminFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry('admin', uses, ({ clients: { dynamo }, ...common }, { values }) =>
  createAdminFunction({
    ...common,
    clients: {
      linkSecret: createSecretText(values.LINK_SECRET_ARN, common.context.now),
      objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN),
      registry: createRegistry(values, {
        dynamo,
        now: common.context.now,
        listedChanges: createS3Changes(values.REGISTRY_CHANGES),
      }),
      sqs: createSqsClient(),
    },
    registryAddress: values.REGISTRY_ADDRESS,
    queues: values.QUEUES,
    pollsPerSecond: values.REGISTRY_POLLS_PER_SECOND,
    mostCallsANight: values.MOST_CALLS_A_NIGHT,
    isSandbox: values.SANDBOX === 'yes',
    allowsFutureAsOf: values.ALLOW_FUTURE_AS_OF === 'yes',
  }),
);
