import { QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createAssociationStore } from '../../../shared/associations/store.ts';
import { associationPartitions, type StoredAssociation } from '../../../shared/associations/stored.ts';
import { followEntity } from '../../../shared/contacts/follow.ts';
import { createContactStore } from '../../../shared/contacts/store.ts';
import { notFound } from '../../../shared/contract/errors.ts';
import { batchGet } from '../../../shared/data/batch-get.ts';
import { toItem } from '../../../shared/data/dynamo.ts';
import { groupBy } from '../../../shared/data/group-by.ts';
import { derivedObjectId } from '../../../shared/data/object-id.ts';
import { retryOnConflict } from '../../../shared/data/optimistic-lock.ts';
import { parseStored } from '../../../shared/data/stored.ts';
import {
  downstreamEntityIndexes,
  downstreamEntityKeys,
  storedDownstreamEntity,
} from '../../../shared/downstream-entities/stored.ts';
import type { EventItems } from '../../../shared/events/transaction-items.ts';
import { comparableEin } from '../../../shared/resources/comparable-ein.ts';
import {
  checkOrganization,
  type ImportDependencies,
  type ImportType,
  platformRecords,
} from '../import-type.ts';
import { issuesOf, type ReadLine, type RejectedLine } from '../lines.ts';
import { type ChangedRecord, putRecords } from '../put-records.ts';
import { createEntityEvents } from './events.ts';
import { type DownstreamEntityRecord, downstreamEntityRecord } from './schema.ts';
import { createRecordSharing } from './sharing.ts';

type DownstreamEntityLine = ReadLine<DownstreamEntityRecord>;

/** Imports agencies; returns the lines that it rejected. */
type ImportDownstreamEntities = (
  lines: readonly DownstreamEntityLine[],
  events?: EventItems,
) => Promise<RejectedLine[]>;

/** An agency without an id is identified by its NPN, EIN or, having neither, its name. */
export const downstreamEntityIdOf = (
  record: Pick<DownstreamEntityRecord, '_id' | 'npn' | 'ein' | 'legalName'>,
): string =>
  record._id ??
  derivedObjectId(
    'downstream-entity',
    record.npn ?? (record.ein === null ? record.legalName : comparableEin(record.ein)),
  );

/** The fields that associations copy from their agency. */
const agencyOf = ({
  npn: agencyNpn,
  downstreamOrganizationId,
  isDeleted,
}: Pick<
  DownstreamEntityRecord,
  'npn' | 'downstreamOrganizationId' | 'isDeleted'
>): StoredAssociation['agency'] => ({
  npn: agencyNpn,
  ...(downstreamOrganizationId === undefined ? {} : { downstreamOrganizationId }),
  isDeleted: isDeleted ?? false,
});

const isSame = (one: StoredAssociation['agency'], other: StoredAssociation['agency']): boolean =>
  one.npn === other.npn &&
  one.downstreamOrganizationId === other.downstreamOrganizationId &&
  one.isDeleted === other.isDeleted;

const associationKey = z.object({ pk: z.string(), sk: z.string() });

type EntityDependencies = ImportDependencies<'downstreamEntities' | 'associations' | 'contacts'>;

