import { configChanged, type InputEventItems } from '../../shared/domain/compliance/inputs-changed.ts';
import { repeatedStates } from '../../shared/domain/compliance/states.ts';
import type { ComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { invalid } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { complianceRoutes } from './routes.ts';
import type { ConfigReplacement } from './store.ts';

type Routes = typeof complianceRoutes.routes;

/** The configs of the caller's products. */
export const listComplianceConfigs: Operation<
  Routes['listComplianceConfigs'],
  { readonly complianceConfigs: ComplianceConfigs }
> = ({ identity }, { complianceConfigs }) => complianceConfigs.all(identity.organizationId);

/**
 * Replaces the requirements of a product, and has everyone's compliance checked again. The response is what was sent, so
 * nothing is read first.
 *
 * @throws ApiError `validation_error` for a state given more than once; `not_found` for a product without a config;
 *   `transient_transaction_error` when other requests keep replacing the same config.
 */
export const replaceComplianceConfig: Operation<
  Routes['replaceComplianceConfig'],
  { readonly events: InputEventItems; readonly replaceConfig: ConfigReplacement }
> = async ({ identity, params, body, now, recordResponse }, { events, replaceConfig }) => {
  const repeated = repeatedStates(body.states);
  if (repeated.length > 0) throw invalid(...repeated);
  const config = { productId: params.productId, ...body };
  const owner = identity.organizationId;
  await replaceConfig(owner, config, now, [
    ...events([configChanged(owner, config.productId)], now),
    ...recordResponse(config),
  ]);
  return config;
};
