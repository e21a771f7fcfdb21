import type * as z from 'zod/mini';
import type { OrganizationCategory } from '../../../shared/contract/access.ts';
import { ApiError, invalid } from '../../../shared/contract/errors.ts';
import { parseInput } from '../../../shared/request/validation.ts';
import type { OrganizationAdministration } from '../organizations.ts';
import { groupBy, issuesOf, type ReadLine, type RejectedLine } from './lines.ts';

/** One or more `type`s of record that are taken in together. */
export interface ImportType {
  readonly types: readonly [string, ...string[]];
  /**
   * Takes in the good lines and answers the bad ones.
   * @param organizationId owner of the records that don't name one.
   */
  takeIn(
    lines: readonly ReadLine<unknown>[],
    organizationId: string | undefined,
  ): Promise<readonly RejectedLine[]>;
}

/** Parses lines; those that are no such record are added to `rejected`. */
function parseLines<Schema extends z.core.$ZodType>(
  schema: Schema,
  lines: readonly ReadLine<unknown>[],
  rejected: RejectedLine[],
): ReadLine<z.output<Schema>>[] {
  return lines.flatMap(({ line, record }) => {
    try {
      return [{ line, record: parseInput(schema, record) }];
    } catch (error) {
      rejected.push({ line, issues: issuesOf(error) });
      return [];
    }
  });
}

/** Records of the platform, which belong to no organization. */
export const platformRecords = <Schema extends z.core.$ZodType>(kind: {
  readonly types: ImportType['types'];
  readonly record: Schema;
  readonly takeIn: (lines: readonly ReadLine<z.output<Schema>>[]) => Promise<readonly RejectedLine[]>;
}): ImportType => ({
  types: kind.types,
  async takeIn(lines) {
    const rejected: RejectedLine[] = [];
    const read = parseLines(kind.record, lines, rejected);
    return read.length === 0 ? rejected : [...rejected, ...(await kind.takeIn(read))];
  },
});

/** Records of upstream organizations: the one they name in `upstreamEntityId`, else the one of the call. */
export const ownedRecords = <
  Schema extends z.core.$ZodType<{ readonly upstreamEntityId?: string | undefined }>,
>(
  organizations: OrganizationAdministration,
  kind: {
    readonly types: ImportType['types'];
    readonly record: Schema;
    readonly takeIn: (
      owner: string,
      lines: readonly ReadLine<z.output<Schema>>[],
    ) => Promise<readonly RejectedLine[]>;
  },
): ImportType => ({
  types: kind.types,
  async takeIn(lines, organizationId) {
    const rejected: RejectedLine[] = [];
    const owners = groupBy(
      parseLines(kind.record, lines, rejected),
      ({ record }) => record.upstreamEntityId ?? organizationId ?? '',
    );
    for (const [owner, owned] of owners) {
      try {
        if (owner === '') throw invalid({ path: 'organizationId', message: 'is needed to know the owner' });
        await checkOrganization(organizations, 'organizationId', owner, 'upstreamEntity');
      } catch (error) {
        const issues = issuesOf(error);
        rejected.push(...owned.map(({ line }) => ({ line, issues })));
        continue;
      }
      rejected.push(...(await kind.takeIn(owner, owned)));
    }
    return rejected;
  },
});

/** @throws ApiError `validation_error` naming the field when the organization is unknown or of another category. */
export async function checkOrganization(
  organizations: OrganizationAdministration,
  path: string,
  organizationId: string,
  category: OrganizationCategory,
): Promise<void> {
  const found = await organizations.read(organizationId).catch((error: unknown) => {
    if (error instanceof ApiError && error.errorType === 'not_found') return undefined;
    throw error;
  });
  if (found?.category !== category) {
    const kind = category === 'upstreamEntity' ? 'an upstream' : 'a downstream';
    throw invalid({ path, message: `${organizationId} is not ${kind} organization` });
  }
}
