import { createRecordClassKind } from '../../shared/domain/compliance/class-kinds.ts';
import { classKindsChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { checkOrganization, type ImportDependencies, type ImportType, parseLines } from './import-type.ts';
import { importInOrder, type RejectedLine } from './lines.ts';
import { recordSchemas } from './record-schemas.ts';

/** What is said of classes of licenses, for an organization, or for everybody where neither the line nor the import names one. */
export const classKindImport = ({
  tables: { compliance: table },
  organizations,
  now,
  events,
  isSilent,
}: ImportDependencies<'compliance'>): ImportType => {
  const recordClassKind = createRecordClassKind(table);
  return {
    types: ['class-kind'],
    async importLines(lines, organizationId) {
      const rejected: RejectedLine[] = [];
      const read = parseLines(recordSchemas['class-kind'], lines, rejected);
      // One after another: of several lines of one class the last one counts.
      await importInOrder(read, rejected, async ({ type: _type, upstreamEntityId, ...said }) => {
        const owner = upstreamEntityId ?? organizationId;
        if (owner !== (organizationId ?? owner))
          throw invalidAt('upstreamEntityId', 'is not the organization of the import');
        if (owner !== undefined)
          await checkOrganization(organizations, 'organizationId', owner, 'upstreamEntity');
        else if (!isSilent)
          throw invalidAt(
            'organizationId',
            'is required where changes are sent: without it, the class counts for everybody',
          );
        await recordClassKind(owner, said, { isSilent, now }, (at) =>
          owner === undefined ? [] : events([classKindsChanged(owner, said.stateCode)], at),
        );
        return undefined;
      });
      return rejected;
    },
  };
};
