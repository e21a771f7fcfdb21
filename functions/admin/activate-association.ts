import type { ActivateAssociation } from '../../shared/domain/associations/events.ts';
import type { Association } from '../../shared/domain/associations/resource.ts';
import type { AssociationStore } from '../../shared/domain/associations/store.ts';
import { type AssociationSources, associationViews } from '../../shared/domain/associations/view.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import { retryOnConflict } from '../../shared/platform/data/transact.ts';

/**
 * Makes an association active on the agency's behalf; one that is active stays as it is.
 * @throws ApiError `not_found` for an unknown association.
 */
export const createActivateById =
  (
    deps: AssociationSources & {
      readonly associations: AssociationStore;
      readonly activate: ActivateAssociation;
      readonly now: () => Date;
    },
  ) =>
  (associationId: string): Promise<Association> =>
    retryOnConflict(async () => {
      const found = existing(await deps.associations.findById(associationId));
      const isActive = found.status === 'active';
      const after = isActive ? found : (await deps.activate(found, deps.now())).association;
      const [view] = await associationViews(after.upstreamEntityId, [after], deps);
      return existing(view);
    });
