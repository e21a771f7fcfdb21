import { configChanged } from '../../../shared/domain/compliance/inputs-changed.ts';
import { repeatedStates } from '../../../shared/domain/compliance/states.ts';
import { complianceKeys } from '../../../shared/domain/compliance/stored.ts';
import { type ImportDependencies, type ImportType, ownedRecords } from '../import-type.ts';
import type { ReadLine, RejectedLine } from '../lines.ts';
import { type ChangedRecord, putRecords } from '../put-records.ts';
import { type ComplianceConfigRecord, complianceConfigRecord } from './schema.ts';

/** What carriers' products require of producers; a config is identified by its product. */
export const complianceConfigImport = ({
  client,
  tables: { compliance: table },
  organizations,
  now,
}: ImportDependencies<'compliance'>): ImportType =>
  ownedRecords(organizations, {
    types: ['compliance-config'],
    record: complianceConfigRecord,
    async importLines({ organizationId: owner }, lines, events) {
      const rejected: RejectedLine[] = [];
      const good: ReadLine<ComplianceConfigRecord>[] = [];
      for (const one of lines) {
        const issues = repeatedStates(one.record.states);
        if (issues.length === 0) good.push(one);
        else rejected.push({ line: one.line, issues });
      }
      const emission = events && {
        // Everyone's compliance is checked again, for any product.
        groupOf: () => owner,
        itemsFor: ({ record }: ChangedRecord<ComplianceConfigRecord>, at: Date) =>
          events([configChanged(owner, record.productId)], at),
      };
      const itemOf = (record: ComplianceConfigRecord) => {
        const { type: _type, _id, upstreamEntityId: _owner, ...values } = record;
        return { key: complianceKeys.config(owner, record.productId), values };
      };
      await putRecords(client, table, now, good, itemOf, emission);
      return rejected;
    },
  });
