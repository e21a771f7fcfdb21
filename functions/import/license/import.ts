import { recordImport } from '../../../shared/domain/decision/record.ts';
import type { ImportDependencies, ImportType } from '../import-type.ts';
import { importedRows, registryRecordImport } from '../registry-records.ts';
import { licenseRecord } from './schema.ts';

/** Licenses of organizations of either kind. */
export const licenseImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  registryRecordImport(dependencies, {
    type: 'license',
    record: licenseRecord,
    isJudged: true,
    changeOf: (lines, { facts }) => ({
      ...recordImport(facts, { licenses: importedRows(lines), appointments: [] }, lines.command),
      actions: [],
    }),
  });
