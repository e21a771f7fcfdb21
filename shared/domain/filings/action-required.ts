import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId, stateCode } from '../../platform/contract/primitives.ts';
import { market } from '../associations/market.ts';
import { productName } from '../decision/compliance-config.ts';
import { npn } from '../identifiers/npn.ts';

export const actionTypes = [
  'open escalation',
  'license expiring',
  'license expired',
  'missing appointment',
] as const;

const pointer = z.nullable(objectId);

export const actionType = z.enum(actionTypes);

/** Something that an agency has to do. It is derived from other records and disappears when they show that it is done. */
export const actionRequired = object(() => ({
  _id: objectId,
  type: actionType,
  title: z.string(),
  downstreamEntityId: pointer,
  downstreamEntityIds: z.array(objectId),
  stateCode,
  dueDate: z.nullable(z.iso.date()),
  npn: z.nullable(npn),
  licenseNumber: z.nullable(z.string()),
  filingId: pointer,
  licenseRequestId: pointer,
  upstreamDownstreamAssociationId: pointer,
  branchName: market.shape.branchName,
  products: z.array(z.object({ productId: objectId, productName })),
}));

export type ActionRequired = z.output<typeof actionRequired>;
