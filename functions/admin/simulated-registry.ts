import * as z from 'zod/mini';
import { ApiError } from '../../shared/contract/errors.ts';
import { isoDate, objectId, timestamp, usd } from '../../shared/contract/primitives.ts';
import { simulatorAddress } from '../../shared/registry/environment.ts';
import {
  registryAction,
  registryAppointment,
  registryEntity,
  registryLicence,
} from '../../shared/registry/registry.ts';
import type { SimulatedRecord, SimulatedRecords } from '../../shared/registry/simulated-record.ts';
import { simulate, withRecord } from '../../shared/registry/simulator.ts';
import { npn } from '../../shared/resources/npn.ts';

const text = z._default(z.nullable(z.string()), null);
const date = z._default(z.nullable(isoDate), null);

/** Members of the service's own resources that the registry does not have: a record read from the API may be given back. */
const ours = {
  _id: z.optional(objectId),
  registryDataSubscriptionId: z.optional(objectId),
  npn: z.optional(npn),
  createdAt: z.optional(timestamp),
  updatedAt: z.optional(timestamp),
};

const { kind, name, residentStateCode } = registryEntity.shape;

// An operator writes what matters; the rest is as of a record of which no more is known.
const lineOfAuthority = z.pipe(
  z.strictObject({
    code: z.string().check(z.minLength(1)),
    name: z.optional(z.string()),
    status: z._default(z.string(), 'active'),
  }),
  z.transform((line) => ({ ...line, name: line.name ?? line.code })),
);
const licence = z.strictObject({
  ...ours,
  ...registryLicence.shape,
  licenseClassCode: text,
  licenseClassName: text,
  status: z._default(registryLicence.shape.status, 'active'),
  residencyStatus: z._default(registryLicence.shape.residencyStatus, 'resident'),
  issueDate: date,
  nextRenewalDate: date,
  expirationDate: date,
  linesOfAuthority: z._default(z.array(lineOfAuthority), []),
});
const appointment = z.strictObject({
  ...ours,
  ...registryAppointment.shape,
  carrierName: text,
  ein: text,
  companyCode: text,
  lineOfAuthorityName: text,
  lineOfAuthorityCode: text,
  status: z._default(registryAppointment.shape.status, 'active'),
  terminationReason: text,
  statusChangeDate: date,
  renewalDate: date,
  appointerStateCoId: text,
  countyName: text,
});
const regulatoryAction = z.strictObject({
  ...ours,
  ...registryAction.shape,
  originOfAction: text,
  reasonForAction: text,
  disposition: text,
  dateOfAction: date,
  effectiveDate: date,
  enterDate: date,
  fileRef: text,
  penaltyFineForfeitureInUSD: z._default(z.nullable(usd), null),
  lengthOfOrderInDays: z._default(z.nullable(z.number()), null),
});

/** What an operator says that the simulated registry knows of an NPN. */
export const registryRecordInput = z.strictObject({
  /** Null: the registry does not know the NPN. */
  entity: z.optional(
    z.nullable(z.strictObject({ kind, name, residentStateCode: z._default(residentStateCode, null) })),
  ),
  licences: z.optional(z.array(licence)),
  appointments: z.optional(z.array(appointment)),
  regulatoryActions: z.optional(z.array(regulatoryAction)),
  /** Whether asking for the NPN fails, as if the registry were down. */
  unavailable: z.optional(z.boolean()),
});

/** Changes a record of the simulated registry; answers all that it says of the NPN from now on. */
export type SetRegistryRecord = (
  npn: string,
  record: z.output<typeof registryRecordInput>,
) => Promise<object>;

/** @throws ApiError `conflict` where the registry is a real one. */
export const createSetRegistryRecord =
  (records: SimulatedRecords, registryAddress: string, now: () => Date): SetRegistryRecord =>
  async (npn, record) => {
    if (registryAddress !== simulatorAddress) {
      throw new ApiError('conflict', { message: 'The registry of this environment is not simulated.' });
    }
    const told: SimulatedRecord = await records.set(npn, {
      entity: record.entity,
      licences: record.licences?.map((one) => z.parse(registryLicence, one)),
      appointments: record.appointments?.map((one) => z.parse(registryAppointment, one)),
      regulatoryActions: record.regulatoryActions?.map((one) => z.parse(registryAction, one)),
      unavailable: record.unavailable,
    });
    const { entity, regulatoryActions } = withRecord(simulate(npn, now()), told, npn);
    const { licences = [], appointments = [], ...holder } = entity ?? {};
    return {
      npn,
      record: {
        entity: entity === undefined ? null : holder,
        licences,
        appointments,
        regulatoryActions,
        unavailable: told.unavailable ?? false,
      },
    };
  };
