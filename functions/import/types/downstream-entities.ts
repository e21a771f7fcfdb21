// The import of agencies, with the copies of them in associations, markets, and contacts.

import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { associationEvent } from '#domain/associations/events.ts';
import { agencyChangeWrites, beginSharing, isSharedFor, readSharing } from '#domain/associations/sharing.ts';
import { type AssociationStore, createAssociationStore } from '#domain/associations/store.ts';
import { agencyCopyOf, associationKeys, storedAssociation } from '#domain/associations/stored.ts';
import type { DownstreamEntity } from '#domain/downstream-entities/resource.ts';
import {
  agencyChangeMark,
  agencyIsMoving,
  type agencyMove,
  downstreamEntityIndexes,
  downstreamEntityKeys,
  recordOwnerOf,
  type StoredDownstreamEntity,
  storedDownstreamEntity,
} from '#domain/downstream-entities/stored.ts';
import { derivedEventId, mostItemsOfEvent } from '#domain/events/stored.ts';
import { type EventItems, ignoreAlreadyEmitted } from '#domain/events/transaction-items.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import { firstPollItem, firstPollOfAgency } from '#domain/registry-records/subscriptions.ts';
import type { Tables } from '#domain/tables.ts';
import { transactionItems } from '#platform/aws/limits.ts';
import { existing } from '#platform/contract/errors.ts';
import { readOnce } from '#platform/data/caches.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { isNew } from '#platform/data/expressions.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { parseIfStored, storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem, VersionConflict } from '#platform/data/transact.ts';
import { DomainError, type Issue } from '#platform/errors/domain-error.ts';
import type { Organization } from '#platform/identity/organizations.ts';
import { type DownstreamEntityRecord, downstreamEntityRecord } from '../record-schemas.ts';
import {
  checkOrganization,
  type ImportDependencies,
  type ImportType,
  importedRecords,
  ownersOfEitherKind,
} from '../run/import-records.ts';
import {
  acceptedOf,
  attempt,
  hashOf,
  issuesOf,
  putRecords,
  type ReadLine,
  unlessWritten,
} from '../run/lines.ts';
import { firstPollsOfAssociation } from './registry-records.ts';

/** Fields that identify an agency. */
type Identity = Pick<DownstreamEntityRecord, '_id' | 'npn' | 'ein' | 'legalName'>;

/** An agency without an id is identified by its NPN, EIN or, having neither, its name. */
export const derivedEntityId = (
  key: string,
  { npn = null, ein = null, legalName }: Omit<Identity, '_id'>,
): string =>
  createHmac('sha256', key)
    .update(npn ?? (ein === null ? legalName : `EIN ${comparable(ein)}`))
    .digest('hex')
    .slice(0, 24);

/** The id of an imported agency: its own, or the one that is derived from what identifies it. */
type EntityIdOf = (record: Identity) => Promise<string>;

const idKey = storedItem('downstream-entities/id-key', { key: z.string() });

/**
 * Derived ids are keyed, so that nobody can compute from an NPN, which is public, whether its agency is here. The key is made by
 * the first import that needs it, and kept with the agencies: who restores these has the ids of later imports, too.
 */
export function createEntityIds(entities: Table): EntityIdOf {
  const keyOfKey = downstreamEntityKeys.idKey();

  async function readKey(): Promise<string> {
    const storedKey = await entities.get(idKey, keyOfKey);
    if (storedKey !== undefined) return storedKey.key;
    const key = randomBytes(32).toString('base64');
    if (await entities.put({ ...keyOfKey, key }, isNew)) return key;
    // Another import made it.
    return readKey();
  }

  const keyOnce = readOnce(readKey);
  return async (record) => record._id ?? derivedEntityId(await keyOnce(), record);
}

/** A record whose id is known. */
type IdentifiedEntity = DownstreamEntityRecord & { readonly _id: string };

type DownstreamEntityLine = ReadLine<IdentifiedEntity>;

/** An agency as its record says it is; what that leaves out is as it is stored. */
function entityOf(
  { type: _, isDeleted = false, downstreamOrganizationId, ...values }: IdentifiedEntity,
  storedEntity: StoredDownstreamEntity | undefined,
) {
  const {
    category = storedEntity?.category ?? 'agency',
    npn = storedEntity?.npn ?? null,
    ein = storedEntity?.ein ?? null,
    isNpnRequired = storedEntity?.isNpnRequired ?? true,
  } = values;
  const organization =
    downstreamOrganizationId === undefined
      ? storedEntity?.downstreamOrganizationId
      : downstreamOrganizationId;
  return {
    ...values,
    ...{ category, npn, ein, isNpnRequired, isDeleted },
    downstreamOrganizationId: organization ?? undefined,
  };
}

