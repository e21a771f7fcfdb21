import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { objectId, stateCode, timestamp } from '../contract/primitives.ts';
import { npn } from './npn.ts';
import { registryDataSubscription } from './registry-data-subscription.ts';

/** The product for which an agent requested authority, and where it was granted. */
export const agentAuthority = z.object({
  upstreamEntityProductId: objectId,
  requestedStates: z.array(stateCode),
  approvedStates: z.array(stateCode),
});

/** An e-mail address as it is shown; it is compared without regard to case. */
export const email = described(
  z.string().check(z.maxLength(254), z.email()),
  DOCUMENTED && { description: 'Email address.', examples: ['maria.delgado@example.com'] },
);

/** A producer as an organization knows it. */
export const agentItem = described(
  compiledObject({
    agent: compiledObject({
      _id: objectId,
      npn,
      firstName: z.string(),
      middleName: z.nullable(z.string()),
      lastName: z.string(),
      downstreamEntityAgentAssociationIds: described(
        z.array(objectId),
        DOCUMENTED && { description: 'Associations that the agent works under.' },
      ),
      createdAt: timestamp,
      updatedAt: timestamp,
    }),
    creationPath: described(
      z.string(),
      DOCUMENTED && { description: 'How the record was created.', examples: ['import'] },
    ),
    registryDataSubscription: z.nullable(registryDataSubscription),
    isUploadedByUpstreamEntity: z.boolean(),
    isDeleted: z.boolean(),
    isArchived: z.boolean(),
    authority: z.array(agentAuthority),
    email: z.nullable(email),
    isDeliverable: described(
      z.boolean(),
      DOCUMENTED && { description: 'Whether the email address is known to be deliverable.' },
    ),
    externalId: z.nullable(z.string()),
  }),
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
