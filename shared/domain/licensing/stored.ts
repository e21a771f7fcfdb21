import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import {
  comparableCode,
  isoDate,
  multiline,
  objectId,
  recordTimes,
  stateCode,
  textUpTo,
  timestamp,
} from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { npn } from '../identifiers/identifiers.ts';

const registrationTypes = ['domestic', 'foreign'] as const;
const registrationStatuses = ['active', 'pending', 'delinquent', 'inactive'] as const;

/** A state's data on an entity that is registered to do business in it. */
export const corporateRegistrationFields = fields(() => ({
  downstreamEntityId: objectId,
  stateCode,
  registrationType: z.enum(registrationTypes),
  registeredName: z.nullable(textUpTo(300)),
  registrationNumber: z.nullable(textUpTo(100)),
  status: z.enum(registrationStatuses),
  registrationDate: z.nullable(isoDate),
  nextReportDueDate: z.nullable(isoDate),
  expirationDate: z.nullable(isoDate),
}));

/** An entity's registration with a state to do business there. */
export const corporateRegistration = storedItem(
  'licensing/registration',
  object(() => ({ _id: objectId, ...corporateRegistrationFields.shape, ...recordTimes.shape })),
);

export type CorporateRegistration = z.output<typeof corporateRegistration>;

const licenseRequestTypes = ['new', 'renewal'] as const;

/** In the order in which a request passes them; the last three are final. */
export const licenseRequestStatuses = ['submitted', 'in review', 'approved', 'rejected', 'canceled'] as const;

export type LicenseRequestStatus = (typeof licenseRequestStatuses)[number];

export const status = z.enum(licenseRequestStatuses);

/** What an agency says of a request itself. */
export const licenseRequestFields = fields(() => ({
  downstreamEntityId: objectId,
  type: z.enum(licenseRequestTypes),
  stateCode,
  npn,
  licenseNumber: textUpTo(100),
  linesOfAuthority: z.array(textUpTo(50)).check(
    z.maxLength(20),
    z.refine((codes) => new Set(codes).size === codes.length, 'lists a line of authority more than once'),
  ),
  notes: multiline(textUpTo(2_000)),
}));

/** An agency's request that the service obtain or renew a license. */
export const licenseRequest = object(() => ({
  _id: objectId,
  ...licenseRequestFields.shape,
  licenseNumber: z.nullable(licenseRequestFields.shape.licenseNumber),
  notes: z.nullable(licenseRequestFields.shape.notes),
  status,
  statusHistory: z.array(z.object({ status, at: timestamp })),
  ...recordTimes.shape,
}));

export type LicenseRequest = z.output<typeof licenseRequest>;

// Keys and items of the licensing table, described in `shared/domain/table-designs.ts`. Each item is the resource itself
// with its keys; the resource's own schema parses it when it is read.

/** A request's item. */
export const storedLicenseRequest = storedItem('licensing/request', licenseRequest);

/** What an open request holds its license by. */
export const openRequest = storedItem('licensing/open-request', () => ({ licenseRequestId: objectId }));

export const licensingKeys = {
  request: (owner: string, licenseRequestId: string) => ({
    pk: `${owner}#LICENSE_REQUEST`,
    sk: licenseRequestId,
  }),
  /** Held by the open request of an agency for a license, however its number is written, so that there is one. */
  openRequest: (
    owner: string,
    {
      downstreamEntityId,
      npn,
      stateCode,
      licenseNumber,
    }: Pick<LicenseRequest, 'downstreamEntityId' | 'npn' | 'stateCode' | 'licenseNumber'>,
  ) => ({
    pk: `${owner}#OPEN_REQUEST`,
    sk: `${downstreamEntityId}#${npn}#${stateCode}#${licenseNumber === null ? 'NEW' : `RENEWAL#${comparableCode(licenseNumber)}`}`,
  }),
  registration: (owner: string, registrationId: string) => ({
    pk: `${owner}#REGISTRATION`,
    sk: registrationId,
  }),
};

/** Whose requests a partition has; undefined for one with other items. */
export const ownerOfRequests = (pk: string): string | undefined => /^(.*)#LICENSE_REQUEST$/.exec(pk)?.[1];

/** Partitions of the table's indexes. */
export const licensingPartitions = {
  requests: (owner: string) => licensingKeys.request(owner, '').pk,
  requestsOf: (owner: string, downstreamEntityId: string) =>
    `${licensingPartitions.requests(owner)}#${downstreamEntityId}`,
  registrations: (owner: string) => licensingKeys.registration(owner, '').pk,
  registrationsOf: (owner: string, downstreamEntityId: string) =>
    `${licensingPartitions.registrations(owner)}#${downstreamEntityId}`,
};

export const licenseRequestItem = (owner: string, request: LicenseRequest): Record<string, unknown> => ({
  ...licensingKeys.request(owner, request._id),
  listKey: licensingPartitions.requests(owner),
  listEntityKey: licensingPartitions.requestsOf(owner, request.downstreamEntityId),
  listSort: `${request.createdAt}#${request._id}`,
  ...request,
});

/** The index keys that put a live registration on its lists. */
export const registrationIndexes = (
  owner: string,
  {
    _id,
    downstreamEntityId,
    stateCode,
  }: Pick<CorporateRegistration, '_id' | 'downstreamEntityId' | 'stateCode'>,
) => ({
  listKey: licensingPartitions.registrations(owner),
  listEntityKey: licensingPartitions.registrationsOf(owner, downstreamEntityId),
  listSort: `${stateCode}#${_id}`,
});
