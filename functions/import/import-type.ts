import type * as z from 'zod/mini';
import type { Command } from '../../shared/domain/decision/record.ts';
import type { EventItems } from '../../shared/domain/events/transaction-items.ts';
import type { Tables, tables } from '../../shared/domain/tables.ts';
import type { OrganizationCategory } from '../../shared/platform/contract/access.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import type { Organization } from '../../shared/platform/identity/organization.ts';
import type { Organizations } from '../../shared/platform/identity/organizations.ts';
import { parseWritten } from '../../shared/platform/request/validation.ts';
import { issuesOf, type ReadLine, type RejectedLine } from './lines.ts';
import { withHints } from './looks-wrong.ts';
import type { RecordType } from './record-schemas.ts';

/** One import, however many calls it takes. */
export interface ImportRun {
  readonly command: Command;
  /** The transaction items that emit changes; none in a silent import. */
  readonly events: EventItems;
  readonly isSilent: boolean;
}

/** What works on records of organizations. */
export interface RecordDependencies<Name extends keyof typeof tables> {
  readonly tables: Tables<Name>;
  readonly organizations: Organizations;
  readonly now: () => Date;
}

/** The dependencies of a type's import. */
export type ImportDependencies<Name extends keyof typeof tables> = RecordDependencies<Name> & ImportRun;

/** One or more `type`s of record that are imported together. */
export interface ImportType {
  readonly types: readonly [RecordType, ...RecordType[]];
  /**
   * Imports the valid lines and returns the rejected ones.
   * @param organizationId owner of the records that don't name one.
   */
  importLines(
    lines: readonly ReadLine<unknown>[],
    organizationId: string | undefined,
  ): Promise<readonly RejectedLine[]>;
}

/** Parses lines; those that break the schema are added to `rejected`. */
export function parseLines<Schema extends z.core.$ZodType>(
  schema: Schema,
  lines: readonly ReadLine<unknown>[],
  rejected: RejectedLine[],
): ReadLine<z.output<Schema>>[] {
  return lines.flatMap((one) => {
    try {
      // One unknown field is mostly in every line, and the fields of a type are described once (`import --describe`).
      return [{ ...one, record: parseWritten(schema, one.record, { areFieldsListed: false }) }];
    } catch (error) {
      rejected.push({ line: one.line, issues: withHints(issuesOf(error), one.record) });
      return [];
    }
  });
}

/** Categories of organization that records may belong to. */
type OwnerCategories = readonly [OrganizationCategory, ...OrganizationCategory[]];

const upstreamOnly: OwnerCategories = ['upstreamEntity'];

/** Owners of registry records, and of producers. */
export const ownersOfEitherKind: OwnerCategories = ['upstreamEntity', 'downstreamEntity'];

/** What a record may say of itself: its id, and whose it is. */
export interface Named {
  readonly _id?: string | undefined;
  readonly upstreamEntityId?: string | undefined;
}

/**
 * Records of organizations, of upstream ones unless `owners` says otherwise: the one they name in `upstreamEntityId`,
 * else the one of the call.
 */
export const ownedRecords = <Schema extends z.core.$ZodType<Named>>(
  organizations: Organizations,
  kind: {
    readonly types: ImportType['types'];
    /** A line as its schema is to check it. */
    readonly prepared?: (line: ReadLine<unknown>) => ReadLine<unknown>;
    readonly record: Schema;
    readonly owners?: OwnerCategories;
    readonly importLines: (
      owner: Organization,
      lines: readonly ReadLine<z.output<Schema>>[],
    ) => Promise<readonly RejectedLine[]>;
  },
): ImportType => ({
  types: kind.types,
  async importLines(lines, organizationId) {
    const rejected: RejectedLine[] = [];
    const given = kind.prepared === undefined ? lines : lines.map(kind.prepared);
    const read = parseLines(kind.record, given, rejected).filter(({ line, record: { upstreamEntityId } }) => {
      const isOther = organizationId !== undefined && (upstreamEntityId ?? organizationId) !== organizationId;
      const issues = [{ path: 'upstreamEntityId', message: 'is not the organization of the import' }];
      if (isOther) rejected.push({ line, issues });
      return !isOther;
    });
    const owners = groupBy(read, ({ record }) => record.upstreamEntityId ?? organizationId ?? '');
    for (const [ownerId, owned] of owners) {
      const isNamed = owned.some(({ record }) => record.upstreamEntityId !== undefined);
      let owner: Organization;
      try {
        if (ownerId === '') throw invalidAt('organizationId', 'is required: it owns the record');
        owner = await checkOrganization(
          organizations,
          'organizationId',
          ownerId,
          ...(isNamed ? upstreamOnly : (kind.owners ?? upstreamOnly)),
        );
      } catch (error) {
        const issues = issuesOf(error);
        rejected.push(...owned.map(({ line }) => ({ line, issues })));
        continue;
      }
      rejected.push(...(await kind.importLines(owner, owned)));
    }
    return rejected;
  },
});

/**
 * An organization, which must be of one of these categories.
 * @throws ApiError `validation_error` naming the field when the organization is unknown or of another category.
 */
export async function checkOrganization(
  organizations: Organizations,
  path: string,
  organizationId: string,
  ...categories: OwnerCategories
): Promise<Organization> {
  const found = await organizations.find(organizationId);
  if (found === undefined || !categories.includes(found.category)) {
    const kinds = categories.map((category) =>
      category === 'upstreamEntity' ? 'an upstream' : 'a downstream',
    );
    throw invalidAt(path, `${organizationId} is not ${kinds.join(' or ')} organization`);
  }
  return found;
}
