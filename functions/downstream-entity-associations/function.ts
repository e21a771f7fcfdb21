import { apiFunction } from '#function/api-function.ts';
import { importOnUse } from '#platform/contract/lazily.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { associationCompliance, associationReads } from './read-associations.ts';
import { createAssociationSources } from './store.ts';
import { uses } from './uses.ts';
import { associationSynchronization, associationWrites } from './write-associations.ts';

/** Serves the routes of a carrier's associations with agencies. */
export const downstreamEntityAssociationsFunction = apiFunction({
  uses,
  resources: ({ values, queues, context }) => ({
    linkSecret: importOnUse(async () => {
      const { createSecretText } = await import('#platform/config/secret-text.ts');
      return createSecretText(values.LINK_SECRET_ARN, context.now);
    }, 'current'),
    ...importOnUse(async () => {
      const { createSendMessages } = await import('#platform/queue/send.ts');
      return { sendToRegistrySync: createSendMessages(queues['registry-sync']) };
    }, 'sendToRegistrySync'),
    agencyAppUrl: values.AGENCY_APP_URL,
    questionsADay: values.REGISTRY_QUESTIONS_A_DAY,
  }),
  operations: (resources) => {
    const sources = createAssociationSources(resources);
    return {
      ...associationReads(sources),
      ...associationWrites(sources),
      ...associationSynchronization(sources),
      ...associationCompliance(sources),
    };
  },
  services: writeServices,
});
