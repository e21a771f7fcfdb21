// Apart, since what checks are answered from and what receipts keep both have it.

import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { agentAuthority } from '../agents/resource.ts';
import { association } from '../associations/resource.ts';

/** An association of a party as it was; what a seller's other ones are is not asked. */
export const associationSource = object(() => ({
  downstreamEntityAssociationId: objectId,
  status: z.nullable(association.shape.status),
  isNpnRequired: z.nullable(z.boolean()),
}));

/** What the carrier itself says of a party, which has no history. */
export const ownWord = fields(() => ({
  authority: z.nullable(z.array(agentAuthority)),
  isArchived: z.nullable(z.boolean()),
  associations: z.array(associationSource),
}));

export type OwnWord = z.output<z.ZodMiniObject<typeof ownWord.shape>>;

/** Nobody to say something of. */
export const noWord: OwnWord = { authority: null, isArchived: null, associations: [] };
