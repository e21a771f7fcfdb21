import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { objectId, recordTimes, stateCode, textUpTo, timestamp } from '../../platform/contract/primitives.ts';
import { multiline } from '../../platform/contract/text.ts';
import { npn } from '../identifiers/npn.ts';

export const licenseRequestTypes = ['new', 'renewal'] as const;

/** In the order in which a request passes them; the last three are final. */
export const licenseRequestStatuses = ['submitted', 'in review', 'approved', 'rejected', 'canceled'] as const;

export type LicenseRequestStatus = (typeof licenseRequestStatuses)[number];

export const status = z.enum(licenseRequestStatuses);

/** What an agency says of a request itself. */
export const licenseRequestFields = fields(() => ({
  downstreamEntityId: objectId,
  type: z.enum(licenseRequestTypes),
  stateCode,
  npn,
  licenseNumber: textUpTo(100),
  linesOfAuthority: z.array(textUpTo(50)).check(
    z.maxLength(20),
    z.refine((codes) => new Set(codes).size === codes.length, 'lists a line of authority more than once'),
  ),
  notes: multiline(textUpTo(2_000)),
}));

/** An agency's request that the service obtain or renew a license. */
export const licenseRequest = object(() => ({
  _id: objectId,
  ...licenseRequestFields.shape,
  licenseNumber: z.nullable(licenseRequestFields.shape.licenseNumber),
  notes: z.nullable(licenseRequestFields.shape.notes),
  status,
  statusHistory: z.array(z.object({ status, at: timestamp })),
  ...recordTimes.shape,
}));

export type LicenseRequest = z.output<typeof licenseRequest>;
