import type * as z from 'zod/mini';
import { associationKeys, marketItem } from '#domain/associations/stored.ts';
import { createOwnEntities } from '#domain/downstream-entities/own-entities.ts';
import { createDownstreamEntities } from '#domain/downstream-entities/stored.ts';
import { licensingKeys, registrationIndexes } from '#domain/licensing/requests.ts';
import type { ChangedTable } from '#platform/changes/change-index.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { itemKey } from '#platform/data/stored.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { recordSchemas } from '../record-schemas.ts';
import {
  type ImportDependencies,
  type ImportType,
  type NamedRecord,
  ownedRecords,
  type RecordDependencies,
} from '../run/import-records.ts';
import { acceptedOf, attempt, type ReadLine } from '../run/lines.ts';
import { putRecords, timesOf } from '../run/put-records.ts';

/** Ids among these of live entities of the organization. */
export async function ownEntitiesAmong(
  entities: ChangedTable,
  owner: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const foundEntities = await createDownstreamEntities(entities).findAll(ids);
  return new Set(ids.filter((id) => foundEntities.get(id)?.downstreamOrganizationId === owner));
}

interface OwnRecord extends NamedRecord {
  readonly downstreamEntityId: string;
}

/** Records of the entities of agencies' organizations. Lines about other entities, and about those that move, are rejected. */
const recordsOfOwnEntities = <Item extends OwnRecord>(
  { tables, organizations }: Omit<RecordDependencies<'downstreamEntities'>, 'now'>,
  kind: {
    readonly types: ImportType['types'];
    readonly record: z.core.$ZodType<Item>;
    /** @param checks what is written with a record. */
    readonly importLines: (
      owner: string,
      lines: readonly ReadLine<Item>[],
      checks: (record: Item) => readonly TransactionItem[],
    ) => Promise<void>;
  },
): ImportType => {
  const { stillOwn } = createOwnEntities(tables.downstreamEntities);
  return ownedRecords(organizations, {
    types: kind.types,
    record: kind.record,
    owners: ['downstreamEntity'],
    async importLines({ organizationId: owner }, lines) {
      const ids = lines.map(({ record }) => record.downstreamEntityId);
      const ownEntityIds = await ownEntitiesAmong(tables.downstreamEntities, owner, ids);
      for (const { record, reject } of lines)
        if (!ownEntityIds.has(record.downstreamEntityId))
          reject([{ path: 'downstreamEntityId', message: 'is not an entity of the organization' }]);
      await kind.importLines(owner, acceptedOf(lines), ({ downstreamEntityId }) => [
        stillOwn(owner, downstreamEntityId),
      ]);
    },
  });
};

type MarketRecord = z.output<typeof recordSchemas.market>;

const marketIdOf = ({ _id, downstreamEntityId, upstreamEntityName }: MarketRecord): string =>
  _id ?? derivedObjectId('market', downstreamEntityId, upstreamEntityName);

/**
 * Markets of an agency whose carrier is not on the platform; otherwise they are the carrier's associations. One without an
 * id is identified by its entity and its carrier's name. A deleted one is removed, so that nothing can be added to it.
 */
export function marketImport(
  dependencies: ImportDependencies<'associations' | 'downstreamEntities'>,
): ImportType {
  const { tables, now } = dependencies;

  return recordsOfOwnEntities(dependencies, {
    types: ['market'],
    record: recordSchemas.market,
    async importLines(owner, good, checks) {
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
      await putRecords(tables.associations, now, live, itemOf, async ({ record }) => ({
        values: {},
        items: checks(record),
      }));
      for (const line of deleted) {
        const key = associationKeys.market(owner, marketIdOf(line.record));
        await attempt([line], () =>
          tables.associations.transact([tables.associations.items.delete(key), ...checks(line.record)]),
        );
      }
    },
  });
}

/**
 * Registrations of an agency's entities with states, which no registry reports; one without an id is identified by
 * its entity and state.
 */
export const corporateRegistrationImport = (
  dependencies: ImportDependencies<'licensing' | 'downstreamEntities'>,
): ImportType =>
  recordsOfOwnEntities(dependencies, {
    types: ['corporate-registration'],
    record: recordSchemas['corporate-registration'],
    async importLines(owner, good, checks) {
      const { tables, now } = dependencies;
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
      return putRecords(tables.licensing, now, good, itemOf, async ({ record }) => ({
        values: {},
        items: checks(record),
      }));
    },
  });
