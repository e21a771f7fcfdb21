import { createAssociationStore } from '#domain/associations/store.ts';
import { associationKeys } from '#domain/associations/stored.ts';
import { type ContactStore, createContactStore, isSameScope } from '#domain/contacts/store.ts';
import { type ContactScope, ownerOf } from '#domain/contacts/stored.ts';
import {
  agencyChangeMark,
  agencyMove,
  downstreamEntityIndexes,
  downstreamEntityKeys,
  recordOwnerOf,
  type StoredDownstreamEntity,
  storedDownstreamEntity,
} from '#domain/downstream-entities/stored.ts';
import { fileDocumentKeys, storedFileDocument } from '#domain/file-documents/stored.ts';
import { filingKeys, filingPartitions } from '#domain/filings/keys.ts';
import { createFilingStore } from '#domain/filings/store.ts';
import { licensingKeys, licensingPartitions } from '#domain/licensing/requests.ts';
import { firstPollItem, firstPollOfAgency } from '#domain/registry-records/subscriptions.ts';
import type { Tables } from '#domain/tables.ts';
import { eventFunction } from '#function/function.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { existing } from '#platform/contract/errors.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { exists } from '#platform/data/expressions.ts';
import { anyItem, itemKey } from '#platform/data/stored.ts';
import type { Item, Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem, VersionConflict } from '#platform/data/transact.ts';
import { createOrganizations, type Organizations } from '#platform/identity/organizations.ts';
import { queueConsumer, queueContext } from '#platform/queue/consumer.ts';
import { createSqsClient } from '#platform/queue/send.ts';
import { uses } from './uses.ts';

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

interface MoveDeps {
  readonly tables: Tables<keyof (typeof uses)['tables']>;
  readonly organizations: Pick<Organizations, 'find'>;
  readonly now: () => Date;
}

/** The partitions of an owner that have records of its agencies. */
const partitionsOf = (
  { associations, fileDocuments, filings, licensing }: MoveDeps['tables'],
  owner: string,
) =>
  [
    { table: associations, pk: associationKeys.market(owner, '').pk },
    { table: fileDocuments, pk: fileDocumentKeys.document(owner, '').pk },
    { table: filings, pk: filingKeys.listEntry(owner, '').pk },
    { table: licensing, pk: licensingKeys.request(owner, '').pk },
    { table: licensing, pk: licensingPartitions.openRequests(owner) },
    { table: licensing, pk: licensingKeys.registration(owner, '').pk },
  ] as const satisfies readonly { readonly table: Table; readonly pk: string }[];

/** The agency's items in a partition, page by page. Consistent: an index may not have the latest yet. */
async function* itemsOfAgency(table: Table, pk: string, downstreamEntityId: string) {
  for await (const page of table.query(anyItem, pk, { consistent: true, limit: batchGetKeys })) {
    yield page.filter(
      (item) =>
        item['downstreamEntityId'] === downstreamEntityId ||
        // An open request names its agency in its key alone.
        String(item['sk']).startsWith(`${downstreamEntityId}#`),
    );
  }
}

/** An item under another owner: in its key, and in those of the table's indexes. */
function underOwner({ design }: Table, item: Item, from: string, to: string): Item {
  const names = ['pk', ...Object.values(design.indexes ?? {}).map(({ partitionKey }) => partitionKey.name)];
  const renamedKeys = names.flatMap((name) => {
    const value = String(item[name]);
    return value === from || value.startsWith(`${from}#`) ? [[name, to + value.slice(from.length)]] : [];
  });
  return { ...item, ...Object.fromEntries(renamedKeys) };
}

/**
 * The move of an agency's records to its next organization (OpenAPI, "Agencies that move"): they are copied; then, in one
 * transaction, the agency belongs to that organization; then what names the former one follows, and its copies go. Each part can
 * be done again, so that a crash anywhere is made up for by the next delivery of the message. Until all is done, the agencies'
 * routes change nothing of it; carriers and operators may, and what they change is written where the agency is at that moment.
 */
