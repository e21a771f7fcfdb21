import {
  actionItem,
  registryKeys,
  regulatoryActionIdOf,
} from '../../../shared/domain/registry-records/stored.ts';
import type { ImportDependencies, ImportType } from '../import-type.ts';
import { registryRecordImport } from '../registry-records.ts';
import { regulatoryActionRecord } from './schema.ts';

/** Regulatory actions of organizations of either kind; the daily reconciliation alone emits events of them. */
export const regulatoryActionImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  registryRecordImport(dependencies, {
    type: 'regulatory-action',
    record: regulatoryActionRecord,
    itemOf(record, { owner, registryDataSubscriptionId, at }) {
      const { type: _type, upstreamEntityId: _owner, isDeleted: _deleted, ...own } = record;
      const { _id = regulatoryActionIdOf(owner, own), createdAt = at, updatedAt = at } = own;
      const values = { ...own, _id, createdAt, updatedAt, registryDataSubscriptionId };
      return { key: registryKeys.action(owner, values), values: actionItem(owner, values) };
    },
  });
