import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { configChanged } from '../../../shared/compliance/inputs-changed.ts';
import { repeatedStates } from '../../../shared/compliance/states.ts';
import { complianceKeys } from '../../../shared/compliance/stored.ts';
import { complianceConfig, stateRequirement } from '../../../shared/resources/compliance.ts';
import type { OrganizationAdministration } from '../organizations.ts';
import { ownedFields } from './common-fields.ts';
import { type ImportType, ownedRecords } from './import-type.ts';
import type { ReadLine, RejectedLine } from './lines.ts';
import { type ChangedRecord, putPlatformRecords } from './platform-records.ts';

const { productId, productName } = complianceConfig.shape;

const complianceConfigRecord = z.strictObject({
  type: z.literal('compliance-config'),
  ...ownedFields,
  productId,
  productName,
  states: z.array(
    z.strictObject({
      ...stateRequirement.shape,
      linesOfAuthority: z._default(stateRequirement.shape.linesOfAuthority, []),
      appointment: z._default(stateRequirement.shape.appointment, 'not required'),
    }),
  ),
});

type ConfigRecord = z.output<typeof complianceConfigRecord>;

/** What carriers' products ask of producers; a config is known by its product. */
export const complianceConfigRecords = (
  client: DynamoDBClient,
  table: string,
  organizations: OrganizationAdministration,
  now: () => Date,
): ImportType =>
  ownedRecords(organizations, {
    types: ['compliance-config'],
    record: complianceConfigRecord,
    async takeIn(owner, lines, _category, events) {
      const rejected: RejectedLine[] = [];
      const good: ReadLine<ConfigRecord>[] = [];
      for (const one of lines) {
        const issues = repeatedStates(one.record.states);
        if (issues.length === 0) good.push(one);
        else rejected.push({ line: one.line, issues });
      }
      const telling = events && {
        // Everybody's compliance is looked at anew, whichever product it was.
        groupOf: () => owner,
        stepsFor: ({ record }: ChangedRecord<ConfigRecord>, at: Date) =>
          events([configChanged(owner, record.productId)], at),
      };
      const itemOf = (record: ConfigRecord) => {
        const { type: _type, _id, upstreamEntityId: _owner, ...values } = record;
        return { key: complianceKeys.config(owner, record.productId), values };
      };
      await putPlatformRecords(client, table, now, good, itemOf, telling);
      return rejected;
    },
  });
