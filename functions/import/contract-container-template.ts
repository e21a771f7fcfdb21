import { associationKeys } from '../../shared/domain/associations/stored.ts';
import { derivedObjectId } from '../../shared/platform/data/object-id.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from './import-type.ts';
import { putRecords } from './put-records.ts';
import { recordSchemas } from './record-schemas.ts';

/** Contract container templates; one without an id is identified by its name. */
export const contractContainerTemplateImport = ({
  tables: { associations: table },
  organizations,
  now,
}: ImportDependencies<'associations'>): ImportType =>
  ownedRecords(organizations, {
    types: ['contract-container-template'],
    record: recordSchemas['contract-container-template'],
    async importLines({ organizationId: owner }, lines) {
      return putRecords(table, now, lines, (record) => {
        const { type: _type, upstreamEntityId: _owner, ...values } = record;
        const _id = record._id ?? derivedObjectId(owner, 'contract-container-template', record.name);
        return { key: associationKeys.template(owner, _id), values: { ...values, _id } };
      });
    },
  });