/** Lines in their order, each with what earlier ones of its agency gave: of several the last one counts. */
function withEarlierFields(lines: readonly DownstreamEntityLine[]): DownstreamEntityLine[] {
  const recordById = new Map<string, IdentifiedEntity>();
  return [...lines]
    .sort((a, b) => a.line - b.line)
    .map((line) => {
      const { _id, isDeleted } = line.record;
      const record = { ...recordById.get(_id), isDeleted, ...line.record };
      recordById.set(_id, record);
      return { ...line, record };
    });
}

/** An agency's item as an import reads it. */
const importedEntity = storedItem(
  'downstream-entities/imported-entity',
  z.extend(storedDownstreamEntity, {
    /** Whether copies of it in associations may differ from it. */
    hasOldCopies: z.optional(z.boolean()),
  }).shape,
);

type ImportedEntity = z.output<typeof importedEntity>;

type EntityDependencies = ImportDependencies<'downstreamEntities' | 'associations' | 'registryRecords'>;

function createUpdateCopies(
  { tables, organizations, now, isSilent }: EntityDependencies,
  associations: Pick<AssociationStore, 'withAgency' | 'findStored' | 'save'>,
) {
  const table = tables.downstreamEntities;
  const conflictError = () =>
    new DomainError('state_conflict', { message: 'Another import changed the agency at the same time.' });

  /** Updates the copy in an association, and its market. @param entityCheck is written with it. */
  const updateAssociation = (
    { owner, associationId }: { readonly owner: string; readonly associationId: string },
    entity: ImportedEntity,
    entityCheck: TransactionItem,
  ): Promise<void> =>
    retryOnConflict(async () => {
      const agency = agencyCopyOf(entity);
      const before = await associations.findStored(owner, associationId);
      const isWith = before?.downstreamEntityId === entity._id;
      if (before === undefined || !isWith || isDeepStrictEqual(before.agency, agency)) return;
      const upstream = existing(await organizations.find(owner));
      const after = { ...before, agency };
      const time = now();
      const change = { before, after, now: time };
      const firstPolls = firstPollsOfAssociation(tables.registryRecords.items, change, isSilent, time);
      await associations.save({ ...change, upstreamEntityName: upstream.name }, [...firstPolls, entityCheck]);
    });

  /**
   * Updates the copies of agencies whose copies may be old; rejects the lines of which some copy cannot be updated. An agency is
   * marked in the write that changes it, and until this is done, so that any later import of it repairs what a crash left.
   */
  return async (
    agencies: readonly ({ readonly entity: ImportedEntity } & Pick<DownstreamEntityLine, 'reject'>)[],
  ): Promise<void> => {
    for (const { entity, reject } of agencies.filter((agency) => agency.entity.hasOldCopies === true)) {
      const key = downstreamEntityKeys.entity(entity._id);
      const isUnwritten = unlessWritten(entity);
      const entityCheck = table.items.check(key, isUnwritten, conflictError);
      /** Records that the copies are updated. */
      const finishedItem = table.items.update(key, { hasOldCopies: undefined }, isUnwritten, conflictError);
      // Each by itself: what one carrier's association cannot be does not hold up the others.
      const updates = (await associations.withAgency(entity._id)).map(
        (link) => () => updateAssociation(link, entity, entityCheck),
      );
      const issues: Issue[] = [];
      const tryTo = async (work: () => Promise<unknown>): Promise<void> => {
        await work().catch((error: unknown) => issues.push(...issuesOf(error)));
      };
      for (const update of updates) await tryTo(update);
      if (issues.length === 0) await tryTo(() => table.transact([finishedItem]));
      if (issues.length > 0) reject(issues);
    }
  };
}

const shownFields = ['legalName', 'category', 'npn', 'ein', 'isNpnRequired'] as const;

/** Events that fit into a transaction with an agency. */
const eventsTogether = Math.floor((transactionItems - 10) / mostItemsOfEvent);

/** A change of an agency. */
interface EntityChange {
  readonly before: ImportedEntity | undefined;
  readonly after: DownstreamEntity & Pick<StoredDownstreamEntity, 'isDeleted'>;
}

/**
 * The events of an agency's change for the carriers of all its associations, each exactly once: items of the transaction that
 * changes it.
 * Those that do not fit are written before it, under ids derived from the change, so that the same import after a crash
 * does not emit them again.
 */
