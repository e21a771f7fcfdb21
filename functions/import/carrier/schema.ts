import * as z from 'zod/mini';
import { carrier } from '../../../shared/domain/carriers/resource.ts';
import { commonFields } from '../common-fields.ts';

const { name, naicCode, groupName, domicileStateCode, status } = carrier.shape;

/** An insurer as the resource shows it. */
export const carrierRecord = z.strictObject({
  type: z.literal('carrier'),
  ...commonFields,
  name,
  naicCode,
  groupName: z._default(groupName, null),
  domicileStateCode: z._default(domicileStateCode, null),
  status: z._default(status, 'active'),
});

export type CarrierRecord = z.output<typeof carrierRecord>;
