import { ownScopes } from '../../shared/domain/contacts/own-scopes.ts';
import {
  type ContactScope,
  contactPartitions,
  type StoredContact,
  storedContact,
} from '../../shared/domain/contacts/stored.ts';
import type { EntityMoves } from '../../shared/domain/downstream-entities/entity-moves.ts';
import type { Ownership } from '../../shared/domain/downstream-entities/own-records.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import type { IndexedKey } from '../../shared/platform/data/common-keys.ts';
import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { PageOf } from '../../shared/platform/data/table-reads.ts';
import type { InvitedMarkets } from './invited-markets.ts';

/** Agencies whose contacts are read at once. */
const concurrency = 16;

const noMarkets: ReadonlySet<string> = new Set();

const list = (value: string) => ({ index: 'by-list', value }) as const;

/** Contacts as agencies list them. */
export function createAgencyLists(contacts: Table<'by-list'>, invitedMarkets: InvitedMarkets) {
  const keysOf = (value: string): Promise<IndexedKey[]> => collect(contacts.keys(list(value)));
  const keysAt = async (entityIds: Iterable<string>): Promise<IndexedKey[]> =>
    (
      await mapConcurrently(entityIds, concurrency, (entityId) =>
        keysOf(contactPartitions.ofEntity(entityId)),
      )
    ).flat();
  const read = (keys: readonly IndexedKey[]): Promise<StoredContact[]> =>
    contacts.getInOrder(storedContact, keys, { leavesOut: true });

  /**
   * The keys of an organization's contacts where agencies have moved: those at agencies that joined are added, and those at
   * agencies that left are read, since they may be contacts of others, too. A contact's keys all sort by its name and id.
   */
  async function keysAfterMoves(organizationId: string, moves: EntityMoves): Promise<IndexedKey[]> {
    const [listed, come, gone] = await Promise.all([
      keysOf(contactPartitions.ofOrganization(organizationId)),
      keysAt(moves.joined.keys()),
      keysAt(moves.left),
    ]);
    const added = new Map(come.map((key) => [key.sort, key]));
    const atLeft = new Set(gone.map(({ sort }) => sort));
    const others = listed.filter(({ sort }) => !added.has(sort));
    const doubtful = await read(others.filter(({ sort }) => atLeft.has(sort)));
    const kept = new Set(
      doubtful
        .filter((contact) => ownScopes(contact, organizationId, moves, noMarkets).length > 0)
        .map(({ contactId }) => contactId),
    );
    return [...others.filter(({ sk, sort }) => !atLeft.has(sort) || kept.has(sk)), ...added.values()].sort(
      (one, other) => (one.sort < other.sort ? -1 : 1),
    );
  }

  /** The keys of contacts that came with invited markets alone, and the contacts among them that the agency sees by now. */
  const pendingKeys = (partition: string): Promise<IndexedKey[]> =>
    keysOf(contactPartitions.pending(partition));

  async function agreedAmong(
    keys: readonly IndexedKey[],
    sees: (contact: StoredContact, invited: ReadonlySet<string>) => ContactScope[],
  ): Promise<IndexedKey[]> {
    const found = await read(keys);
    const invited = await invitedMarkets(found);
    const seen = new Set(
      found.flatMap((contact) => (sees(contact, invited).length > 0 ? [contact.contactId] : [])),
    );
    return keys.filter(({ sk }) => seen.has(sk));
  }

  return {
    /** A page of the organization's contacts, or of those at one of its agencies, by name, and how many there are. */
    async page({ organizationId, moves }: Ownership, downstreamEntityId: string | undefined, page: PageOf) {
      const value =
        downstreamEntityId === undefined
          ? contactPartitions.ofOrganization(organizationId)
          : contactPartitions.ofEntity(downstreamEntityId);
      const [known, { items, total }, pending] = await Promise.all([
        moves,
        contacts.itemPage(storedContact, [list(value)], page),
        pendingKeys(value),
      ]);
      const joined = downstreamEntityId === undefined ? [...known.joined.keys()] : [];
      const ofJoined = await mapConcurrently(joined, concurrency, (id) =>
        pendingKeys(contactPartitions.ofEntity(id)),
      );
      const agreed = await agreedAmong([...pending, ...ofJoined.flat()], (contact, invited) =>
        ownScopes(contact, organizationId, known, invited).filter(
          (scope) => (downstreamEntityId ?? scope.downstreamEntityId) === scope.downstreamEntityId,
        ),
      );
      const hasMoves = downstreamEntityId === undefined && known.left.size + known.joined.size > 0;
      if (!hasMoves && agreed.length === 0) return { items, total };
      const listed = hasMoves ? await keysAfterMoves(organizationId, known) : await keysOf(value);
      // A contact of two agencies is in two partitions, with the same sort key.
      const all = new Map([...listed, ...agreed].map((key) => [key.sort, key]));
      const keys = [...all.values()].sort((one, other) => (one.sort < other.sort ? -1 : 1));
      const shown = keys.slice((page.page - 1) * page.limit, page.page * page.limit);
      return { items: await read(shown), total: keys.length };
    },
  };
}
