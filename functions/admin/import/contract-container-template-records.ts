import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { associationKeys } from '../../../shared/associations/stored.ts';
import { derivedObjectId } from '../../../shared/data/object-id.ts';
import { contractContainerTemplate } from '../../../shared/resources/contract-container-template.ts';
import type { OrganizationAdministration } from '../organizations.ts';
import { ownedFields } from './common-fields.ts';
import { type ImportType, ownedRecords } from './import-type.ts';
import { putPlatformRecords } from './platform-records.ts';

const { name, description, isActive } = contractContainerTemplate.shape;

const templateRecord = z.strictObject({
  type: z.literal('contract-container-template'),
  ...ownedFields,
  name,
  description: z._default(description, null),
  isActive: z._default(isActive, true),
});

/** Contract container templates; one without an id of its own is known by its name. */
export const contractContainerTemplateRecords = (
  client: DynamoDBClient,
  table: string,
  organizations: OrganizationAdministration,
  now: () => Date,
): ImportType =>
  ownedRecords(organizations, {
    types: ['contract-container-template'],
    record: templateRecord,
    async takeIn(owner, lines) {
      await putPlatformRecords(client, table, now, lines, (record) => {
        const { type: _type, upstreamEntityId: _owner, ...values } = record;
        const _id = record._id ?? derivedObjectId(owner, 'contract-container-template', record.name);
        return { key: associationKeys.template(owner, _id), values: { ...values, _id } };
      });
      return [];
    },
  });
