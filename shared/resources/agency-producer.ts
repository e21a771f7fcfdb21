import * as z from 'zod/mini';
import { compiledObject } from '../contract/object.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { email } from './agent.ts';
import { npn } from './npn.ts';

/** A producer as the agency that employs it sees it. */
export const agencyProducer = compiledObject({
  _id: objectId,
  npn,
  firstName: z.string(),
  middleName: z.nullable(z.string()),
  lastName: z.string(),
  email: z.nullable(email),
  isDeliverable: z
    .boolean()
    .register(z.globalRegistry, { description: 'Whether the email address is known to be deliverable.' }),
  externalId: z.nullable(z.string()),
  downstreamEntityIds: z
    .array(objectId)
    .register(z.globalRegistry, { description: 'Entities that the producer works for.' }),
  isArchived: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
}).register(z.globalRegistry, {
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
});
