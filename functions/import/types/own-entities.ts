import type * as z from 'zod/mini';
import { associationKeys, marketItem } from '#domain/associations/stored.ts';
import { createDownstreamEntities, createOwnEntities } from '#domain/downstream-entities/stored.ts';
import { licensingKeys, registrationIndexes } from '#domain/licensing/requests.ts';
import type { ChangedTable } from '#platform/changes/change-index.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { itemKey } from '#platform/data/stored.ts';
import { recordSchemas } from '../record-schemas.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from '../run/import-records.ts';
import { acceptedOf, attempt, putRecords, type ReadLine, timesOf } from '../run/lines.ts';

/** Ids among these of live entities of the organization. */
export async function ownEntitiesAmong(
  entities: ChangedTable,
  owner: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const foundEntities = await createDownstreamEntities(entities).findAll(ids);
  return new Set(ids.filter((id) => foundEntities.get(id)?.downstreamOrganizationId === owner));
}

/** The lines about live entities of an agency's organization; the others are rejected. */
async function linesOfOwnEntities<Line extends ReadLine<{ readonly downstreamEntityId: string }>>(
  entities: ChangedTable,
  owner: string,
  lines: readonly Line[],
): Promise<Line[]> {
  const ids = lines.map(({ record }) => record.downstreamEntityId);
  const ownIds = await ownEntitiesAmong(entities, owner, ids);
  for (const { record, reject } of lines)
    if (!ownIds.has(record.downstreamEntityId))
      reject([{ path: 'downstreamEntityId', message: 'is not an entity of the organization' }]);
  return acceptedOf(lines);
}

type MarketRecord = z.output<typeof recordSchemas.market>;

const marketIdOf = ({ _id, downstreamEntityId, upstreamEntityName }: MarketRecord): string =>
  _id ?? derivedObjectId('market', downstreamEntityId, upstreamEntityName);

/**
 * Markets of an agency whose carrier is not on the platform; otherwise they are the carrier's associations. One without an
 * id is identified by its entity and its carrier's name. A deleted one is removed, so that nothing can be added to it.
 */
export function marketImport({
  tables,
  organizations,
  now,
}: ImportDependencies<'associations' | 'downstreamEntities'>): ImportType {
  const { stillOwn } = createOwnEntities(tables.downstreamEntities);
  return ownedRecords(organizations, {
    types: ['market'],
    record: recordSchemas.market,
    owners: ['downstreamEntity'],
    async importLines({ organizationId: owner }, lines) {
      const good = await linesOfOwnEntities(tables.downstreamEntities, owner, lines);
      const ids = good.map(({ record }) => marketIdOf(record));
      const carrierAt = await tables.associations.getByKey(itemKey, ids.map(associationKeys.owner));
      for (const { record, identify, reject } of good) {
        const id = marketIdOf(record);
        identify(id);
        if (carrierAt(associationKeys.owner(id)) !== undefined)
          reject([{ path: '_id', message: 'is the id of an association of a carrier on the platform' }]);
      }
      // Of several lines of one market the last one counts.
      const last = new Map(acceptedOf(good).map((line) => [marketIdOf(line.record), line]));
      const [deleted = [], live = []] = [true, false].map((isDeleted) =>
        [...last.values()].filter(({ record }) => (record.isDeleted ?? false) === isDeleted),
      );
      const itemOf = (record: MarketRecord) => {
        const { type: _type, _id: _, isDeleted: _isDeleted, ...fields } = record;
        const upstreamDownstreamAssociationId = marketIdOf(record);
        const times = timesOf(record, undefined, now().toISOString());
        const market = { upstreamDownstreamAssociationId, isOnPlatform: false, branchName: null };
        const values = { ...fields, ...market, ...times };
        const key = associationKeys.market(owner, upstreamDownstreamAssociationId);
        return { key, values: marketItem(owner, values) };
      };
      // One that is moving is not changed.
      const checkOf = ({ downstreamEntityId }: MarketRecord) => stillOwn(owner, downstreamEntityId);
      await putRecords(tables.associations, now, live, itemOf, async ({ record }) => ({
        items: [checkOf(record)],
      }));
      for (const line of deleted) {
        const key = associationKeys.market(owner, marketIdOf(line.record));
        await attempt([line], () =>
          tables.associations.transact([tables.associations.items.delete(key), checkOf(line.record)]),
        );
      }
    },
  });
}

/**
 * Registrations of an agency's entities with states, which no registry reports; one without an id is identified by
 * its entity and state.
 */
export function corporateRegistrationImport({
  tables,
  organizations,
  now,
}: ImportDependencies<'licensing' | 'downstreamEntities'>): ImportType {
  const { stillOwn } = createOwnEntities(tables.downstreamEntities);
  return ownedRecords(organizations, {
    types: ['corporate-registration'],
    record: recordSchemas['corporate-registration'],
    owners: ['downstreamEntity'],
    async importLines({ organizationId: owner }, lines) {
      const good = await linesOfOwnEntities(tables.downstreamEntities, owner, lines);
      const itemOf = (record: (typeof good)[number]['record']) => {
        const { type: _, ...fields } = record;
        const { downstreamEntityId, stateCode } = record;
        const _id = fields._id ?? derivedObjectId('corporate-registration', downstreamEntityId, stateCode);
        const values = { ...fields, _id };
        return {
          key: licensingKeys.registration(owner, _id),
          values: { ...values, ...(record.isDeleted === true ? {} : registrationIndexes(owner, values)) },
        };
      };
      await putRecords(tables.licensing, now, good, itemOf, async ({ record }) => ({
        items: [stillOwn(owner, record.downstreamEntityId)],
      }));
    },
  });
}
