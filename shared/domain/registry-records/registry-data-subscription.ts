import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { isoDate, objectId } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { npn } from '../identifiers/npn.ts';

export const synchronizationStatuses = ['not started', 'queued', 'in progress', 'success', 'failed'] as const;

const entityModel = described(
  z.enum(['agent', 'downstreamEntity']),
  DOCUMENTED && {
    description: 'Whose NPN it is.',
    values: { agent: 'The NPN of a person.', downstreamEntity: 'The NPN of an agency or branch.' },
  },
);

/**
 * An organization's subscription to one NPN in the registry. Its `entityInfo.status` is that of the last
 * synchronization.
 */
export const registryDataSubscription = storedItem(
  'registry-records/subscription',
  described(
    compiledObject(() =>
      describedShape(
        {
          _id: objectId,
          dataOwnerId: objectId,
          dataOwnerModel: z.enum(['upstreamEntity', 'downstreamEntity']),
          entityModel: z.nullable(entityModel),
          entityInfo: z.object(
            describedShape(
              {
                status: z.enum(synchronizationStatuses),
                jobId: z.nullable(z.string()),
                message: z.nullable(z.string()),
                rawEntityInfoId: z.nullable(objectId),
              },
              DOCUMENTED && {
                status: {
                  description: 'State of the last synchronization.',
                  values: {
                    'not started': 'The registry was never asked about the NPN.',
                    queued: 'A synchronization was requested and waits for its turn.',
                    'in progress': 'A synchronization is reading the registry.',
                    success: 'The registry was last read at `lastSynchronizationDate`.',
                    failed: 'The last synchronization failed; `message` says why.',
                  },
                },
                jobId: {
                  description: 'The last requested synchronization; null if none was requested.',
                  examples: ['3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11'],
                },
                message: {
                  description: 'Why the last synchronization failed; null unless it did.',
                  examples: ['The registry does not recognize this NPN.'],
                },
                rawEntityInfoId: 'Reserved for the registry’s original record; always null.',
              },
            ),
          ),
          npn,
          lastSynchronizationDate: z.nullable(isoDate),
          pdbAlertsSubscriptionStatus: z.nullable(z.string()),
          pdbAlertsPausedAt: z.nullable(isoDate),
        },
        DOCUMENTED && {
          _id: 'Id of the subscription, `registryDataSubscriptionId` elsewhere.',
          dataOwnerId: 'Id of the organization that the subscription belongs to.',
          dataOwnerModel: {
            description: 'Category of that organization.',
            values: {
              upstreamEntity: 'A carrier, MGA, or wholesaler.',
              downstreamEntity: 'An agency or brokerage.',
            },
          },
          entityModel: {
            description:
              'Whether the NPN belongs to an agent or an agency; null until an agent or association of the organization refers to it.',
            examples: ['downstreamEntity'],
          },
          entityInfo: 'State of the last synchronization with the registry, to poll after requesting one.',
          npn: 'NPN whose registry records the subscription covers.',
          lastSynchronizationDate:
            'When the records were last brought up to date, on request or in the nightly visit; null if never.',
          pdbAlertsSubscriptionStatus: {
            description:
              'Whether the registry reports changes of this NPN: `active` from the first synchronization on, null before.',
            examples: ['active'],
          },
          pdbAlertsPausedAt: 'When the registry’s alerts were paused; null while they are not.',
        },
      ),
    ),
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
  ),
);

export type RegistryDataSubscription = z.output<typeof registryDataSubscription>;
