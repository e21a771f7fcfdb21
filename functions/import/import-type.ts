import type * as z from 'zod/mini';
import type { Command } from '../../shared/domain/decision/record.ts';
import type { EventItems } from '../../shared/domain/events/transaction-items.ts';
import type { Tables, tables } from '../../shared/domain/tables.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import type { OrganizationCategory } from '../../shared/platform/contract/route.ts';
import { groupBy } from '../../shared/platform/data/grouping.ts';
import type { Organization, Organizations } from '../../shared/platform/identity/organizations.ts';
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
  /** Called where rows are set aside that were not, with the fields that cannot be read. */
  readonly onSetAside: (rows: number, faults: readonly string[]) => void;
}

/** What works on records of organizations. */
export interface RecordDependencies<Name extends keyof typeof tables> {
  readonly tables: Tables<Name>;
  readonly organizations: Organizations;
  readonly now: () => Date;
}

/** The dependencies of a type's import. */
export type ImportDependencies<Name extends keyof typeof tables> = RecordDependencies<Name> & ImportRun;

/** The `type` of a line: those that operators write, and that which their program makes of the registry's reports. */
type ImportedType = RecordType | 'registry-report';

/** One or more `type`s of record that are imported together. */
export interface ImportType {
  readonly types: readonly [ImportedType, ...ImportedType[]];
  /**
   * Imports the valid lines and returns the rejected ones.
   * @param organizationId owner of the records that don't name one.
   */
  importLines(
    lines: readonly ReadLine<unknown>[],
    organizationId: string | undefined,
  ): Promise<readonly RejectedLine[]>;
}

/**
 * Parses the record of a line.
 * @throws ApiError `validation_error` where it breaks the schema.
 */
export const parseRecord = <Schema extends z.core.$ZodType>(
  schema: Schema,
  record: unknown,
): z.output<Schema> =>
  // One unknown field is mostly in every line, and the fields of a type are described once (`import --describe`).
  parseWritten(schema, record, { areFieldsListed: false });

/** Parses lines; those that break the schema are added to `rejected`. */
export const parseLines = <Schema extends z.core.$ZodType>(
  schema: Schema,
  lines: readonly ReadLine<unknown>[],
  rejected: RejectedLine[],
): ReadLine<z.output<Schema>>[] => readLines(lines, rejected, ({ record }) => parseRecord(schema, record));

/** Reads lines; those of which `read` says that they are not valid are added to `rejected`. */
export function readLines<Line extends Pick<ReadLine<unknown>, 'line' | 'record'>, Item>(
  lines: readonly Line[],
  rejected: RejectedLine[],
  read: (line: Line) => Item,
): (Omit<Line, 'record'> & { readonly record: Item })[] {
  return lines.flatMap((one) => {
    try {
      return [{ ...one, record: read(one) }];
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
export const ownedRecords = <Item extends Named>(
  organizations: Organizations,
  kind: {
    readonly types: ImportType['types'];
    /** The schema of a record, or what reads it from its line. */
    readonly record: z.core.$ZodType<Item> | ((line: ReadLine<unknown>) => Item);
    readonly owners?: OwnerCategories;
    readonly importLines: (
      owner: Organization,
      lines: readonly ReadLine<Item>[],
    ) => Promise<readonly RejectedLine[]>;
  },
): ImportType => ({
  types: kind.types,
  async importLines(lines, organizationId) {
    const rejected: RejectedLine[] = [];
    const { record: schema } = kind;
    const all =
      typeof schema === 'function' ? readLines(lines, rejected, schema) : parseLines(schema, lines, rejected);
    const read = all.filter(({ line, record: { upstreamEntityId } }) => {
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
