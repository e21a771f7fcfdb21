import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { recordsChanged } from '../../../shared/compliance/inputs-changed.ts';
import { isoDate } from '../../../shared/contract/primitives.ts';
import {
  actionItem,
  appointmentItem,
  licenceItem,
  registryKeys,
  regulatoryActionIdOf,
  subscriptionIdOf,
} from '../../../shared/registry-records/stored.ts';
import { ensureSubscriptions } from '../../../shared/registry-records/subscriptions.ts';
import { appointment } from '../../../shared/resources/appointment.ts';
import { licence } from '../../../shared/resources/licence.ts';
import { regulatoryAction } from '../../../shared/resources/regulatory-action.ts';
import type { OrganizationAdministration } from '../organizations.ts';
import { ownedFields } from './common-fields.ts';
import { type ImportType, ownedRecords, ownersOfEitherKind } from './import-type.ts';
import { type ChangedRecord, type PlatformItem, putPlatformRecords } from './platform-records.ts';

const text = z._default(z.nullable(z.string().check(z.maxLength(300))), null);
const date = z._default(z.nullable(isoDate), null);
/** A status is part of an index's key, as are codes and names of what a record is known by. */
const status = z._default(z.string().check(z.minLength(1), z.maxLength(100)), 'active');

const licenceRecord = z.strictObject({
  type: z.literal('licence'),
  ...ownedFields,
  npn: licence.shape.npn,
  stateCode: licence.shape.stateCode,
  licenseNumber: licence.shape.licenseNumber,
  licenseClassCode: text,
  licenseClassName: text,
  status,
  residencyStatus: z._default(licence.shape.residencyStatus, 'resident'),
  issueDate: date,
  nextRenewalDate: date,
  expirationDate: date,
  linesOfAuthority: z._default(
    z.array(
      z.pipe(
        z.strictObject({
          code: z.string().check(z.minLength(1), z.maxLength(50)),
          name: z.optional(z.string()),
          status,
        }),
        z.transform((line) => ({ ...line, name: line.name ?? line.code })),
      ),
    ),
    [],
  ),
});

const appointmentRecord = z.strictObject({
  type: z.literal('appointment'),
  ...ownedFields,
  npn: appointment.shape.npn,
  stateCode: appointment.shape.stateCode,
  carrierName: text,
  ein: text,
  companyCode: text,
  lineOfAuthorityName: text,
  lineOfAuthorityCode: text,
  status,
  terminationReason: text,
  statusChangeDate: date,
  renewalDate: date,
  appointerStateCoId: text,
  countyName: text,
});

const regulatoryActionRecord = z.strictObject({
  type: z.literal('regulatory-action'),
  ...ownedFields,
  npn: regulatoryAction.shape.npn,
  stateCode: regulatoryAction.shape.stateCode,
  actionId: regulatoryAction.shape.actionId,
  originOfAction: text,
  reasonForAction: text,
  disposition: text,
  dateOfAction: date,
  effectiveDate: date,
  enterDate: date,
  fileRef: text,
  penaltyFineForfeitureInUSD: z._default(regulatoryAction.shape.penaltyFineForfeitureInUSD, null),
  lengthOfOrderInDays: z._default(regulatoryAction.shape.lengthOfOrderInDays, null),
});

/** What an item says besides what its record brings. */
interface Surroundings {
  readonly owner: string;
  readonly registryDataSubscriptionId: string;
  readonly at: string;
}

interface RegistryRecord {
  readonly npn: string;
  readonly upstreamEntityId?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly isDeleted?: boolean | undefined;
}

/**
 * Licences, appointments and regulatory actions of an organization of either kind, each known by what it is and not by
 * an id. The subscription of their NPN is made when missing, before them. What is told of licences and appointments is
 * that the compliance of their NPN may have changed; regulatory actions are the daily pass's to tell.
 */
export function registryRecordTypes(
  client: DynamoDBClient,
  table: string,
  organizations: OrganizationAdministration,
  now: () => Date,
): ImportType[] {
  const importType = <Schema extends z.core.$ZodType<RegistryRecord>>(
    type: 'licence' | 'appointment' | 'regulatory-action',
    record: Schema,
    itemOf: (record: z.output<Schema>, surroundings: Surroundings) => PlatformItem,
  ): ImportType =>
    ownedRecords(organizations, {
      types: [type],
      record,
      owners: ownersOfEitherKind,
      async takeIn(owner, lines, category, events) {
        const dataOwnerModel = category === 'upstreamEntity' ? category : 'downstreamEntity';
        const npns = lines.map((line) => line.record.npn);
        await ensureSubscriptions(client, table, { dataOwnerId: owner, dataOwnerModel }, npns, null);
        const at = now().toISOString();
        const isTold = category === 'upstreamEntity' && type !== 'regulatory-action';
        const telling =
          events && isTold
            ? {
                groupOf: ({ npn }: RegistryRecord) => npn,
                stepsFor: ({ record: { npn } }: ChangedRecord<RegistryRecord>, time: Date) =>
                  events([recordsChanged(owner, npn)], time),
              }
            : undefined;
        await putPlatformRecords(
          client,
          table,
          now,
          lines,
          (one) => itemOf(one, { owner, at, registryDataSubscriptionId: subscriptionIdOf(owner, one.npn) }),
          telling,
        );
        return [];
      },
    });

  return [
    importType('licence', licenceRecord, (record, { owner, registryDataSubscriptionId, at }) => {
      const {
        type: _type,
        _id,
        upstreamEntityId: _owner,
        createdAt,
        updatedAt = at,
        isDeleted,
        ...own
      } = record;
      const values = { ...own, registryDataSubscriptionId, updatedAt };
      const key = registryKeys.licence(owner, values);
      return { key, values: isDeleted === true ? values : licenceItem(owner, values) };
    }),
    importType('appointment', appointmentRecord, (record, { owner, registryDataSubscriptionId, at }) => {
      const {
        type: _type,
        _id,
        upstreamEntityId: _owner,
        createdAt,
        updatedAt = at,
        isDeleted,
        ...own
      } = record;
      const values = { ...own, registryDataSubscriptionId, updatedAt };
      const key = registryKeys.appointment(owner, values);
      return { key, values: isDeleted === true ? values : appointmentItem(owner, values) };
    }),
    importType(
      'regulatory-action',
      regulatoryActionRecord,
      (record, { owner, registryDataSubscriptionId, at }) => {
        const { type: _type, upstreamEntityId: _owner, isDeleted: _deleted, ...own } = record;
        const { _id = regulatoryActionIdOf(owner, own), createdAt = at, updatedAt = at } = own;
        const values = { ...own, _id, createdAt, updatedAt, registryDataSubscriptionId };
        return { key: registryKeys.action(owner, values), values: actionItem(owner, values) };
      },
    ),
  ];
}
