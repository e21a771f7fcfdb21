import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { objectId, stateCode } from '../../platform/contract/primitives.ts';
import { naicCode } from '../identifiers/naic-code.ts';

export const carrierStatuses = ['active', 'inactive'] as const;

/** An insurer. */
export const carrier = described(
  compiledObject(() =>
    describedShape(
      {
        _id: objectId,
        name: z.string().check(z.minLength(1), z.maxLength(300)),
        naicCode,
        groupName: z.nullable(z.string()),
        domicileStateCode: z.nullable(stateCode),
        status: z.enum(carrierStatuses),
      },
      DOCUMENTED && {
        _id: 'Id of the carrier in this list; no other operation takes it.',
        name: {
          description: 'Legal name of the insurer.',
          examples: ['Beacon Specialty Insurance Company'],
        },
        naicCode: 'NAIC company code, the `companyCode` of the insurer’s appointments.',
        groupName: {
          description: 'Insurance group to which the insurer belongs; null if it is not recorded.',
          examples: ['Beacon Group'],
        },
        domicileStateCode: 'State in which the insurer is domiciled; null if it is not recorded.',
        status: {
          description: 'Whether the insurer is in business.',
          values: {
            active: 'The insurer writes policies.',
            inactive: 'The insurer no longer writes policies.',
          },
        },
      },
    ),
  ),
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
