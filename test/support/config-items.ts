import {
  complianceKeys,
  configEntryOf,
  configVersionItem,
  type StoredConfigHead,
  type StoredConfigVersion,
} from '#domain/compliance/stored.ts';

/** The items of a config that is recorded for the first time. */
export const newConfigItems = (upstream: string, version: StoredConfigVersion) => {
  const { productId, recordedAt } = version;
  const head: StoredConfigHead = {
    productId,
    createdAt: recordedAt,
    updatedAt: recordedAt,
    versions: [configEntryOf(version)],
    deletions: [],
    revision: 1,
  };
  return [
    { ...complianceKeys.config(upstream, productId), ...head },
    configVersionItem(upstream, version, version.validFrom),
  ] as const;
};
