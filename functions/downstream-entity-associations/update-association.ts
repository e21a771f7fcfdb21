import {
  type AssociationEventItems,
  associationChangeEvents,
} from '../../shared/domain/associations/events.ts';
import type { AssociationStore } from '../../shared/domain/associations/store.ts';
import { type AssociationSources, associationViews } from '../../shared/domain/associations/view.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import { retryOnConflict } from '../../shared/platform/data/optimistic-lock.ts';
import type { OrganizationStore } from '../../shared/platform/identity/organization-store.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { ownAssociation } from './get-association.ts';
import type { downstreamEntityAssociationRoutes } from './routes.ts';

/**
 * Sets or clears the carrier's own codes of an agency (OpenAPI, "updateAssociation"). What the response shows is read
 * before the one transaction, which records it and emits the event; that takes two round trips, as the association
 * has the agency's id.
 *
 * @throws ApiError `not_found`; `duplicate_external_id_error` and `duplicate_producer_code_error` when another association
 *   of the caller's has the code.
 */
export const updateAssociation: Operation<
  typeof downstreamEntityAssociationRoutes.routes.updateAssociation,
  AssociationSources & {
    readonly associations: AssociationStore;
    readonly events: AssociationEventItems;
    readonly organizations: OrganizationStore;
    readonly clock: () => Date;
  }
> = ({ identity, params, body, now, recordResponse }, deps) =>
  retryOnConflict(async () => {
    const owner = identity.organizationId;
    const before = await ownAssociation(deps.associations, owner, params.downstreamEntityAssociationId);
    const { externalId = before.externalId, producerCode = before.producerCode } = body;
    const after = { ...before, externalId, producerCode, updatedAt: now.toISOString() };
    const [organization, [view]] = await Promise.all([
      deps.organizations.findOrganization(owner),
      associationViews(owner, [after], deps),
    ]);
    if (view === undefined) throw notFound();
    const upstreamEntityName = organization?.name ?? '';
    // Who follows the list finds the change by the time of its write, however long the request took.
    await deps.associations.save({ before, after, now: deps.clock(), upstreamEntityName }, [
      ...deps.events(associationChangeEvents(before, after, view.downstreamEntity), now),
      ...recordResponse(view),
    ]);
    return view;
  });
