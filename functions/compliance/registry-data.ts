import { RegistryUnavailable } from '#domain/registry/registry.ts';
import type { NpnLookup } from '#domain/registry/resources.ts';
import { ApiError, existing } from '#platform/contract/errors.ts';
import type { ComplianceOperation } from './function.ts';

/**
 * Looks up the holder of each NPN, as a visit of the last 24 hours found or as the registry says now, concurrently (OpenAPI,
 * "lookUpNpns").
 * @throws ApiError `rate_limit_exceeded` where the organization's questions of the day are used up; `service_unavailable` while the
 *   registry does not respond.
 */
export const lookUpNpns: ComplianceOperation<'lookUpNpns'> = async (
  { body, identity: { organizationId }, now },
  { registry, holdersOfVisits, questionBudget },
) => {
  const npns = [...new Set(body.npns)];
  const visitedHolders = await holdersOfVisits(npns, now);
  if (visitedHolders.size < npns.length) {
    await questionBudget.takeOrRefuse(organizationId, npns.length - visitedHolders.size);
  }
  const lookUp = async (npn: string): Promise<NpnLookup> => {
    const holder = visitedHolders.get(npn) ?? (await registry.fetch(npn, organizationId));
    return holder === undefined
      ? { npn, result: 'not found', name: null }
      : { npn, result: holder.kind, name: holder.name };
  };
  try {
    return await Promise.all(npns.map(lookUp));
  } catch (error) {
    if (error instanceof RegistryUnavailable) throw new ApiError('service_unavailable', { cause: error });
    throw error;
  }
};

/**
 * A subscription with the state of its synchronization.
 * @throws ApiError `not_found` for an unknown or foreign subscription.
 */
export const getComplianceDataSubscription: ComplianceOperation<'getComplianceDataSubscription'> = async (
  { identity, params },
  { registryRecords },
) =>
  existing(
    await registryRecords.findSubscription(identity.organizationId, params.registryDataSubscriptionId),
  );

/** The caller's subscriptions, or the one for an NPN. */
export const listComplianceDataSubscriptions: ComplianceOperation<'listComplianceDataSubscriptions'> =
  async function* ({ identity: { organizationId }, query: { npn } }, { registryRecords }) {
    if (npn === undefined) yield* registryRecords.subscriptions(organizationId);
    else {
      const byNpn = await registryRecords.subscriptionsOf(organizationId, [npn]);
      yield [byNpn.get(npn) ?? []].flat();
    }
  };
