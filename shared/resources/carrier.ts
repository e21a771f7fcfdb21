import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { objectId, stateCode } from '../contract/primitives.ts';
import { naicCode } from './naic-code.ts';

export const carrierStatuses = ['active', 'inactive'] as const;

/** An insurer. */
export const carrier = described(
  compiledObject({
    _id: objectId,
    name: described(
      z.string().check(z.minLength(1), z.maxLength(300)),
      DOCUMENTED && { examples: ['Beacon Specialty Insurance Company'] },
    ),
    naicCode,
    groupName: z.nullable(z.string()),
    domicileStateCode: z.nullable(stateCode),
    status: z.enum(carrierStatuses),
  }),
  DOCUMENTED && {
    id: 'Carrier',
    description: 'An insurer.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f9b1',
        name: 'Beacon Specialty Insurance Company',
        naicCode: '19437',
        groupName: 'Beacon Group',
        domicileStateCode: 'DE',
        status: 'active',
      },
    ],
  },
);

export type Carrier = z.output<typeof carrier>;
