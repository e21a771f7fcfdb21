import type { EntityMoves } from '../downstream-entities/entity-moves.ts';
import type { ContactScope, StoredContact } from './stored.ts';

/**
 * The scopes that an organization sees: those at the agencies that belong to it at this moment, for any market. The scopes' own
 * copy of the organization is updated after an agency has moved.
 *
 * @param invited markets that are invited: the agency does not see the scopes that came with them.
 */
export const ownScopes = (
  { scopes }: Pick<StoredContact, 'scopes'>,
  organizationId: string,
  { left, joined }: EntityMoves,
  invited: ReadonlySet<string>,
): ContactScope[] =>
  scopes.filter(
    ({ downstreamEntityId, downstreamOrganizationId, downstreamEntityAssociationId, isPending }) =>
      (joined.has(downstreamEntityId) ||
        (downstreamOrganizationId === organizationId && !left.has(downstreamEntityId))) &&
      !(isPending === true && invited.has(downstreamEntityAssociationId ?? '')),
  );
