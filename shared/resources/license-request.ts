import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { objectId, stateCode, timestamp } from '../contract/primitives.ts';
import { multiline } from '../contract/text.ts';
import { npn } from './npn.ts';

export const licenseRequestTypes = ['new', 'renewal'] as const;

/** In the order in which a request passes them; the last three are final. */
export const licenseRequestStatuses = [
  'submitted',
  'in review',
  'approved',
  'rejected',
  'cancelled',
] as const;

export type LicenseRequestStatus = (typeof licenseRequestStatuses)[number];

/** What an agency says of a request itself. */
export const licenseRequestFields = {
  type: described(
    z.enum(licenseRequestTypes),
    DOCUMENTED && {
      description: 'Whether to obtain a license or to renew one.',
      examples: ['renewal'],
    },
  ),
  licenseNumber: described(
    z.string().check(z.minLength(1), z.maxLength(100)),
    DOCUMENTED && { description: 'Number of the license to renew.', examples: ['1456789'] },
  ),
  linesOfAuthority: described(
    z
      .array(described(z.string().check(z.minLength(1), z.maxLength(50)), DOCUMENTED && { examples: ['16'] }))
      .check(
        z.maxLength(20),
        z.refine((codes) => new Set(codes).size === codes.length, 'lists a line of authority more than once'),
      ),
    DOCUMENTED && {
      description: 'Codes of the lines of authority that the license should have.',
      examples: [['16']],
    },
  ),
  notes: described(
    multiline(z.string().check(z.minLength(1), z.maxLength(2_000))),
    DOCUMENTED && {
      description: 'Notes for the service.',
      examples: ['Needed before the binding date of April 1.'],
    },
  ),
};

const { type, licenseNumber, linesOfAuthority, notes } = licenseRequestFields;

/** An agency's request that the service obtain or renew a license. */
export const licenseRequest = described(
  compiledObject({
    _id: objectId,
    downstreamEntityId: objectId,
    type,
    stateCode,
    npn,
    licenseNumber: z.nullable(licenseNumber),
    linesOfAuthority,
    notes: z.nullable(notes),
    status: z.enum(licenseRequestStatuses),
    statusHistory: described(
      z.array(z.object({ status: z.enum(licenseRequestStatuses), at: timestamp })),
      DOCUMENTED && { description: 'Status history of the request, oldest first.' },
    ),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'LicenseRequest',
    description:
      'A request to obtain or renew a license: `submitted`, then `in review`, then `approved` or `rejected`. Until it is decided, it can be `cancelled`.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f920',
        downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
        type: 'renewal',
        stateCode: 'TX',
        npn: '17654321',
        licenseNumber: '1456789',
        linesOfAuthority: ['16'],
        notes: null,
        status: 'submitted',
        statusHistory: [{ status: 'submitted', at: '2026-03-01T14:05:09.123Z' }],
        createdAt: '2026-03-01T14:05:09.123Z',
        updatedAt: '2026-03-01T14:05:09.123Z',
      },
    ],
  },
);

export type LicenseRequest = z.output<typeof licenseRequest>;
