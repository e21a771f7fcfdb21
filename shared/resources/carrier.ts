import * as z from 'zod/mini';
import { objectId, stateCode } from '../contract/primitives.ts';

export const carrierStatuses = ['active', 'inactive'] as const;

/** An insurer (contract, "Endpoints"). */
export const carrier = z
  .object({
    _id: objectId,
    name: z.string().check(z.minLength(1), z.maxLength(300)),
    naicCode: z
      .string()
      .check(z.minLength(1), z.maxLength(20))
      .register(z.globalRegistry, { description: 'NAIC company code.', examples: ['19437'] }),
    groupName: z.nullable(z.string()),
    domicileStateCode: z.nullable(stateCode),
    status: z.enum(carrierStatuses),
  })
  .register(z.globalRegistry, { id: 'Carrier', description: 'An insurer.' });

export type Carrier = z.output<typeof carrier>;
