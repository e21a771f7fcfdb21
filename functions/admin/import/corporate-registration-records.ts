import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { derivedObjectId } from '../../../shared/data/object-id.ts';
import { licensingKeys, registrationIndexes } from '../../../shared/licensing/stored.ts';
import { corporateRegistrationFields } from '../../../shared/resources/corporate-registration.ts';
import type { OrganizationAdministration } from '../organizations.ts';
import { ofOwnEntities } from './agency-lines.ts';
import { commonFields } from './common-fields.ts';
import { type ImportType, ownedRecords } from './import-type.ts';
import { putPlatformRecords } from './platform-records.ts';

const {
  downstreamEntityId,
  stateCode,
  registrationType,
  registeredName,
  registrationNumber,
  status,
  registrationDate,
  nextReportDueDate,
  expirationDate,
} = corporateRegistrationFields;

const corporateRegistrationRecord = z.strictObject({
  type: z.literal('corporate-registration'),
  ...commonFields,
  downstreamEntityId,
  stateCode,
  registrationType,
  registeredName: z._default(registeredName, null),
  registrationNumber: z._default(registrationNumber, null),
  status: z._default(status, 'active'),
  registrationDate: z._default(registrationDate, null),
  nextReportDueDate: z._default(nextReportDueDate, null),
  expirationDate: z._default(expirationDate, null),
});

/**
 * Registrations of an agency's entities with states, which no registry tells of; one without an id of its own is known by
 * its entity and state.
 */
export const corporateRegistrationRecords = (
  client: DynamoDBClient,
  tables: { readonly licensing: string; readonly downstreamEntities: string },
  organizations: OrganizationAdministration,
  now: () => Date,
): ImportType =>
  ownedRecords(organizations, {
    types: ['corporate-registration'],
    owners: ['downstreamEntity'],
    record: corporateRegistrationRecord,
    async takeIn(owner, lines) {
      const { good, rejected } = await ofOwnEntities(client, tables.downstreamEntities, owner, lines);
      await putPlatformRecords(client, tables.licensing, now, good, (record) => {
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
      return rejected;
    },
  });
