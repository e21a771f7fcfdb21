import * as z from 'zod/mini';
import {
  isoDate,
  multiline,
  objectId,
  recordTimes,
  stateCode,
  textUpTo,
  timestamp,
} from '#platform/contract/primitives.ts';
import { collect } from '#platform/data/concurrently.ts';
import { isNew } from '#platform/data/expressions.ts';
import { itemKey, storedItem } from '#platform/data/stored.ts';
import type { Key, PageOf, Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import type { OwnPartitions } from '../downstream-entities/stored.ts';
import { comparable, npn } from '../identifiers/identifiers.ts';

const registrationTypes = ['domestic', 'foreign'] as const;
const registrationStatuses = ['active', 'pending', 'delinquent', 'inactive'] as const;

/** A state's data on an entity that is registered to do business in it. */
export const corporateRegistrationFields = z.object({
  downstreamEntityId: objectId,
  stateCode,
  registrationType: z.enum(registrationTypes),
  registeredName: z.nullable(textUpTo(300)),
  registrationNumber: z.nullable(textUpTo(100)),
  status: z.enum(registrationStatuses),
  registrationDate: z.nullable(isoDate),
  nextReportDueDate: z.nullable(isoDate),
  expirationDate: z.nullable(isoDate),
});

/** An entity's registration with a state to do business there. */
export const corporateRegistration = storedItem('licensing/registration', {
  _id: objectId,
  ...corporateRegistrationFields.shape,
  ...recordTimes.shape,
});

export type CorporateRegistration = z.output<typeof corporateRegistration>;

const licenseRequestTypes = ['new', 'renewal'] as const;

/** Statuses in the order in which a request passes them; the last three are final. */
export const licenseRequestStatuses = ['submitted', 'in review', 'approved', 'rejected', 'canceled'] as const;

export type LicenseRequestStatus = (typeof licenseRequestStatuses)[number];

export const status = z.enum(licenseRequestStatuses);

/** Fields of a request that an agency gives. */
export const licenseRequestFields = z.object({
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
});

/** An agency's request that the service obtain or renew a license. */
export const licenseRequest = z.object({
  _id: objectId,
  ...licenseRequestFields.shape,
  licenseNumber: z.nullable(licenseRequestFields.shape.licenseNumber),
  notes: z.nullable(licenseRequestFields.shape.notes),
  status,
  statusHistory: z.array(z.object({ status, at: timestamp })),
  ...recordTimes.shape,
});

export type LicenseRequest = z.output<typeof licenseRequest>;

// Keys and items of the licensing table, described in `shared/domain/tables.ts`. Each item is the resource itself
// with its keys; the resource's own schema parses it when it is read.

/** A request's item. */
const storedLicenseRequest = storedItem('licensing/request', licenseRequest.shape);

/** Item by which an open request holds its license. */
const openRequest = storedItem('licensing/open-request', { licenseRequestId: objectId });

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
    pk: licensingPartitions.openRequests(owner),
    sk: `${downstreamEntityId}#${npn}#${stateCode}#${licenseNumber === null ? 'NEW' : `RENEWAL#${comparable(licenseNumber)}`}`,
  }),
  registration: (owner: string, registrationId: string) => ({
    pk: `${owner}#REGISTRATION`,
    sk: registrationId,
  }),
};

/** The owner of a partition's requests; undefined for one with other items. */
const ownerOfRequests = (pk: string): string | undefined => /^(.*)#LICENSE_REQUEST$/.exec(pk)?.[1];

/** Partitions of the table and its indexes. */
export const licensingPartitions = {
  requests: (owner: string) => licensingKeys.request(owner, '').pk,
  openRequests: (owner: string) => `${owner}#OPEN_REQUEST`,
  requestsOf: (owner: string, downstreamEntityId: string) =>
    `${licensingPartitions.requests(owner)}#${downstreamEntityId}`,
  registrations: (owner: string) => licensingKeys.registration(owner, '').pk,
  registrationsOf: (owner: string, downstreamEntityId: string) =>
    `${licensingPartitions.registrations(owner)}#${downstreamEntityId}`,
};

