import { agencyMove } from '#domain/downstream-entities/stored.ts';
import { eventFunction, type Resources } from '#function/function.ts';
import { createOrganizations } from '#platform/identity/organizations.ts';
import { type QueueContext, queueConsumer, queueContext } from '#platform/queue/consumer.ts';
import { createSqsClient } from '#platform/queue/send.ts';
import { createMoveAgency } from './move.ts';
import { uses } from './uses.ts';

function compose({
  tables,
  queue,
  context: { logger: log, now },
}: Resources<typeof uses, { readonly queue: QueueContext }>) {
  const moveAgency = createMoveAgency({
    tables,
    organizations: createOrganizations(tables.organizations),
    now,
  });
  return queueConsumer({
    schema: agencyMove,
    async work({ message: { downstreamEntityId } }) {
      await moveAgency(downstreamEntityId);
      log.info('An agency has its records under its organization.', {
        event: 'agency_moved',
        downstreamEntityId,
      });
      return 'done';
    },
    ...queue,
    log,
  });
}

/** Copies the records of agencies that get another organization. */
export const agencyMovesFunction = eventFunction({
  uses,
  compose,
  resources: ({ values }) => ({ queue: queueContext(createSqsClient(), values) }),
});
