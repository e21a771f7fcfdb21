import { recordImport } from '../../../shared/domain/decision/record.ts';
import type { ImportDependencies, ImportType } from '../import-type.ts';
import { importedRows, registryRecordImport } from '../registry-records.ts';
import { appointmentRecord } from './schema.ts';

/** Appointments of organizations of either kind. */
export const appointmentImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  registryRecordImport(dependencies, {
    type: 'appointment',
    record: appointmentRecord,
    isJudged: true,
    changeOf: (lines, { facts }) => ({
      ...recordImport(facts, { licenses: [], appointments: importedRows(lines) }, lines.command),
      actions: [],
    }),
  });