export function createMoveAgency({ tables, organizations, now }: MoveDeps) {
  const entities = tables.downstreamEntities;
  const associations = createAssociationStore(tables.associations);
  const contacts = createContactStore(tables.contacts);
  const filings = createFilingStore(tables.filings, now);

  const read = (id: string) => entities.get(storedDownstreamEntity, downstreamEntityKeys.entity(id));

  async function copyRecords(id: string, from: string, to: string): Promise<void> {
    for (const { table, pk } of partitionsOf(tables, from)) {
      for await (const items of itemsOfAgency(table, pk, id)) {
        await table.putAll(items.map((item) => underOwner(table, item, from, to)));
      }
    }
  }

  /** Gives the agency to its next organization, which has the registry asked about it. */
  async function changeOrganization(
    entity: StoredDownstreamEntity,
    { to, isSilent }: NonNullable<StoredDownstreamEntity['move']>,
  ): Promise<void> {
    const { _id, npn, isDeleted, recordHash, downstreamOrganizationId: formerOrganizationId } = entity;
    const downstreamOrganizationId = to ?? undefined;
    const time = now();
    const changes = {
      ...(isDeleted ? {} : downstreamEntityIndexes({ ...entity, downstreamOrganizationId })),
      downstreamOrganizationId,
      updatedAt: time.toISOString(),
      ...agencyChangeMark(_id, time),
      // An import that has read the agency before must read it again.
      recordHash: undefined,
    };
    const entityCondition = { recordHash, downstreamOrganizationId: formerOrganizationId };
    await entities.transact([
      entities.items.update(downstreamEntityKeys.entity(_id), changes, entityCondition),
      ...(npn === null || to === null || isDeleted
        ? []
        : [
            firstPollItem(
              tables.registryRecords.items,
              firstPollOfAgency('downstreamEntity', to, npn, isSilent),
              time,
            ),
          ]),
    ]);
  }

  /** Has an association, and with it its market, follow its agency. */
  const followInAssociation = (
    { owner, associationId }: { readonly owner: string; readonly associationId: string },
    { _id, downstreamOrganizationId }: StoredDownstreamEntity,
    entityCheck: TransactionItem,
  ): Promise<void> =>
    retryOnConflict(async () => {
      const before = await associations.findStored(owner, associationId);
      if (before?.downstreamEntityId !== _id) return;
      if (before.agency.downstreamOrganizationId === downstreamOrganizationId) return;
      const { name } = existing(await organizations.find(owner));
      const after = { ...before, agency: { ...before.agency, downstreamOrganizationId } };
      await associations.save({ before, after, now: now(), upstreamEntityName: name }, [entityCheck]);
    });

  /** Has a filing follow its agency. */
  const followInFiling = (filingId: string, from: string, to: string): Promise<void> =>
    retryOnConflict(async () => {
      const foundFiling = await filings.findById(filingId);
      if (foundFiling === undefined) return;
      const { upstreamEntityId, recordOwner } = foundFiling.filing;
      const downstreamKey = filingPartitions.ofDownstream(to, filingId);
      await concurrently(foundFiling.messages, async (message) => {
        await tables.filings.update(
          filingKeys.message(upstreamEntityId, filingId, message),
          { downstreamKey },
          exists,
        );
      });
      if (recordOwner === from)
        await filings.save(foundFiling, { filing: { ...foundFiling.filing, recordOwner: to } }, []);
    });

  /** Copies uploads that arrived in the former organization's documents after these were copied. */
  async function copyLateVersions(items: readonly Item[], from: string, to: string): Promise<void> {
    const { fileDocuments: table } = tables;
    const keys = items.map(({ sk }) => fileDocumentKeys.document(to, String(sk)));
    const copies = await table.getAll(storedFileDocument, keys);
    const versionsOf = new Map(copies.map(({ _id, versions }) => [_id, versions.length]));
    const late = items.filter((item) => {
      const versions = item['versions'] as readonly unknown[];
      return versions.length > (versionsOf.get(String(item['sk'])) ?? 0);
    });
    await table.putAll(late.map((item) => underOwner(table, item, from, to)));
  }

  /** Removes the former owner's copies, once what is in them is under the next one. */
  async function removeRecords(id: string, from: string, to: string): Promise<void> {
    for (const { table, pk } of partitionsOf(tables, from)) {
      for await (const items of itemsOfAgency(table, pk, id)) {
        if (table === tables.fileDocuments && items.length > 0) await copyLateVersions(items, from, to);
        await table.deleteAll(items.map(({ sk }) => ({ pk, sk: String(sk) })));
      }
    }
  }

  return async (downstreamEntityId: string): Promise<void> => {
    const before = await read(downstreamEntityId);
    if (before?.move === undefined) return;
    const { _id, move } = before;
    const { from } = move;
    const to = recordOwnerOf({ _id, downstreamOrganizationId: move.to ?? undefined });
    if (recordOwnerOf(before) === from) {
      await copyRecords(_id, from, to);
      await changeOrganization(before, move);
    }
    const entity = (await read(_id)) ?? before;
    const key = downstreamEntityKeys.entity(_id);
    const condition = { recordHash: entity.recordHash, downstreamOrganizationId: move.to ?? undefined };
    const entityCheck = entities.items.check(key, condition);
    for (const association of await associations.withAgency(_id))
      await followInAssociation(association, entity, entityCheck);
    for await (const keys of tables.filings.query(itemKey, filingKeys.listEntry(from, '').pk, {
      consistent: true,
      filter: { downstreamEntityId: _id },
    })) {
      await concurrently(keys, ({ sk }) => followInFiling(sk, from, to));
    }
    await moveContacts(contacts, _id, entity.downstreamOrganizationId, now, [entityCheck]);
    await removeRecords(_id, from, to);
    if (!(await entities.update(key, { move: undefined }, condition))) throw new VersionConflict();
  };
}

/** Copies the records of agencies that get another organization. */
export const agencyMovesFunction = eventFunction({
  uses,
  resources: ({ values }) => ({ queue: queueContext(createSqsClient(), values) }),
  compose({ tables, queue, context: { logger: log, now } }) {
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
  },
});
