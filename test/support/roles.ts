import type { SendToDestination } from '../../functions/webhook-delivery/destinations.ts';
import type { RoleSessions } from '../../shared/domain/webhooks/role-sessions.ts';

/** Roles of customers in memory, which may be assumed with the external ids that are theirs; null is none. */
export function memoryRoles(now: () => Date = () => new Date()) {
  const allowed = new Map<string, ReadonlySet<string | null>>();
  /** Every call: when, and with which external id. */
  const calls: { readonly roleArn: string; readonly externalId: string | undefined; readonly at: Date }[] =
    [];
  const roles: RoleSessions = {
    async assume(roleArn, externalId) {
      calls.push({ roleArn, externalId, at: now() });
      if (allowed.get(roleArn)?.has(externalId ?? null) !== true) {
        const message = 'User: arn:aws:sts::999988887777:assumed-role/own is not authorized';
        throw Object.assign(new Error(message), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
      }
      return { accessKeyId: `ASIA${calls.length}`, secretAccessKey: 'secret', sessionToken: 'token' };
    },
  };
  return {
    roles,
    calls,
    allow: (roleArn: string, ...externalIds: readonly (string | null)[]) =>
      allowed.set(roleArn, new Set(externalIds)),
    withdraw: (roleArn: string) => allowed.delete(roleArn),
  };
}

/** For workers whose webhooks have URLs. */
export const noDestination: SendToDestination = () =>
  Promise.reject(new Error('No webhook has a destination here.'));
