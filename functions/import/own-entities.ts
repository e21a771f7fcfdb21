import type * as z from 'zod/mini';
import { createDownstreamEntities } from '../../shared/domain/downstream-entities/store.ts';
import { recordOwnerOf } from '../../shared/domain/downstream-entities/stored.ts';
import type { ChangedTable } from '../../shared/platform/changes/change-index.ts';
import { type ImportType, type Named, ownedRecords, type RecordDependencies } from './import-type.ts';
import type { ReadLine, RejectedLine } from './lines.ts';

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
export const recordsOfOwnEntities = <Item extends OwnRecord>(
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