const createEntityEvents =
  (table: Table, { withAgency }: Pick<AssociationStore, 'withAgency'>, events: EventItems) =>
  async ({ before, after }: EntityChange, time: Date): Promise<readonly TransactionItem[]> => {
    if (before === undefined || after.isDeleted) return [];
    const isSame = shownFields.every((field) => before[field] === after[field]);
    if (!before.isDeleted && isSame) return [];

    const keys = (await withAgency(after._id)).map(({ owner, associationId }) =>
      associationKeys.association(owner, associationId),
    );
    const associations = (await table.getAll(storedAssociation, keys))
      // Whether the agency is deleted, their copies of it do not say yet.
      .filter((association) => !association.isDeleted && association.downstreamEntityId === after._id)
      // In a fixed order, so that every attempt writes the same ones first.
      .sort((a, b) => (a._id < b._id ? -1 : 1));
    // The associations of an agency that was deleted appear again.
    const type = before.isDeleted ? 'DOWNSTREAM_ENTITY_CREATED' : 'DOWNSTREAM_ENTITY_UPDATED';
    const newEvents = associations.map((association) => associationEvent(type, association, after));
    const changeOf = [after._id, before.updatedAt, before.recordHash ?? '', hashOf(after)];
    for (const event of newEvents.slice(eventsTogether)) {
      const eventId = derivedEventId('agency', ...changeOf, event.entityId);
      await table.transact(events([{ ...event, eventId }], time)).catch(ignoreAlreadyEmitted);
    }
    return events(newEvents.slice(0, eventsTogether), time);
  };

/**
 * Begins the records of who knows new agencies, before the agencies are written: a reader that finds an agency finds its record,
 * and the same import again repairs what a crash left. With an organization, an agency is shared in the transaction that writes it.
 */
async function recordSharing(
  { associations, downstreamEntities }: Tables<'associations' | 'downstreamEntities'>,
  downstreamEntityIds: readonly string[],
): Promise<void> {
  const [sharingOf, entityAt] = await Promise.all([
    readSharing(associations, downstreamEntityIds),
    downstreamEntities.getByKey(storedDownstreamEntity, downstreamEntityIds.map(downstreamEntityKeys.entity)),
  ]);
  await concurrently(new Set(downstreamEntityIds), async (id) => {
    if (entityAt(downstreamEntityKeys.entity(id)) !== undefined || sharingOf(id) !== undefined) return;
    await associations.transact([beginSharing(associations.items, id)]).catch((error: unknown) => {
      // Another import began the record.
      if (!(error instanceof VersionConflict)) throw error;
    });
  });
}

/**
 * Imports agencies.
 * @param caller the organization of the import, or else of the line; undefined for an operator's.
 */
type ImportDownstreamEntities = (
  lines: readonly DownstreamEntityLine[],
  caller: Organization | undefined,
) => Promise<void>;

/**
 * The move that a record asks for, or the one that is under way.
 * @throws DomainError `state_conflict` where the agency is moving to another organization than the record's.
 */
function moveOf(
  { downstreamOrganizationId: to }: DownstreamEntityRecord,
  before: ImportedEntity,
  isSilent: boolean,
): StoredDownstreamEntity['move'] {
  const { move, downstreamOrganizationId = null } = before;
  const present = move === undefined ? downstreamOrganizationId : move.to;
  if (to === undefined || to === present) return move;
  if (move !== undefined) throw agencyIsMoving();
  return { from: recordOwnerOf(before), to, isSilent };
}

/** The organization of an agency, and its NPN. */
type OwnEntity = Pick<ImportedEntity, 'npn' | 'downstreamOrganizationId' | 'isDeleted'>;

