import type * as z from 'zod/mini';
import { associationKeys, marketItem } from '../../shared/domain/associations/stored.ts';
import { createDownstreamEntities, recordOwnerOf } from '../../shared/domain/downstream-entities/stored.ts';
import { licensingKeys, registrationIndexes } from '../../shared/domain/licensing/requests.ts';
import type { ChangedTable } from '../../shared/platform/changes/change-index.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import { itemKey } from '../../shared/platform/data/stored.ts';
import { timesOf } from './common-fields.ts';
import {
  type ImportDependencies,
  type ImportType,
  type Named,
  ownedRecords,
  type RecordDependencies,
} from './import-records.ts';
import type { ReadLine, RejectedLine } from './lines.ts';
import { putRecords } from './put-records.ts';
import { recordSchemas } from './record-schemas.ts';

/** Those of these ids that are live entities of the organization, with what their records' keys begin with. */
export async function ownEntitiesAmong(
  entities: ChangedTable,
  owner: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await createDownstreamEntities(entities).findAll(ids);
  return new Map(
    ids
      .flatMap((id) => found.get(id) ?? [])
      .filter(({ downstreamOrganizationId }) => downstreamOrganizationId === owner)
      .map((entity) => [entity._id, recordOwnerOf(entity)]),
  );
}

/** Lines whose `downstreamEntityId` is a live entity of the organization, and what their records' keys begin with. */
interface OwnLines<Item> {
  readonly good: readonly ReadLine<Item>[];
  readonly ownerOf: (record: Item) => string;
}

interface OwnRecord extends Named {
  readonly downstreamEntityId: string;
}

/** Records of the entities of agencies' organizations. Lines about other entities are rejected. */
const recordsOfOwnEntities = <Item extends OwnRecord>(
  { tables, organizations }: Omit<RecordDependencies<'downstreamEntities'>, 'now'>,
  kind: {
    readonly types: ImportType['types'];
    readonly record: z.core.$ZodType<Item>;
    readonly importLines: (lines: OwnLines<Item>) => Promise<readonly RejectedLine[]>;
  },
): ImportType =>
  ownedRecords(organizations, {
    types: kind.types,
    record: kind.record,
    owners: ['downstreamEntity'],
    async importLines({ organizationId: owner }, lines) {
      const ids = lines.map(({ record }) => record.downstreamEntityId);
      const own = await ownEntitiesAmong(tables.downstreamEntities, owner, ids);
      const isOwn = ({ record }: (typeof lines)[number]): boolean => own.has(record.downstreamEntityId);
      const issues = [{ path: 'downstreamEntityId', message: 'is not an entity of the organization' }];
      const rejected = lines.filter((line) => !isOwn(line)).map(({ line }) => ({ line, issues }));
      const further = await kind.importLines({
        good: lines.filter(isOwn),
        ownerOf: ({ downstreamEntityId }) => own.get(downstreamEntityId) ?? owner,
      });
      return [...rejected, ...further];
    },
  });

type MarketRecord = z.output<typeof recordSchemas.market>;

const marketIdOf = (owner: string, record: MarketRecord): string =>
  record._id ?? derivedObjectId(owner, 'market', record.downstreamEntityId, record.upstreamEntityName);

/**
 * Markets of an agency whose carrier is not on the platform; otherwise they are the carrier's associations. One without an
 * id is identified by its entity and its carrier's name. A deleted one is removed, so that nothing can be added to it.
 */
export function marketImport(
  dependencies: ImportDependencies<'associations' | 'downstreamEntities'>,
): ImportType {
  const { tables, now } = dependencies;

  /** The ids that belong to carriers' associations. */
  async function associationsAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const byPartition = new Map(ids.map((id) => [associationKeys.owner(id).pk, id]));
    const keys = Array.from(byPartition.values(), (id) => associationKeys.owner(id));
    const owners = await tables.associations.getAll(itemKey, keys);
    const found = owners.map(({ pk }) => byPartition.get(pk));
    return new Set(found.filter((id) => id !== undefined));
  }

  return recordsOfOwnEntities(dependencies, {
    types: ['market'],
    record: recordSchemas.market,
    async importLines({ good, ownerOf }) {
      const idOf = (record: MarketRecord) => marketIdOf(ownerOf(record), record);
      const idsOfCarriers = await associationsAmong(good.map(({ record }) => idOf(record)));
      const issues = [{ path: '_id', message: 'is the id of an association of a carrier on the platform' }];
      for (const { record, identify } of good) identify(idOf(record));
      const refused = good.filter(({ record }) => idsOfCarriers.has(idOf(record)));
      const markets = Map.groupBy(
        good.filter((line) => !refused.includes(line)),
        ({ record }) => idOf(record),
      );
      // Of several lines of one market the last one counts.
      const last = Array.from(markets.values(), (group) => group.slice(-1)).flat();
      const live = last.filter(({ record }) => record.isDeleted !== true);
      const rejected = await putRecords(tables.associations, now, live, (record) => {
        const { type: _type, _id: _, isDeleted: _deleted, ...fields } = record;
        const owner = ownerOf(record);
        const upstreamDownstreamAssociationId = idOf(record);
        const times = timesOf(record, undefined, now().toISOString());
        const market = { upstreamDownstreamAssociationId, isOnPlatform: false, branchName: null };
        const values = { ...fields, ...market, ...times };
        const key = associationKeys.market(owner, upstreamDownstreamAssociationId);
        return { key, values: marketItem(owner, values) };
      });
      for (const { record } of last.filter(({ record: { isDeleted } }) => isDeleted === true)) {
        await tables.associations.delete(associationKeys.market(ownerOf(record), idOf(record)));
      }
      return [...rejected, ...refused.map(({ line }) => ({ line, issues }))];
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
    async importLines({ good, ownerOf }) {
      const { tables, now } = dependencies;
      return putRecords(tables.licensing, now, good, (record) => {
        const owner = ownerOf(record);
        const {
          type: _,
          _id = derivedObjectId(owner, 'corporate-registration', record.downstreamEntityId, record.stateCode),
          ...fields
        } = record;
        const values = { ...fields, _id };
        return {
          key: licensingKeys.registration(owner, _id),
          values: { ...values, ...(record.isDeleted === true ? {} : registrationIndexes(owner, values)) },
        };
      });
    },
  });
