import type { AssociationStore } from '../../shared/domain/associations/store.ts';
import type { StoredAssociation } from '../../shared/domain/associations/stored.ts';
import { associationViews } from '../../shared/domain/associations/view.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import type { AssociationOperation } from './function.ts';

/** One of the caller's associations. @throws ApiError `not_found` for an unknown, foreign or soft-deleted one. */
export const ownAssociation = async (
  associations: AssociationStore,
  owner: string,
  associationId: string,
): Promise<StoredAssociation> => existing(await associations.find(owner, associationId));

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted association. */
export const getAssociation: AssociationOperation<'getAssociation'> = async ({ identity, params }, deps) => {
  const owner = identity.organizationId;
  const stored = await ownAssociation(deps.associations, owner, params.downstreamEntityAssociationId);
  const [view] = await associationViews(owner, [stored], deps);
  return existing(view);
};

/** The caller's active templates. */
export const listContractContainerTemplates: AssociationOperation<'listContractContainerTemplates'> = (
  { identity },
  { templates },
) => templates.list(identity.organizationId);
