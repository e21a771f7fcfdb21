import * as z from 'zod/mini';
import { object, without } from '../../platform/contract/object.ts';
import { isoDate, objectId, stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { npn } from '../identifiers/npn.ts';

const text = z.nullable(z.string());

/** An appointment as the registry reports it. Dates are ISO 8601. */
export const appointment = storedItem(
  'registry-records/appointment',
  object(() => ({
    registryDataSubscriptionId: objectId,
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
    effectiveDate: z.nullable(isoDate),
    countyCode: text,
    updatedAt: timestamp,
  })),
);

export type Appointment = z.output<typeof appointment>;

/** An appointment as v1 has it. */
export const appointmentV1 = without(appointment, 'effectiveDate', 'countyCode');
