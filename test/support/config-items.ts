import {
  complianceKeys,
  configEntryOf,
  configVersionItems,
  type StoredConfigHead,
  type StoredConfigVersion,
} from '../../shared/domain/compliance/stored.ts';

/** The items of a config that is recorded for the first time. */
export const newConfigItems = (upstream: string, version: StoredConfigVersion) => {
  const { productId, recordedAt, productName, productCode } = version;
  const head: StoredConfigHead = {
    productId,
    createdAt: recordedAt,
    updatedAt: recordedAt,
    deletions: [],
    revision: 1,
    present: { ...configEntryOf(version), productName, productCode },
    isFirst: true,
    nextFrom: null,
    recordedAt,
    recordedThatDay: 1,
  };
  return [
    { ...complianceKeys.config(upstream, productId), ...head },
    ...configVersionItems(upstream, version, version.validFrom),
  ] as const;
};
