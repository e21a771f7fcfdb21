import { licensingKeys, registrationIndexes } from '../../shared/domain/licensing/stored.ts';
import { derivedObjectId } from '../../shared/platform/data/object-id.ts';
import type { ImportDependencies, ImportType } from './import-type.ts';
import { recordsOfOwnEntities } from './own-entities.ts';
import { putRecords } from './put-records.ts';
import { recordSchemas } from './record-schemas.ts';

/**
 * Registrations of an agency's entities with states, which no registry reports; one without an id is identified by
 * its entity and state.
 */
export const corporateRegistrationImport = (
  dependencies: ImportDependencies<'licensing' | 'downstreamEntities'>,
): ImportType =>
  recordsOfOwnEntities(dependencies, {
    types: ['corporate-registration'],
    record: recordSchemas['corporate-registration'],
    async importLines({ good, ownerOf }) {
      const { tables, now } = dependencies;
      return putRecords(tables.licensing, now, good, (record) => {
        const owner = ownerOf(record);
        const {
          type: _,
          _id = derivedObjectId(owner, 'corporate-registration', record.downstreamEntityId, record.stateCode),
          ...fields
        } = record;
        const values = { ...fields, _id };
        return {
          key: licensingKeys.registration(owner, _id),
          values: { ...values, ...(record.isDeleted === true ? {} : registrationIndexes(owner, values)) },
        };
      });
    },
  });
