import { licenseItem, registryKeys } from '../../../shared/domain/registry-records/stored.ts';
import { licenseKind } from '../../../shared/domain/registry-records/versioned-kinds.ts';
import type { ImportDependencies, ImportType } from '../import-type.ts';
import { complianceRecordImport } from '../registry-records.ts';
import { licenseRecord } from './schema.ts';

/** Licenses of organizations of either kind. */
export const licenseImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  complianceRecordImport(dependencies, {
    type: 'license',
    record: licenseRecord,
    versioned: licenseKind,
    keyOf: registryKeys.license,
    itemOf: licenseItem,
  });
