import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { objectId, recordTimes, stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { multiline } from '../../platform/contract/text.ts';
import { downstreamEntityId } from '../identifiers/ids.ts';
import { npn } from '../identifiers/npn.ts';

export const licenseRequestTypes = ['new', 'renewal'] as const;

/** In the order in which a request passes them; the last three are final. */
export const licenseRequestStatuses = ['submitted', 'in review', 'approved', 'rejected', 'canceled'] as const;

export type LicenseRequestStatus = (typeof licenseRequestStatuses)[number];

const status = described(
  z.enum(licenseRequestStatuses),
  DOCUMENTED && {
    description: 'Progress of the request.',
    values: {
      submitted: 'Received; the service has not begun to work on it.',
      'in review': 'The service is working on it.',
      approved: 'The license was obtained or renewed. Final.',
      rejected: 'The license was not obtained or renewed. Final.',
      canceled: 'Withdrawn before it was decided. Final.',
    },
  },
);

/** What an agency says of a request itself. */
export const licenseRequestFields = lazily(() =>
  describedShape(
    {
      downstreamEntityId,
      type: z.enum(licenseRequestTypes),
      stateCode,
      npn,
      licenseNumber: z.string().check(z.minLength(1), z.maxLength(100)),
      linesOfAuthority: z.array(z.string().check(z.minLength(1), z.maxLength(50))).check(
        z.maxLength(20),
        z.refine((codes) => new Set(codes).size === codes.length, 'lists a line of authority more than once'),
      ),
      notes: multiline(z.string().check(z.minLength(1), z.maxLength(2_000))),
    },
    DOCUMENTED && {
      downstreamEntityId: 'Id of the organization’s entity that makes the request.',
      type: {
        description: 'What the service is to do.',
        values: { new: 'Obtain a license.', renewal: 'Renew the license in `licenseNumber`.' },
        examples: ['renewal'],
      },
      stateCode: 'State that is to issue or renew the license.',
      npn: 'NPN that the license is for: the entity’s, or that of one of its producers.',
      licenseNumber: {
        description: 'Number of the license to renew; there is none for a new license.',
        examples: ['1456789'],
      },
      linesOfAuthority: {
        description:
          'Codes of the lines of authority that the license should have, as the registry reports them.',
        examples: [['16']],
      },
      notes: {
        description: 'What else the service should know, in one or more lines.',
        examples: ['Needed before the binding date of April 1.'],
      },
    },
  ),
);

/** An agency's request that the service obtain or renew a license. */
export const licenseRequest = described(
  compiledObject(() => {
    const { type, licenseNumber, linesOfAuthority, notes } = licenseRequestFields();
    return {
      ...describedShape(
        {
          _id: objectId,
          downstreamEntityId: licenseRequestFields().downstreamEntityId,
          type,
          stateCode: licenseRequestFields().stateCode,
          npn: licenseRequestFields().npn,
          licenseNumber: z.nullable(licenseNumber),
          linesOfAuthority,
          notes: z.nullable(notes),
          status,
          statusHistory: z.array(
            z.object(
              describedShape(
                { status, at: timestamp },
                DOCUMENTED && { status: 'The status that it got.', at: 'When it got the status.' },
              ),
            ),
          ),
        },
        DOCUMENTED && {
          _id: 'Id of the request, `licenseRequestId` elsewhere.',
          licenseNumber: 'Number of the license to renew; null for a new license.',
          notes: 'What else the agency said; null if nothing.',
          statusHistory: 'Every status of the request with its time, oldest first.',
        },
      ),
      ...recordTimes(),
    };
  }),
  DOCUMENTED && {
    id: 'LicenseRequest',
    description:
      'A request to obtain or renew a license: `submitted`, then `in review`, then `approved` or `rejected`. Until it is decided, it can be `canceled`.',
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
