import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { email } from './agent.ts';
import { npn } from './npn.ts';

/** A producer as the agency that employs it sees it. */
export const agencyProducer = described(
  compiledObject({
    _id: objectId,
    npn,
    firstName: z.string(),
    middleName: z.nullable(z.string()),
    lastName: z.string(),
    email: z.nullable(email),
    isDeliverable: described(
      z.boolean(),
      DOCUMENTED && { description: 'Whether the email address is known to be deliverable.' },
    ),
    externalId: z.nullable(z.string()),
    downstreamEntityIds: described(
      z.array(objectId),
      DOCUMENTED && { description: 'Entities that the producer works for.' },
    ),
    isArchived: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
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
