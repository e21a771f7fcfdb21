import {
  complianceKeys,
  type StoredConfigHead,
  type StoredConfigVersion,
} from '../../shared/domain/compliance/stored.ts';

/** The items of a config that is recorded for the first time. */
export const newConfigItems = (upstream: string, version: StoredConfigVersion) => {
  const { productId, recordedAt } = version;
  const head: StoredConfigHead = {
    productId,
    createdAt: recordedAt,
    updatedAt: recordedAt,
    deletions: [],
    revision: 1,
  };
  return [
    { ...complianceKeys.config(upstream, productId), ...head },
    { ...complianceKeys.configVersion(upstream, version), ...version },
  ] as const;
};
