import { existing } from '../../shared/platform/contract/errors.ts';
import { ofReadable } from '../../shared/platform/data/left-out.ts';
import type { ComplianceOperation } from './function.ts';

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
      const found = await registryRecords.subscriptionsOf(organizationId, [npn]);
      yield ofReadable([npn], found.get).flatMap((subscription) => subscription ?? []);
    }
  };
