import { licenseItem, registryKeys } from '../../../shared/registry-records/stored.ts';
import type { ImportDependencies, ImportType } from '../import-type.ts';
import { registryRecordImport } from '../registry-records.ts';
import { licenseRecord } from './schema.ts';

/** Licenses of organizations of either kind. */
export const licenseImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  registryRecordImport(dependencies, {
    type: 'license',
    record: licenseRecord,
    isOfCompliance: true,
    itemOf(record, { owner, registryDataSubscriptionId, at }) {
      const {
        type: _type,
        _id,
        upstreamEntityId: _owner,
        createdAt,
        updatedAt = at,
        isDeleted,
        ...own
      } = record;
      const values = { ...own, registryDataSubscriptionId, updatedAt };
      const key = registryKeys.license(owner, values);
      return { key, values: isDeleted === true ? values : licenseItem(owner, values) };
    },
  });
