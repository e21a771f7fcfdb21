import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { objectId } from '../../../shared/contract/primitives.ts';
import { derivedObjectId } from '../../../shared/data/object-id.ts';
import { downstreamEntityIndexes, downstreamEntityKeys } from '../../../shared/downstream-entities/stored.ts';
import { downstreamEntity } from '../../../shared/resources/downstream-entity.ts';
import type { OrganizationAdministration } from '../organizations.ts';
import { commonFields } from './common-fields.ts';
import { checkOrganization, type ImportType, platformRecords } from './import-type.ts';
import { groupBy, issuesOf, type ReadLine, type RejectedLine } from './lines.ts';
import { putPlatformRecords } from './platform-records.ts';

const { legalName, category, npn, ein, isNpnRequired } = downstreamEntity.shape;

const downstreamEntityRecord = z.strictObject({
  type: z.literal('downstream-entity'),
  ...commonFields,
  legalName,
  category: z._default(category, 'agency'),
  npn: z._default(npn, null),
  ein: z._default(ein, null),
  isNpnRequired: z._default(isNpnRequired, true),
  downstreamOrganizationId: z.optional(objectId),
});

type DownstreamEntityLine = ReadLine<z.output<typeof downstreamEntityRecord>>;

/** Agencies; one without an id of its own is known by its NPN, EIN or, having neither, its name. */
export function downstreamEntityRecords(
  client: DynamoDBClient,
  table: string,
  organizations: OrganizationAdministration,
  now: () => Date,
): ImportType {
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
    // Of several lines of one agency the last holds.
    good.sort((a, b) => a.line - b.line);
    return { good, rejected };
  }

  return platformRecords({
    types: ['downstream-entity'],
    record: downstreamEntityRecord,
    async takeIn(lines) {
      const { good, rejected } = await checked(lines);
      await putPlatformRecords(client, table, now, good, (record) => {
        const {
          type: _,
          _id = derivedObjectId('downstream-entity', record.npn ?? record.ein ?? record.legalName),
          ...values
        } = record;
        return {
          key: downstreamEntityKeys.entity(_id),
          values: {
            ...values,
            _id,
            ...(record.isDeleted === true ? {} : downstreamEntityIndexes({ ...values, _id })),
          },
        };
      });
      return rejected;
    },
  });
}
