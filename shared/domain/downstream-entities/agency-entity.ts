import type * as z from 'zod/mini';
import { described } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { recordTimes } from '../../platform/contract/primitives.ts';
import { downstreamEntity } from './resource.ts';

/** One of an agency's own entities. */
export const agencyEntity = described(
  lazyObject(() => ({ ...downstreamEntity.shape, ...recordTimes() })),
  DOCUMENTED && {
    id: 'Entity',
    description: 'An agency or branch of the organization.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f906',
        legalName: 'Lone Star Brokerage',
        category: 'agency',
        npn: '17654321',
        ein: '75-7654321',
        isNpnRequired: true,
        createdAt: '2026-03-01T14:05:09.123Z',
        updatedAt: '2026-03-01T14:05:09.123Z',
      },
    ],
  },
);

export type AgencyEntity = z.output<typeof agencyEntity>;
