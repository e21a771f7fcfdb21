import { retryOnConflict } from '../data/optimistic-lock.ts';
import { type ContactStore, isSameScope } from './store.ts';
import { type ContactScope, ownerOf, type StoredContact } from './stored.ts';

/**
 * Moves the contacts at an entity to the organization that it now belongs to, if any. It can be run
 * again to repair what a crash left, and runs before the entity's own item is written.
 *
 * Where the organization already has a contact with the address, that contact gains the scopes.
 */
export async function followEntity(
  contacts: ContactStore,
  downstreamEntityId: string,
  downstreamOrganizationId: string | undefined,
  now: () => Date,
): Promise<void> {
  const moved = ({ downstreamOrganizationId: _, ...scope }: ContactScope): ContactScope =>
    downstreamOrganizationId === undefined ? scope : { ...scope, downstreamOrganizationId };

  const follow = async (contactId: string): Promise<void> => {
    const before = await contacts.find(contactId);
    const [here, elsewhere] = partition(
      before?.scopes ?? [],
      (scope) => scope.downstreamEntityId === downstreamEntityId,
    );
    const isBehind = here.some((scope) => scope.downstreamOrganizationId !== downstreamOrganizationId);
    if (before === undefined || !isBehind) return;
    const updatedAt = now().toISOString();
    const owner = ownerOf({ downstreamEntityId, downstreamOrganizationId });
    const [known] = await contacts.holdersOf([owner], before.email);
    if (known === undefined || known === contactId) {
      const scopes = before.scopes.map((scope) => (here.includes(scope) ? moved(scope) : scope));
      await contacts.save(before, { ...before, scopes, updatedAt }, []);
      return;
    }
    const heir = await contacts.find(known);
    if (heir === undefined) return;
    const missing = here.map(moved).filter((scope) => !heir.scopes.some((held) => isSameScope(held, scope)));
    // The primary role can be taken over once it is given up; until then both contacts have the scope.
    const scopes = [...heir.scopes, ...missing.map((scope) => ({ ...scope, isPrimary: false }))];
    await contacts.save(heir, { ...heir, scopes, updatedAt }, []);
    const isGone = elsewhere.length === 0;
    await contacts.save(
      before,
      { ...before, scopes: isGone ? before.scopes : elsewhere, isDeleted: isGone, updatedAt },
      [],
    );
    await retryOnConflict(() =>
      takeOver(
        contacts,
        known,
        here.filter(({ isPrimary }) => isPrimary),
      ),
    );
  };

  for await (const page of contacts.atEntity(downstreamEntityId)) {
    for (const { contactId } of page) await retryOnConflict(() => follow(contactId));
  }
}

/** Makes a contact the primary one of the markets of these scopes, which it has. */
async function takeOver(
  contacts: ContactStore,
  contactId: string,
  primaries: readonly ContactScope[],
): Promise<void> {
  const contact: StoredContact | undefined = await contacts.find(contactId);
  if (contact === undefined || primaries.length === 0) return;
  const scopes = contact.scopes.map((scope) =>
    primaries.some((primary) => isSameScope(primary, scope)) ? { ...scope, isPrimary: true } : scope,
  );
  await contacts.save(contact, { ...contact, scopes }, []);
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