export function createDownstreamEntityImport(dependencies: EntityDependencies): ImportDownstreamEntities {
  const { tables, organizations, now, events, isSilent, sendMoves } = dependencies;
  const associations = createAssociationStore(tables.associations);
  const updateCopies = createUpdateCopies(dependencies, associations);

  /** Rejects the lines whose organization can't have an agency. */
  async function checkOrganizations(lines: readonly DownstreamEntityLine[]): Promise<void> {
    const path = 'downstreamOrganizationId';
    for (const [id, group] of Map.groupBy(lines, ({ record }) => record[path] ?? '')) {
      if (id !== '')
        await attempt(group, () => checkOrganization(organizations, path, id, 'downstreamEntity'));
    }
  }

  /**
   * The lines about agencies that the caller may change. A carrier may not where the agency has an organization or others know it, and
   * an agency's organization not where it has another one: then the line gets a note. A line that is stored as it is changes nothing
   * anyway, and repairs what a crash left.
   */
  async function changeable(
    lines: readonly DownstreamEntityLine[],
    caller: Organization | undefined,
  ): Promise<readonly DownstreamEntityLine[]> {
    if (caller === undefined) return lines;
    const { organizationId, category } = caller;
    const storedLines = await storedEntitiesOf(lines);
    const storedIds = storedLines.map(({ entity }) => entity._id);
    const sharingOf = await readSharing(tables.associations, storedIds);
    const foreignLines = storedLines.filter(({ entity, record }) => {
      const { _id, downstreamOrganizationId, recordHash } = entity;
      if (recordHash === hashOf(record)) return false;
      return category === 'upstreamEntity'
        ? isSharedFor(organizationId, sharingOf(_id), downstreamOrganizationId)
        : (downstreamOrganizationId ?? organizationId) !== organizationId;
    });
    const foreignIds = new Set(foreignLines.map(({ entity }) => entity._id));
    const [foreign = [], own = []] = [true, false].map((isForeign) =>
      lines.filter(({ record }) => foreignIds.has(record._id) === isForeign),
    );
    const message = 'The agency is not changed: others work with it, or it has an organization.';
    for (const { note } of foreign) note({ code: 'not_changed', message });
    return own;
  }

  /** The agencies of lines as they are stored now, each with its last line. */
  async function storedEntitiesOf(lines: readonly DownstreamEntityLine[]) {
    const last = new Map(lines.map((line) => [line.record._id, line]));
    const keys = Array.from(last.keys(), (id) => downstreamEntityKeys.entity(id));
    const storedEntities = await tables.downstreamEntities.getAll(importedEntity, keys);
    return storedEntities.flatMap((entity) => {
      const line = last.get(entity._id);
      return line === undefined ? [] : [{ entity, ...line }];
    });
  }

  /** The first poll for an agency's organization, when it gets the agency or the agency gets another NPN. */
  function ownFirstPolls(
    before: OwnEntity | undefined,
    { npn, downstreamOrganizationId: organization, isDeleted }: OwnEntity,
    time: Date,
  ): TransactionItem[] {
    if (npn === null || organization === undefined || isDeleted) return [];
    const isKnown =
      before?.npn === npn && before.downstreamOrganizationId === organization && !before.isDeleted;
    if (isKnown) return [];
    return [
      firstPollItem(
        tables.registryRecords.items,
        firstPollOfAgency('downstreamEntity', organization, npn, isSilent),
        time,
      ),
    ];
  }

  const eventsOf = createEntityEvents(tables.associations, associations, events);

  return async (lines, caller) => {
    await checkOrganizations(lines);
    const good = await changeable(withEarlierFields(acceptedOf(lines)), caller);
    const carrier = caller?.category === 'upstreamEntity' ? caller.organizationId : undefined;
    await recordSharing(
      tables,
      good.map(({ record }) => record._id),
    );
    await putRecords(
      tables.downstreamEntities,
      now,
      good,
      ({ _id }) => ({ key: downstreamEntityKeys.entity(_id), values: { _id } }),
      async ({ record, before: storedFields }, time) => {
        const before = parseIfStored(importedEntity, storedFields);
        const move = before && moveOf(record, before, isSilent);
        // It has its organization until the records are copied.
        const keptFields = before && { downstreamOrganizationId: before.downstreamOrganizationId };
        const after = { ...entityOf(record, before), ...keptFields };
        const isCopied =
          before !== undefined && !isDeepStrictEqual(agencyCopyOf(before), agencyCopyOf(after));
        return {
          values: {
            ...after,
            ...(after.isDeleted ? {} : downstreamEntityIndexes(after)),
            move,
            ...(before && agencyChangeMark(before._id, time)),
            hasOldCopies: isCopied || before?.hasOldCopies === true ? true : undefined,
          },
          items: [
            ...agencyChangeWrites(tables.associations.items, {
              downstreamEntityId: after._id,
              carrier,
              hasOrganization: (move?.to ?? after.downstreamOrganizationId ?? null) !== null,
            }),
            ...ownFirstPolls(before, after, time),
            ...(isSilent ? [] : await eventsOf({ before, after }, time)),
          ],
        };
      },
    );
    const storedLines = await storedEntitiesOf(good);
    await updateCopies(storedLines);
    // Also of those whose message an earlier import could not send.
    const moving = storedLines.filter(({ entity }) => entity.move !== undefined);
    if (moving.length > 0) {
      await sendMoves(
        moving.map(({ entity: { _id } }): z.output<typeof agencyMove> => ({ downstreamEntityId: _id })),
      );
    }
  };
}

/** Agencies. In an import for an agency's organization, those that name no organization are its own. */
export function downstreamEntityImport(dependencies: EntityDependencies): ImportType {
  const importEntities = createDownstreamEntityImport(dependencies);
  const entityIdOf = createEntityIds(dependencies.tables.downstreamEntities);
  return importedRecords(dependencies.organizations, {
    types: ['downstream-entity'],
    record: downstreamEntityRecord,
    owners: ownersOfEitherKind,
    async importLines(caller, lines) {
      const ofCaller =
        caller?.category === 'downstreamEntity' ? { downstreamOrganizationId: caller.organizationId } : {};
      const ownedLines = lines.map(async (line) => ({
        ...line,
        record: { ...ofCaller, ...line.record, _id: await entityIdOf(line.record) },
      }));
      await importEntities(await Promise.all(ownedLines), caller);
    },
  });
}
