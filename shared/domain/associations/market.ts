import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { recordTimes } from '../../platform/contract/primitives.ts';
import { downstreamEntityId, upstreamDownstreamAssociationId } from '../identifiers/ids.ts';
import { associationStatus, producerCode } from './resource.ts';

/** A carrier relationship as the agency sees it; one of a carrier on the platform is its association. */
export const market = described(
  lazyObject(() => ({
    ...describedShape(
      {
        upstreamDownstreamAssociationId,
        downstreamEntityId,
        upstreamEntityName: z.string().check(z.minLength(1), z.maxLength(300)),
        isOnPlatform: z.boolean(),
        marketType: z.nullable(z.string().check(z.minLength(1), z.maxLength(100))),
        producerCode: z.nullable(producerCode),
        status: associationStatus,
      },
      DOCUMENTED && {
        downstreamEntityId: 'Id of the organization’s entity that has the market.',
        upstreamEntityName: {
          description: 'Name of the carrier, MGA, or wholesaler.',
          examples: ['Beacon Specialty'],
        },
        isOnPlatform:
          'Whether the carrier uses this service. If it does not, an operator has recorded the market, and it has no compliance configs.',
        marketType: {
          description:
            'Kind of carrier, as recorded by an operator; null if none is recorded, and for a carrier on the platform.',
          examples: ['wholesaler'],
        },
        producerCode: 'The entity’s code at the carrier; null if the carrier has not set one.',
      },
    ),
    ...recordTimes(),
  })),
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
