import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { isoDate, objectId, stateCode, timestamp } from '../contract/primitives.ts';
import { npn } from './npn.ts';

const text = z.nullable(z.string());

/** An appointment as the registry reports it. Dates are ISO 8601. */
export const appointment = described(
  compiledObject({
    registryDataSubscriptionId: objectId,
    stateCode,
    carrierName: text,
    ein: text,
    companyCode: described(
      z.nullable(z.string()),
      DOCUMENTED && {
        description: 'NAIC company code of the carrier.',
        examples: ['19437'],
      },
    ),
    lineOfAuthorityName: text,
    lineOfAuthorityCode: text,
    status: described(
      z.string().check(z.minLength(1)),
      DOCUMENTED && { description: 'Status as spelled by the registry.', examples: ['active'] },
    ),
    npn,
    terminationReason: text,
    statusChangeDate: z.nullable(isoDate),
    renewalDate: z.nullable(isoDate),
    appointerStateCoId: text,
    countyName: text,
    updatedAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'Appointment',
    description: 'A carrier’s appointment of a producer or an agency, as the registry reports it.',
    examples: [
      {
        registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910',
        stateCode: 'TX',
        carrierName: 'Beacon Specialty Insurance Company',
        ein: '75-1234567',
        companyCode: '19437',
        lineOfAuthorityName: 'Casualty',
        lineOfAuthorityCode: '16',
        status: 'active',
        npn: '17654321',
        terminationReason: null,
        statusChangeDate: '2024-04-01',
        renewalDate: '2027-03-31',
        appointerStateCoId: '94370',
        countyName: null,
        updatedAt: '2026-06-01T09:00:00.000Z',
      },
    ],
  },
);

export type Appointment = z.output<typeof appointment>;
