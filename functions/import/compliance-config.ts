import { configChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import { createRecordConfig } from '../../shared/domain/compliance/record-config.ts';
import { repeatedStates } from '../../shared/domain/compliance/states.ts';
import { largestConfig } from '../../shared/domain/decision/compliance-config.ts';
import { invalid, invalidAt } from '../../shared/platform/contract/errors.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from './import-type.ts';
import { importInOrder, type RejectedLine } from './lines.ts';
import { hashOf } from './record-hash.ts';
import { recordSchemas } from './record-schemas.ts';

/** What carriers' products require of producers; a config is identified by its product. */
export const complianceConfigImport = ({
  tables: { compliance: table },
  organizations,
  now,
  events,
  isSilent,
}: ImportDependencies<'compliance'>): ImportType => {
  const recordConfig = createRecordConfig(table);
  return ownedRecords(organizations, {
    types: ['compliance-config'],
    record: recordSchemas['compliance-config'],
    async importLines({ organizationId: owner }, lines) {
      const rejected: RejectedLine[] = [];
      // One after another: of several lines of one product the last one counts.
      await importInOrder(lines, rejected, async (record) => {
        const {
          type: _type,
          _id,
          upstreamEntityId: _owner,
          createdAt,
          updatedAt,
          isDeleted,
          ...config
        } = record;
        const issues = repeatedStates(config.states);
        if (issues.length > 0) throw invalid(...issues);
        if (Buffer.byteLength(JSON.stringify(config)) > largestConfig)
          throw invalidAt('', `has more than ${largestConfig} bytes`);
        const at = now();
        const change = {
          config,
          isDeleted,
          createdAt,
          updatedAt,
          isSilent,
          recordHash: hashOf(record),
          mustExist: false,
        };
        await recordConfig(owner, change, at, ({ productId }, isChangedNow) =>
          isChangedNow ? events([configChanged(owner, productId)], at) : [],
        );
        return undefined;
      });
      return rejected;
    },
  });
};
