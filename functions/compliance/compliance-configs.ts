import { configChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import { repeatedStates } from '../../shared/domain/compliance/states.ts';
import { invalid } from '../../shared/platform/contract/errors.ts';
import type { ComplianceOperation } from './function.ts';

/** The configs of the caller's products, as they are in force now. */
export const listComplianceConfigs: ComplianceOperation<'listComplianceConfigs'> = async function* (
  { identity, now },
  { complianceConfigs },
) {
  const configs = await complianceConfigs.listed(identity.organizationId, now);
  yield configs.map(({ versions: _versions, ...config }) => config);
};

/**
 * Records what a product requires from a day on, and has everyone's compliance checked again where it requires that now.
 *
 * @throws ApiError `validation_error` for a state given more than once, or a `validFrom` more than a year ahead; `not_found`
 *   for a product without a config; `transient_transaction_error` when other requests keep replacing the same config.
 */
export const replaceComplianceConfig: ComplianceOperation<'replaceComplianceConfig'> = async (
  { identity, params, body, now, recordResponse },
  { events, recordConfig },
) => {
  const repeated = repeatedStates(body.states);
  if (repeated.length > 0) throw invalid(...repeated);
  const owner = identity.organizationId;
  const { productId } = params;
  const change = { config: { productId, ...body }, isSilent: false, mustExist: true };
  return recordConfig(owner, change, now, (config, isChangedNow) => [
    ...(isChangedNow ? events([configChanged(owner, productId)], now) : []),
    ...recordResponse(config),
  ]);
};
