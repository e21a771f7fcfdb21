import { objectId } from '../../platform/contract/primitives.ts';
import { comparableCode } from '../../platform/contract/text.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { CorporateRegistration } from './corporate-registration.ts';
import { type LicenseRequest, licenseRequest } from './license-request.ts';

// Keys and items of the licensing table, described in `table.ts`. Each item is the resource itself
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
