import type { NpnLookup } from '../../shared/domain/registry/npn-lookup.ts';
import { RegistryUnavailable } from '../../shared/domain/registry/registry.ts';
import { ApiError } from '../../shared/platform/contract/errors.ts';
import type { ComplianceOperation } from './function.ts';

/**
 * The registry's records of each NPN, requested concurrently (OpenAPI, "lookUpNpns").
 * @throws ApiError `service_unavailable` while the registry does not respond.
 */
export const lookUpNpns: ComplianceOperation<'lookUpNpns'> = async ({ body, identity }, { registry }) => {
  const lookUp = async (npn: string): Promise<NpnLookup> => {
    const entity = await registry.fetch(npn, identity.organizationId);
    return entity === undefined
      ? { npn, result: 'not found', name: null }
      : { npn, result: entity.kind, name: entity.name };
  };
  try {
    return await Promise.all(Array.from(new Set(body.npns), lookUp));
  } catch (error) {
    if (error instanceof RegistryUnavailable) throw new ApiError('service_unavailable', { cause: error });
    throw error;
  }
};
