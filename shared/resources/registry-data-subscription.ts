import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { isoDate, objectId } from '../contract/primitives.ts';
import { npn } from './npn.ts';

export const synchronizationStatuses = ['not started', 'queued', 'in progress', 'success', 'failed'] as const;

/**
 * An organization's subscription to one NPN in the registry. Its `entityInfo.status` is that of the last
 * synchronization.
 */
export const registryDataSubscription = described(
  compiledObject({
    _id: objectId,
    dataOwnerId: objectId,
    dataOwnerModel: z.enum(['upstreamEntity', 'downstreamEntity']),
    entityModel: described(
      z.nullable(z.enum(['agent', 'downstreamEntity'])),
      DOCUMENTED && {
        description:
          'Whether the NPN belongs to an agent or an agency; null until an agent or association of the organization refers to it.',
        examples: ['downstreamEntity'],
      },
    ),
    entityInfo: z.object({
      status: z.enum(synchronizationStatuses),
      jobId: described(
        z.nullable(z.string()),
        DOCUMENTED && {
          description: 'The last synchronization.',
          examples: ['3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11'],
        },
      ),
      message: described(
        z.nullable(z.string()),
        DOCUMENTED && {
          description: 'Why the last synchronization failed.',
          examples: ['The registry does not recognize this NPN.'],
        },
      ),
      rawEntityInfoId: z.nullable(objectId),
    }),
    npn,
    lastSynchronizationDate: z.nullable(isoDate),
    pdbAlertsSubscriptionStatus: described(
      z.nullable(z.string()),
      DOCUMENTED && {
        description: 'Whether the registry sends changes without being asked.',
        examples: ['active'],
      },
    ),
    pdbAlertsPausedAt: z.nullable(isoDate),
  }),
  DOCUMENTED && {
    id: 'RegistryDataSubscription',
    description:
      'The organization’s subscription to the registry records of one NPN, with the state of its synchronization.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f910',
        dataOwnerId: '65f0c1d2e3a4b5c6d7e8f900',
        dataOwnerModel: 'upstreamEntity',
        entityModel: 'downstreamEntity',
        entityInfo: {
          status: 'success',
          jobId: '3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11',
          message: null,
          rawEntityInfoId: null,
        },
        npn: '17654321',
        lastSynchronizationDate: '2026-06-01T09:00:00.000Z',
        pdbAlertsSubscriptionStatus: 'active',
        pdbAlertsPausedAt: null,
      },
    ],
  },
);

export type RegistryDataSubscription = z.output<typeof registryDataSubscription>;
