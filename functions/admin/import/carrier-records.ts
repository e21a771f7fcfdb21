import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { carrierKeys } from '../../../shared/carriers/keys.ts';
import { derivedObjectId } from '../../../shared/data/object-id.ts';
import { carrier } from '../../../shared/resources/carrier.ts';
import { commonFields } from './common-fields.ts';
import { type ImportType, platformRecords } from './import-type.ts';
import { putPlatformRecords } from './platform-records.ts';

const { name, naicCode, groupName, domicileStateCode, status } = carrier.shape;

const carrierRecord = z.strictObject({
  type: z.literal('carrier'),
  ...commonFields,
  name,
  naicCode,
  groupName: z._default(groupName, null),
  domicileStateCode: z._default(domicileStateCode, null),
  status: z._default(status, 'active'),
});

/** Insurers; one without an id of its own is known by its NAIC code. */
export const carrierRecords = (client: DynamoDBClient, table: string, now: () => Date): ImportType =>
  platformRecords({
    types: ['carrier'],
    record: carrierRecord,
    async takeIn(lines) {
      await putPlatformRecords(client, table, now, lines, (record) => {
        const { type: _, _id = derivedObjectId('carrier', record.naicCode), ...values } = record;
        return { key: carrierKeys.carrier(_id), values: { ...values, _id } };
      });
      return [];
    },
  });
