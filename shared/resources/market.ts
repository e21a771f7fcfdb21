import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { associationStatuses, producerCode } from './association.ts';

/** A carrier relationship as the agency sees it; one of a carrier on the platform is its association. */
export const market = described(
  z.object({
    upstreamDownstreamAssociationId: objectId,
    downstreamEntityId: objectId,
    upstreamEntityName: z.string().check(z.minLength(1), z.maxLength(300)),
    isOnPlatform: described(
      z.boolean(),
      DOCUMENTED && { description: 'Whether the carrier is on the platform.' },
    ),
    marketType: described(
      z.nullable(z.string().check(z.minLength(1), z.maxLength(100))),
      DOCUMENTED && { examples: ['wholesaler'] },
    ),
    producerCode: z.nullable(producerCode),
    status: z.enum(associationStatuses),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'Market',
    description: 'A carrier that an entity of the organization works with.',
    examples: [
      {
        upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
        downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
        upstreamEntityName: 'Beacon Specialty',
        isOnPlatform: true,
        marketType: null,
        producerCode: 'P-7731',
        status: 'active',
        createdAt: '2026-03-01T14:05:09.123Z',
        updatedAt: '2026-03-01T14:05:09.123Z',
      },
    ],
  },
);

export type Market = z.output<typeof market>;
