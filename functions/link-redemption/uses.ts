import type { FunctionUses } from '#function/uses.ts';
import { integrationTimeoutSeconds } from '#platform/aws/limits.ts';

/**
 * Uses of the function that redeems one-time links for the agencies' application, whose role may invoke it and none of the
 * operators' functions. It can make an association active and confirm its contact, and nothing else.
 */
export const uses = {
  // A person waits for it, as at the gateway.
  timeoutSeconds: integrationTimeoutSeconds,
  isAudited: true,
  linkSecret: true,
  tables: {
    associations: { items: ['GetItem', 'PutItem', 'UpdateItem'] },
    contacts: { items: ['GetItem', 'PutItem', 'ConditionCheckItem'] },
    downstreamEntities: { items: ['BatchGetItem'] },
    oneTimeLinks: { items: ['GetItem', 'PutItem', 'UpdateItem'] },
    organizations: { items: ['GetItem'] },
    outbox: { items: ['PutItem'] },
  },
} as const satisfies FunctionUses;