export function createDownstreamEntityImport({
  client,
  tables,
  organizations,
  now,
}: EntityDependencies): ImportDownstreamEntities {
  const associations = createAssociationStore(client, tables.associations);
  const contacts = createContactStore(client, tables.contacts);

  /** Splits off the lines whose organization can't have an agency. */
  async function checked(lines: readonly DownstreamEntityLine[]) {
    const good: DownstreamEntityLine[] = [];
    const rejected: RejectedLine[] = [];
    const groups = groupBy(lines, ({ record }) => record.downstreamOrganizationId ?? '');
    for (const [organizationId, group] of groups) {
      try {
        if (organizationId !== '') {
          await checkOrganization(
            organizations,
            'downstreamOrganizationId',
            organizationId,
            'downstreamEntity',
          );
        }
        good.push(...group);
      } catch (error) {
        const issues = issuesOf(error);
        rejected.push(...group.map(({ line }) => ({ line, issues })));
      }
    }
    // Of several lines of one agency the last one counts.
    good.sort((a, b) => a.line - b.line);
    return { good, rejected };
  }

  /** The associations with an agency, of every owner. */
  async function* associationsOf(
    downstreamEntityId: string,
  ): AsyncGenerator<z.output<typeof associationKey>> {
    let from: Record<string, { S: string }> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tables.associations,
          IndexName: 'by-entity',
          KeyConditionExpression: 'entityKey = :entity',
          ExpressionAttributeValues: toItem({
            ':entity': associationPartitions.ofEntity(downstreamEntityId),
          }),
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      yield* Items.map((item) => parseStored(associationKey, { pk: item['pk']?.S, sk: item['sk']?.S }));
      from = LastEvaluatedKey as typeof from;
    } while (from !== undefined);
  }

  /** Updates the copies in the agency's associations, their markets and its contacts to the agency's new record. */
  async function follow(downstreamEntityId: string, agency: StoredAssociation['agency']): Promise<void> {
    for await (const { pk, sk } of associationsOf(downstreamEntityId)) {
      const owner = pk.slice(0, pk.indexOf('#'));
      await retryOnConflict(async () => {
        const before = await associations.findStored(owner, sk);
        if (before === undefined || isSame(before.agency, agency)) return;
        const upstream = await organizations.find(owner);
        if (upstream === undefined) throw notFound();
        const after = { ...before, agency };
        await associations.save({ before, after, upstreamEntityName: upstream.name }, []);
      });
    }
    await followEntity(contacts, downstreamEntityId, agency.downstreamOrganizationId, now);
  }

  /**
   * Updates the associations of agencies that change; returns the lines whose associations can't be updated. It runs before the
   * agencies themselves are written, so that repeating the import repairs what a crash left.
   */
  async function followed(lines: readonly DownstreamEntityLine[]): Promise<RejectedLine[]> {
    const last = new Map(lines.map((one) => [downstreamEntityIdOf(one.record), one]));
    const keys = Array.from(last.keys(), (id) => downstreamEntityKeys.entity(id));
    const items = await batchGet(client, tables.downstreamEntities, keys, { consistent: true });
    const rejected: RejectedLine[] = [];
    for (const before of items.map((item) => parseStored(storedDownstreamEntity, item))) {
      const { line, record } = last.get(before._id) ?? {};
      if (line === undefined || record === undefined) continue;
      const agency = agencyOf(record);
      if (isSame(agencyOf(before), agency)) continue;
      try {
        await follow(before._id, agency);
      } catch (error) {
        rejected.push({ line, issues: issuesOf(error) });
      }
    }
    return rejected;
  }

  const recordSharing = createRecordSharing(client, tables);
  const eventsOf = createEntityEvents(client, tables.associations, associationsOf);

  const entityOf = ({ type: _, isDeleted = false, ...values }: DownstreamEntityRecord) => ({
    ...values,
    _id: downstreamEntityIdOf(values),
    isDeleted,
  });

  return async (lines, events) => {
    const { good, rejected } = await checked(lines);
    rejected.push(...(await followed(good)));
    const refused = new Set(rejected.map(({ line }) => line));
    const accepted = good.filter(({ line }) => !refused.has(line));
    await recordSharing(accepted.map(({ record }) => entityOf(record)));
    const itemOf = (record: DownstreamEntityRecord) => {
      const entity = entityOf(record);
      return {
        key: downstreamEntityKeys.entity(entity._id),
        values: { ...entity, ...(entity.isDeleted ? {} : downstreamEntityIndexes(entity)) },
      };
    };
    const emission = events && {
      groupOf: downstreamEntityIdOf,
      itemsFor: ({ record, before }: ChangedRecord<DownstreamEntityRecord>, at: Date) =>
        eventsOf({ before, after: entityOf(record) }, at, events),
    };
    await putRecords(client, tables.downstreamEntities, now, accepted, itemOf, emission);
    return rejected;
  };
}

/** Agencies. */
export const downstreamEntityImport = (dependencies: EntityDependencies): ImportType =>
  platformRecords({
    types: ['downstream-entity'],
    record: downstreamEntityRecord,
    importLines: createDownstreamEntityImport(dependencies),
  });
