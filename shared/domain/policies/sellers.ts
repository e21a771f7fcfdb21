import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';

/** Who sold a policy: stored with it, shown by its transactions. */
export const policySellers = object(() => ({
  /** The agents who were found or confirmed, each once. */
  agentIds: z.array(objectId),
  /** Whether an agent is named of whom nobody was found. */
  isUnknown: z.boolean(),
}));

export type PolicySellers = z.output<typeof policySellers>;
