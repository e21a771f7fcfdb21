import { type ContactStore, isSameScope } from '#domain/contacts/store.ts';
import { type ContactScope, ownerOf } from '#domain/contacts/stored.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';

/**
 * Moves the contacts at an entity to the organization that it now belongs to, if any: their addresses are unique within an
 * organization. It can be run again to make up for a crash.
 *
 * Where the organization already has a contact with the address, that contact gains the scopes.
 *
 * @param entityCheck is written with every contact, and refuses it when the entity has moved again.
 */
export async function moveContacts(
  contacts: ContactStore,
  downstreamEntityId: string,
  downstreamOrganizationId: string | undefined,
  now: () => Date,
  entityCheck: readonly TransactionItem[],
): Promise<void> {
  const movedScope = ({ downstreamOrganizationId: _, ...scope }: ContactScope): ContactScope =>
    downstreamOrganizationId === undefined ? scope : { ...scope, downstreamOrganizationId };

  const isAtEntity = (scope: ContactScope): boolean => scope.downstreamEntityId === downstreamEntityId;

  const moveContact = async (contactId: string): Promise<void> => {
    const before = await contacts.find(contactId);
    const scopesAtEntity = before?.scopes.filter(isAtEntity) ?? [];
    const isOutdated = scopesAtEntity.some(
      (scope) => scope.downstreamOrganizationId !== downstreamOrganizationId,
    );
    if (before === undefined || !isOutdated) return;
    const updatedAt = now().toISOString();
    const owner = ownerOf({ downstreamEntityId, downstreamOrganizationId });
    const [holderId] = await contacts.holdersOf([owner], before.email);
    if (holderId === undefined || holderId === contactId) {
      const scopes = before.scopes.map((scope) => (isAtEntity(scope) ? movedScope(scope) : scope));
      await contacts.save(before, { ...before, scopes, updatedAt }, entityCheck);
      return;
    }
    const holder = await contacts.find(holderId);
    if (holder === undefined) return;
    const isPrimary = (scope: ContactScope): boolean =>
      scope.isPrimary ||
      scopesAtEntity.some((entityScope) => entityScope.isPrimary && isSameScope(entityScope, scope));
    const gainedScopes = scopesAtEntity
      .map(movedScope)
      .filter((scope) => !holder.scopes.some((holderScope) => isSameScope(holderScope, scope)));
    const scopes = [...holder.scopes, ...gainedScopes].map((scope) => ({
      ...scope,
      isPrimary: isPrimary(scope),
    }));
    const otherScopes = before.scopes.filter((scope) => !isAtEntity(scope));
    const isEmptied = otherScopes.length === 0;
    await contacts.merge(
      { before: holder, after: { ...holder, scopes, updatedAt } },
      {
        before,
        after: {
          ...before,
          scopes: isEmptied ? before.scopes : otherScopes,
          isDeleted: isEmptied,
          updatedAt,
        },
      },
      entityCheck,
    );
  };

  for await (const page of contacts.atEntity(downstreamEntityId)) {
    for (const { contactId } of page) await retryOnConflict(() => moveContact(contactId));
  }
}
