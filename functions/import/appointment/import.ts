import { appointmentItem, registryKeys } from '../../../shared/domain/registry-records/stored.ts';
import { appointmentKind } from '../../../shared/domain/registry-records/versioned-kinds.ts';
import type { ImportDependencies, ImportType } from '../import-type.ts';
import { complianceRecordImport } from '../registry-records.ts';
import { appointmentRecord } from './schema.ts';

/** Appointments of organizations of either kind. */
export const appointmentImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  complianceRecordImport(dependencies, {
    type: 'appointment',
    record: appointmentRecord,
    versioned: appointmentKind,
    keyOf: registryKeys.appointment,
    itemOf: appointmentItem,
  });
