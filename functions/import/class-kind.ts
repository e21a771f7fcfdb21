import { createRecordClassKind } from '../../shared/domain/compliance/class-kinds.ts';
import { classKindsChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { checkOrganization, type ImportDependencies, type ImportType, parseLines } from './import-type.ts';
import { importInOrder, type RejectedLine } from './lines.ts';
import { recordSchemas } from './record-schemas.ts';

/** Events of what is said for everybody that are written at once. */
const eventsAtOnce = 8;

/** What is said of classes of licenses, for an organization, or for everybody where neither the line nor the import names one. */
export const classKindImport = ({
  tables: { compliance: table },
  organizations,
  now,
  events,
  isSilent,
}: ImportDependencies<'compliance'>): ImportType => {
  const recordClassKind = createRecordClassKind(table);

  /** Also where nothing was recorded now, since an import that broke off before this is done again. */
  async function emitForEverybody(stateCode: Parameters<typeof classKindsChanged>[1]): Promise<void> {
    const carriers = (await organizations.all()).filter(({ category }) => category === 'upstreamEntity');
    await concurrently(carriers, eventsAtOnce, ({ organizationId }) =>
      table.transact(events([classKindsChanged(organizationId, stateCode)], now())),
    );
  }

  return {
    types: ['class-kind'],
    async importLines(lines, organizationId) {
      const rejected: RejectedLine[] = [];
      const read = parseLines(recordSchemas['class-kind'], lines, rejected);
      // One after another: of several lines of one class the last one counts.
      await importInOrder(read, rejected, async (record) => {
        const { upstreamEntityId, stateCode, classCode, className, kind, isDeleted } = record;
        const owner = upstreamEntityId ?? organizationId;
        if (owner !== (organizationId ?? owner))
          throw invalidAt('upstreamEntityId', 'is not the organization of the import');
        if (owner !== undefined)
          await checkOrganization(organizations, 'organizationId', owner, 'upstreamEntity');
        const said = { stateCode, classCode, className, kind: isDeleted === true ? null : kind };
        await recordClassKind(owner, said, { isSilent, now }, (at) =>
          owner === undefined ? [] : events([classKindsChanged(owner, stateCode)], at),
        );
        if (owner === undefined && !isSilent) await emitForEverybody(stateCode);
        return undefined;
      });
      return rejected;
    },
  };
};
