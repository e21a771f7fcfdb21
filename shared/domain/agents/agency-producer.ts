import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { objectId, recordTimes } from '../../platform/contract/primitives.ts';
import { npn } from '../identifiers/npn.ts';
import { producerNames } from './producer-names.ts';
import { email, isDeliverable } from './resource.ts';

/** A producer as the agency that employs it sees it. */
export const agencyProducer = described(
  compiledObject(() => ({
    ...describedShape(
      { _id: objectId, npn },
      DOCUMENTED && {
        _id: 'Id of the producer in the organization’s records.',
        npn: 'National Producer Number, by which the registry knows the producer.',
      },
    ),
    ...producerNames(),
    ...describedShape(
      {
        email: z.nullable(email),
        isDeliverable,
        externalId: z.nullable(z.string()),
        downstreamEntityIds: z.array(objectId),
        isArchived: z.boolean(),
      },
      DOCUMENTED && {
        email: 'Primary email address of the producer; null if none is recorded.',
        externalId: {
          description: 'The organization’s own id for the producer; null if it has none.',
          examples: ['PR-204'],
        },
        downstreamEntityIds: 'Ids of the organization’s entities that the producer works for.',
        isArchived: 'Whether the organization has archived the producer, who is returned all the same.',
      },
    ),
    ...recordTimes(),
  })),
  DOCUMENTED && {
    id: 'Producer',
    description: 'A producer of the organization.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f923',
        npn: '8123456',
        firstName: 'Maria',
        middleName: null,
        lastName: 'Delgado',
        email: 'maria.delgado@example.com',
        isDeliverable: true,
        externalId: null,
        downstreamEntityIds: ['65f0c1d2e3a4b5c6d7e8f906'],
        isArchived: false,
        createdAt: '2026-03-01T14:05:09.123Z',
        updatedAt: '2026-03-01T14:05:09.123Z',
      },
    ],
  },
);
