import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { objectId, recordTimes, stateCode } from '../../platform/contract/primitives.ts';
import { npn } from '../identifiers/npn.ts';
import { registryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import { producerNames } from './producer-names.ts';

/** The product for which an agent requested authority, and where it was granted. */
export const agentAuthority = lazyObject(() =>
  describedShape(
    {
      upstreamEntityProductId: objectId,
      requestedStates: z.array(stateCode),
      approvedStates: z.array(stateCode),
    },
    DOCUMENTED && {
      upstreamEntityProductId: 'Id of the organization’s product, `productId` in compliance configs.',
      requestedStates: 'States in which the agent asked to sell the product.',
      approvedStates: 'States in which the organization approved it.',
    },
  ),
);

/** Whether messages reach someone's address. */
export const isDeliverable = described(
  z.boolean(),
  DOCUMENTED && {
    description: 'Whether `email` has been verified as deliverable; false until an import says so.',
  },
);

/** An e-mail address as it is shown; it is compared without regard to case. */
export const email = described(
  z.string().check(z.maxLength(254), z.email()),
  DOCUMENTED && {
    description: 'Email address; its case does not matter.',
    examples: ['maria.delgado@example.com'],
  },
);

/** A producer as an organization knows it. */
export const agentItem = described(
  compiledObject(() =>
    describedShape(
      {
        agent: compiledObject(() => ({
          ...describedShape(
            { _id: objectId, npn },
            DOCUMENTED && {
              _id: 'Id of the agent, `agentId` elsewhere.',
              npn: 'National Producer Number, by which the registry knows the agent.',
            },
          ),
          ...producerNames(),
          ...describedShape(
            { downstreamEntityAgentAssociationIds: z.array(objectId) },
            DOCUMENTED && {
              downstreamEntityAgentAssociationIds:
                'Ids of the associations that the agent works under, `downstreamEntityAssociationId` elsewhere.',
            },
          ),
          ...recordTimes(),
        })),
        creationPath: z.string(),
        registryDataSubscription: z.nullable(registryDataSubscription),
        isUploadedByUpstreamEntity: z.boolean(),
        isDeleted: z.boolean(),
        isArchived: z.boolean(),
        authority: z.array(agentAuthority),
        email: z.nullable(email),
        isDeliverable,
        externalId: z.nullable(z.string()),
      },
      DOCUMENTED && {
        agent: 'The person, and where they work.',
        creationPath: {
          description: 'How the record was created: `import`, unless the imported record says otherwise.',
          examples: ['import'],
        },
        registryDataSubscription:
          'The organization’s subscription to the registry records of the NPN; null if it has none.',
        isUploadedByUpstreamEntity:
          'Whether the record came from a carrier; false if it came from an agency.',
        isDeleted: 'Always false: soft-deleted agents are not returned.',
        isArchived: 'Whether the organization has archived the agent, who is returned all the same.',
        authority: 'Products that the agent may sell for the organization, or asked to; may be empty.',
        email: 'Primary email address of the agent; null if none is recorded.',
        externalId: {
          description: 'The organization’s own id for the agent; null if it has none.',
          examples: ['AGT-118'],
        },
      },
    ),
  ),
  DOCUMENTED && {
    id: 'Agent',
    description: 'A producer, as recorded by the organization.',
    examples: [
      {
        agent: {
          _id: '65f0c1d2e3a4b5c6d7e8f903',
          npn: '8123456',
          firstName: 'Maria',
          middleName: null,
          lastName: 'Delgado',
          downstreamEntityAgentAssociationIds: ['65f0c1d2e3a4b5c6d7e8f904'],
          createdAt: '2026-03-01T14:05:09.123Z',
          updatedAt: '2026-03-01T14:05:09.123Z',
        },
        creationPath: 'import',
        registryDataSubscription: null,
        isUploadedByUpstreamEntity: true,
        isDeleted: false,
        isArchived: false,
        authority: [
          {
            upstreamEntityProductId: '65f0c1d2e3a4b5c6d7e8f905',
            requestedStates: ['TX', 'OK'],
            approvedStates: ['TX'],
          },
        ],
        email: 'maria.delgado@example.com',
        isDeliverable: true,
        externalId: 'AGT-118',
      },
    ],
  },
);

export type AgentItem = z.output<typeof agentItem>;
