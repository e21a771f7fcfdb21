import type * as z from 'zod/mini';
import { associationKeys, marketItem } from '../../shared/domain/associations/stored.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import { derivedObjectId } from '../../shared/platform/data/object-id.ts';
import { itemKey } from '../../shared/platform/data/stored.ts';
import { timesOf } from './common-fields.ts';
import type { ImportDependencies, ImportType } from './import-type.ts';
import { recordsOfOwnEntities } from './own-entities.ts';
import { putRecords } from './put-records.ts';
import { recordSchemas } from './record-schemas.ts';

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
      const markets = groupBy(
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
