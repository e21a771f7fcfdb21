import type { RegistryDataSubscription } from '../../shared/domain/registry-records/registry-data-subscription.ts';
import type { RegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import type { ComplianceOperation } from './deps.ts';

/**
 * A subscription with the state of its synchronization.
 * @throws ApiError `not_found` for an unknown or foreign subscription.
 */
export const getComplianceDataSubscription: ComplianceOperation<'getComplianceDataSubscription'> = async (
  { identity, params },
  { registryRecords },
) => {
  const found = await registryRecords.findSubscription(
    identity.organizationId,
    params.registryDataSubscriptionId,
  );
  if (found === undefined) throw notFound();
  return found;
};

/** The caller's subscriptions, or the one for an NPN. */
export const listComplianceDataSubscriptions: ComplianceOperation<'listComplianceDataSubscriptions'> = (
  { identity: { organizationId }, query: { npn } },
  { registryRecords },
) =>
  npn === undefined
    ? registryRecords.subscriptions(organizationId)
    : subscriptionOf(organizationId, npn, registryRecords);

async function* subscriptionOf(
  owner: string,
  npn: string,
  registryRecords: RegistryRecords,
): AsyncGenerator<RegistryDataSubscription[]> {
  yield [...(await registryRecords.subscriptionsOf(owner, [npn])).values()];
}
