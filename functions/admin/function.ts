import { lambdaObjectStore } from '#domain/file-documents/lambda-object-store.ts';
import { eventFunction } from '#function/function.ts';
import { auditOf, idsOf, operatorHandler } from '#platform/operator/handler.ts';
import { createSqsClient } from '#platform/queue/send.ts';
import { commandNames, runCommand } from './commands.ts';
import { createInvoke } from './invoke.ts';
import { createCommandSources } from './sources.ts';
import { uses } from './uses.ts';

/** Runs one operator command. */
export const adminFunction = eventFunction({
  uses,
  resources: ({ values, functions }) => ({
    objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN),
    invoke: createInvoke(functions),
    sqs: createSqsClient(),
    registryAddress: values.REGISTRY_ADDRESS,
    queues: values.QUEUES,
    isSandbox: values.SANDBOX === 'yes',
    allowsFutureAsOf: values.ALLOW_FUTURE_AS_OF === 'yes',
  }),
  compose(resources) {
    const sources = createCommandSources(resources);
    return operatorHandler(resources.context.logger, {
      auditOf: (event) => auditOf(event, commandNames),
      run: async (event) => {
        const result = await runCommand(event, sources);
        // Ids of what it created, like that of a credential.
        return { result, audit: idsOf(result) };
      },
    });
  },
});
