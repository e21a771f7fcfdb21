import { associationKeys, isLive, storedAssociation } from '../../shared/domain/associations/stored.ts';
import type { StoredContact } from '../../shared/domain/contacts/stored.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/**
 * The associations with which scopes of these contacts came, and to which the agency has not agreed: it sees such a market,
 * but not its contacts. Reads nothing for contacts without such scopes, as nearly all are.
 */
export type InvitedMarkets = (
  contacts: readonly Pick<StoredContact, 'scopes'>[],
) => Promise<ReadonlySet<string>>;

const ofAssociation = storedItem('associations/association-of-market', () => {
  const { _id, status, isDeleted, agency } = storedAssociation.shape;
  return { _id, status, isDeleted, agency };
});

export const createInvitedMarkets =
  (associations: Table): InvitedMarkets =>
  async (contacts) => {
    const owners = new Map(
      contacts.flatMap(({ scopes }) =>
        scopes.flatMap(
          ({ downstreamEntityAssociationId: id, upstreamEntityId, isPending, givenByCarrier }) =>
            (isPending === true || givenByCarrier !== undefined) &&
            id !== undefined &&
            upstreamEntityId !== undefined
              ? [[id, upstreamEntityId] as const]
              : [],
        ),
      ),
    );
    const keys = Array.from(owners, ([id, owner]) => associationKeys.association(owner, id));
    const agreed = (await associations.getAll(ofAssociation, keys, { leavesOut: true })).filter(
      (association) => isLive(association) && association.status !== 'invited',
    );
    for (const { _id } of agreed) owners.delete(_id);
    return new Set(owners.keys());
  };
