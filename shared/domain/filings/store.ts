import { changeMark } from '#platform/changes/change-index.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { absentOr } from '#platform/data/expressions.ts';
import type { Query } from '#platform/data/query-pages.ts';
import { anyItem, parseStored, storedItem } from '#platform/data/stored.ts';
import type { Table, TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { DomainError, limitReached } from '#platform/errors/domain-error.ts';
import { filingKeys, filingPartitions } from './keys.ts';
import {
  mostFiles,
  mostMessages,
  type StoredFiling,
  type StoredMessage,
  storedFiling,
  storedMessage,
} from './stored.ts';
import { type FoundFiling, filingSummaryOf } from './view.ts';

/** The side of an organization in a filing. */
export type Persona = 'upstream' | 'downstream';

/** A change of a filing: the filing as it will be, and the new messages. */
export interface FilingChange {
  /** `version` and `messageCount` are set by the store; given values are ignored. */
  readonly filing: StoredFiling;
  /** New messages, at most 80, so that the transaction has room for the other items. */
  readonly messages?: readonly StoredMessage[];
}

/**
 * Whether a filing has room for a change.
 * @throws DomainError `state_conflict` where it would have more than `mostMessages` or `mostFiles`.
 */
export function checkRoom(
  previousFiling: FoundFiling | undefined,
  { filing, messages = [] }: FilingChange,
): void {
  const allMessages = [...(previousFiling?.messages ?? []), ...messages];
  const items = filing.checklist.flatMap((category) => category.items);
  const files = [...items, ...allMessages].reduce((sum, { attachments }) => sum + attachments.length, 0);
  if (allMessages.length > mostMessages)
    throw limitReached(`A filing can have at most ${mostMessages} messages.`, mostMessages);
  if (files > mostFiles) throw limitReached(`A filing can have at most ${mostFiles} files.`, mostFiles);
}

/** Filings with their messages. */
export type FilingStore = ReturnType<typeof createFilingStore>;

/** An item that names a filing's owner, as list entries do, too. */
const ownerItem = storedItem('filings/owner', { upstreamEntityId: objectId });

export function createFilingStore(table: Table<'by-downstream'>, now: () => Date) {
  /** The filing's partition, of the table or of an index. */
  async function read(partition: string, query: Query<'by-downstream'>): Promise<FoundFiling | undefined> {
    let filing: StoredFiling | undefined;
    const messages: StoredMessage[] = [];
    for await (const items of table.query(anyItem, partition, query)) {
      for (const item of items) {
        if (item['sk'] === 'FILING') filing = parseStored(storedFiling, item);
        else messages.push(parseStored(storedMessage, item));
      }
    }
    return filing && { filing, messages };
  }

  const readOwned = (upstream: string, filingId: string) =>
    read(filingKeys.filing(upstream, filingId).pk, { consistent: true });

  /**
   * An index lags behind its table, and has a filing for one owner while its agency moves to another: when it does not have the
   * whole filing, or the latest is needed, the owner's list entry leads to it.
   */
  async function readThroughIndex(owner: string, filingId: string, latest: boolean) {
    const foundFiling = await read(filingPartitions.ofDownstream(owner, filingId), {
      index: 'by-downstream',
    });
    if (
      !latest &&
      foundFiling !== undefined &&
      foundFiling.messages.length === foundFiling.filing.messageCount
    )
      return foundFiling;
    // As lists read entries, so that a function needs one permission.
    const [entry] = await table.getAll(ownerItem, [filingKeys.listEntry(owner, filingId)]);
    // The carrier's entry is none of an agency's.
    return entry === undefined || entry.upstreamEntityId === owner
      ? undefined
      : readOwned(entry.upstreamEntityId, filingId);
  }

  return {
    /**
     * A filing under the owner that is not soft-deleted: a carrier, or an agency's organization.
     * @param options.latest reads consistently, for callers that found the index lagging behind.
     */
    async find(persona: Persona, owner: string, filingId: string, { latest } = { latest: false }) {
      const foundFiling =
        persona === 'upstream'
          ? await readOwned(owner, filingId)
          : await readThroughIndex(owner, filingId, latest);
      return foundFiling?.filing.isDeleted === true ? undefined : foundFiling;
    },

    /** A filing by its id alone, soft-deleted or not, for operators. */
    async findById(filingId: string): Promise<FoundFiling | undefined> {
      const owner = await table.get(ownerItem, filingKeys.owner(filingId));
      return owner && readOwned(owner.upstreamEntityId, filingId);
    },

    /**
     * Writes the filing, its list entries, new messages and the further items, all or nothing.
     * @param previousFiling what the change was made from; undefined for a new filing.
     * @throws VersionConflict when another writer changed the filing since; DomainError `state_conflict` when a new filing's
     *   id is another owner's; what `checkRoom` throws, and the further items raise.
     */
    async save(
      previousFiling: FoundFiling | undefined,
      { filing: changed, messages = [] }: FilingChange,
      furtherItems: readonly TransactionItem[],
    ) {
      checkRoom(previousFiling, { filing: changed, messages });
      const filing: StoredFiling = {
        ...changed,
        version: (previousFiling?.filing.version ?? 0) + 1,
        messageCount: (previousFiling?.filing.messageCount ?? 0) + messages.length,
      };
      const { items } = table;
      await table.transact([
        ...(previousFiling === undefined ? [ownerWrite(items, filing)] : []),
        items.put(
          {
            ...filingKeys.filing(filing.upstreamEntityId, filing._id),
            ...downstreamAttributes(filing),
            ...filing,
            ...changeMark(filing.upstreamEntityId, filing._id, now()),
          },
          { version: previousFiling?.filing.version },
        ),
        ...messages.map((message) =>
          items.put({
            ...filingKeys.message(filing.upstreamEntityId, filing._id, message),
            ...downstreamAttributes(filing),
            ...message,
          }),
        ),
        ...listEntryWrites(items, filing, previousFiling?.filing),
        ...furtherItems,
      ]);
    },
  };
}

const ownerWrite = (items: TableItems, { _id, upstreamEntityId }: StoredFiling): TransactionItem =>
  items.put(
    { ...filingKeys.owner(_id), upstreamEntityId },
    { upstreamEntityId: absentOr(upstreamEntityId) },
    () => new DomainError('state_conflict', { message: 'Another organization has a filing with this _id.' }),
  );

/** The keys that put a filing's items into its downstream owner's index. */
const downstreamAttributes = ({ recordOwner: owner, _id }: StoredFiling) =>
  owner === undefined ? {} : { downstreamKey: filingPartitions.ofDownstream(owner, _id) };

const ownersOf = ({ upstreamEntityId, recordOwner, isDeleted }: StoredFiling): string[] =>
  isDeleted === true ? [] : [upstreamEntityId, recordOwner].filter((owner) => owner !== undefined);

/** Writes a list entry for each owner; owners that the filing no longer has lose theirs. */
function listEntryWrites(
  items: TableItems,
  filing: StoredFiling,
  previousFiling: StoredFiling | undefined,
): TransactionItem[] {
  const owners = ownersOf(filing);
  const formerOwners =
    previousFiling === undefined ? [] : ownersOf(previousFiling).filter((owner) => !owners.includes(owner));
  return [
    ...owners.map((owner) => items.put(listEntry(owner, filing))),
    ...formerOwners.map((owner) => items.delete(filingKeys.listEntry(owner, filing._id))),
  ];
}

/** A filing as an owner's lists show it, with the attributes of their indexes. */
function listEntry(owner: string, filing: StoredFiling): Record<string, unknown> {
  const summary = filingSummaryOf(filing);
  const { upstreamEntityId, downstreamEntityId } = filing;
  const keyOf = (value: string | boolean | null | undefined) =>
    value === null || value === undefined ? undefined : filingPartitions.ofFilter(owner, value);
  return {
    ...filingKeys.listEntry(owner, filing._id),
    listKey: filingPartitions.all(owner),
    statusKey: keyOf(summary.status),
    stateKey: keyOf(summary.stateCode),
    policyNumberKey: keyOf(summary.policyNumber),
    referenceKey: keyOf(summary.externalReference),
    actionKey: keyOf(summary.actionRequired),
    entityKey: keyOf(downstreamEntityId),
    upstreamEntityId,
    downstreamEntityId,
    ...summary,
  };
}
