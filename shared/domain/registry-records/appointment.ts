import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { isoDate, stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { registryDataSubscriptionId } from '../identifiers/ids.ts';
import { npn } from '../identifiers/npn.ts';

const text = z.nullable(z.string());

/** An appointment as the registry reports it. Dates are ISO 8601. */
export const appointment = storedItem(
  'registry-records/appointment',
  described(
    compiledObject(() =>
      describedShape(
        {
          registryDataSubscriptionId,
          stateCode,
          carrierName: text,
          ein: text,
          companyCode: text,
          lineOfAuthorityName: text,
          lineOfAuthorityCode: text,
          status: z.string().check(z.minLength(1)),
          npn,
          terminationReason: text,
          statusChangeDate: z.nullable(isoDate),
          renewalDate: z.nullable(isoDate),
          appointerStateCoId: text,
          countyName: text,
          updatedAt: timestamp,
        },
        DOCUMENTED && {
          stateCode: 'State in which the holder may sell for the carrier.',
          carrierName: {
            description: 'The carrier that appoints, as spelled by the registry; null if it is not reported.',
            examples: ['Beacon Specialty Insurance Company'],
          },
          ein: {
            description:
              'Employer Identification Number of the carrier, with or without the hyphen; null if it is not reported.',
            examples: ['75-1234567'],
          },
          companyCode: {
            description: 'NAIC company code of the carrier; null if it is not reported.',
            examples: ['19437'],
          },
          lineOfAuthorityName: {
            description: 'Line of authority that the appointment covers; null if it covers all lines.',
            examples: ['Casualty'],
          },
          lineOfAuthorityCode: {
            description:
              'Code of that line, as in `linesOfAuthority` of licenses and compliance configs; null if the appointment covers all lines.',
            examples: ['16'],
          },
          status: {
            description:
              'Status as spelled by the registry. `active` and `appointed`, in any case, are in force until another field ends them.',
            examples: ['active'],
          },
          npn: 'NPN of the producer or agency that is appointed.',
          terminationReason: {
            description:
              'Why the appointment ended; null while it has not. A reason ends it, whatever its status.',
            examples: ['Terminated by carrier'],
          },
          statusChangeDate:
            'When the status last changed, according to the registry; null if it is not reported.',
          renewalDate:
            'Last day on which the appointment is in force unless it is renewed, in New York; null if it does not end.',
          appointerStateCoId: {
            description: 'The state’s own number for the carrier; null if it is not reported.',
            examples: ['94370'],
          },
          countyName: {
            description: 'County of the appointment in a state that appoints by county; null otherwise.',
            examples: ['Travis'],
          },
          updatedAt: 'When the record last changed here, not at the registry.',
        },
      ),
    ),
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
  ),
);

export type Appointment = z.output<typeof appointment>;
