import { appointmentItem, registryKeys } from '../../../shared/registry-records/stored.ts';
import type { ImportDependencies, ImportType } from '../import-type.ts';
import { registryRecordImport } from '../registry-records.ts';
import { appointmentRecord } from './schema.ts';

/** Appointments of organizations of either kind. */
export const appointmentImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  registryRecordImport(dependencies, {
    type: 'appointment',
    record: appointmentRecord,
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
      const key = registryKeys.appointment(owner, values);
      return { key, values: isDeleted === true ? values : appointmentItem(owner, values) };
    },
  });