const licenseRequestItem = (owner: string, request: LicenseRequest): Record<string, unknown> => ({
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

/** The transitions of a license request from each status; a request never has a status twice. */
const transitions: Readonly<Record<LicenseRequestStatus, readonly LicenseRequestStatus[]>> = {
  submitted: ['in review', 'canceled'],
  'in review': ['approved', 'rejected', 'canceled'],
  approved: [],
  rejected: [],
  canceled: [],
};

export const nextRequestStatuses = (status: LicenseRequestStatus): readonly LicenseRequestStatus[] =>
  transitions[status];

/** Whether a request is still open, and so blocks others for the same license. */
export const isOpenRequest = (status: LicenseRequestStatus): boolean => transitions[status].length > 0;

type RequestIndex = 'by-list' | 'by-list-entity';

/** Agencies' license requests, each under `recordOwnerOf` its agency. */
export function createLicenseRequests(table: Table<RequestIndex>) {
  // Who made or moved a request reads it so.
  const find = (owner: string, licenseRequestId: string): Promise<LicenseRequest | undefined> =>
    table.get(storedLicenseRequest, licensingKeys.request(owner, licenseRequestId));

  async function moveOnce(
    owner: string,
    licenseRequestId: string,
    status: LicenseRequestStatus,
    time: string,
    furtherItems: (movedRequest: LicenseRequest) => readonly TransactionItem[],
  ): Promise<LicenseRequest> {
    const request = await find(owner, licenseRequestId);
    if (request === undefined) throw new DomainError('not_found');
    const next = nextRequestStatuses(request.status);
    if (!next.includes(status)) {
      const acceptedStatuses = next.length === 0 ? 'nowhere' : `to ${next.join(', ')}`;
      throw new DomainError('state_conflict', {
        message: `A license request that is ${request.status} can move ${acceptedStatuses}, not to ${status}.`,
      });
    }
    const movedRequest = {
      ...request,
      status,
      statusHistory: [...request.statusHistory, { status, at: time }],
      updatedAt: time,
    };
    await table.transact([
      // A request never has a status twice, so the status shows whether the request is unchanged.
      table.items.put(licenseRequestItem(owner, movedRequest), { status: request.status }),
      // Only its own open request blocks a license, and this one has been open until now.
      ...(isOpenRequest(status) ? [] : [table.items.delete(licensingKeys.openRequest(owner, request))]),
      ...furtherItems(movedRequest),
    ]);
    return movedRequest;
  }

  return {
    find,

    /** The owner of a request; undefined for an unknown one. It reads the whole table: for operators alone. */
    async ownerOf(licenseRequestId: string): Promise<string | undefined> {
      const requestKeys = await collect(table.scan(itemKey, { sk: licenseRequestId }));
      return requestKeys.map(({ pk }) => ownerOfRequests(pk)).find((owner) => owner !== undefined);
    },

    /** The ids of the open requests under these keys (`licensingKeys.openRequest`), each to be had by its key. */
    async openAt(keys: readonly Key[]): Promise<(key: Key) => string | undefined> {
      const openRequestAt = await table.getByKey(openRequest, keys, { consistent: false });
      return (key) => openRequestAt(key)?.licenseRequestId;
    },

    /** A page by time of creation, of one entity if one is given, and how many there are. */
    page: (owner: string, downstreamEntityId: string | undefined, page: PageOf) =>
      table.itemPage(storedLicenseRequest, partitionsOf(owner, downstreamEntityId), page),

    /**
     * Writes a new request together with the further items.
     * @throws DomainError `state_conflict` while another request for the same license is open.
     */
    async create(owner: string, request: LicenseRequest, furtherItems: readonly TransactionItem[]) {
      const isTaken = () =>
        new DomainError('state_conflict', {
          message: 'A random identifier was already taken; try again.',
          retryAfterSeconds: 1,
        });
      const isOpen: TransactionItem['refused'] = (storedRequest) => {
        const licenseRequestId = String(storedRequest?.['licenseRequestId']);
        const message = `The request ${licenseRequestId} for this license is still open.`;
        return new DomainError('state_conflict', { message, ids: { licenseRequestId } });
      };
      const open = { ...licensingKeys.openRequest(owner, request), licenseRequestId: request._id };
      await table.transact([
        table.items.put(licenseRequestItem(owner, request), isNew, isTaken),
        table.items.put(open, isNew, isOpen),
        ...furtherItems,
      ]);
    },

    /**
     * Moves a request to another status, together with the further items, and returns it as it is then.
     * @throws DomainError `not_found`; `state_conflict` when its status does not allow the transition.
     */
    move: (
      owner: string,
      licenseRequestId: string,
      status: LicenseRequestStatus,
      now: Date,
      furtherItems: (movedRequest: LicenseRequest) => readonly TransactionItem[],
    ) => retryOnConflict(() => moveOnce(owner, licenseRequestId, status, now.toISOString(), furtherItems)),
  };
}

const partitionsOf: OwnPartitions<RequestIndex> = (owner, downstreamEntityId) => [
  downstreamEntityId === undefined
    ? { index: 'by-list', value: licensingPartitions.requests(owner) }
    : { index: 'by-list-entity', value: licensingPartitions.requestsOf(owner, downstreamEntityId) },
];
