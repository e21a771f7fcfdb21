import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import * as z from 'zod/mini';
import type { Recording } from '#domain/decision/records.ts';
import type { EventItems } from '#domain/events/transaction-items.ts';
import type { Tables, tables } from '#domain/tables.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { instant, isoDate, objectId, textUpTo } from '#platform/contract/primitives.ts';
import type { OrganizationCategory } from '#platform/contract/route.ts';
import { endOfNewYorkDate, newYorkDate } from '#platform/dates/dates.ts';
import type { Organization, Organizations } from '#platform/identity/organizations.ts';
import type { Log } from '#platform/log/log.ts';
import type { SendMessages } from '#platform/queue/send.ts';
import { jsonValue, parseInput, parseWritten } from '#platform/request/validation.ts';
import {
  countParties,
  isOfLine,
  issuesOf,
  issuesOfLine,
  type MatchStatuses,
  type Note,
  type PartyCounts,
  type ReadLine,
  type RejectedLine,
  withValues,
} from './lines.ts';
import type { RecordedLicenses } from './matching/decide.ts';
import type { RecordType } from './record-schemas.ts';

/** One import, however many calls it takes. */
export interface ImportRun {
  readonly command: Omit<Recording, 'by'>;
  /** The transaction items that emit changes; none in a silent import. */
  readonly events: EventItems;
  readonly isSilent: boolean;
  readonly recordedLicenses: RecordedLicenses;
  readonly log: Log;
}

/** What works on records of organizations. */
export interface RecordDependencies<Name extends keyof typeof tables> {
  readonly tables: Tables<Name>;
  readonly organizations: Organizations;
  readonly now: () => Date;
  /** Sends to the queue agency-moves. */
  readonly sendMoves: SendMessages;
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
   * @param isComplete whether the lines are all that there is of the holders, states, and kinds that they name.
   */
  importLines(
    lines: readonly ReadLine<unknown>[],
    organizationId: string | undefined,
    isComplete: boolean,
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
export function readLines<Item, Given = unknown>(
  lines: readonly ReadLine<Given>[],
  rejected: RejectedLine[],
  read: (line: ReadLine<Given>) => Item,
): ReadLine<Item>[] {
  return lines.flatMap((one) => {
    try {
      return [{ ...one, record: read(one) }];
    } catch (error) {
      rejected.push({ line: one.line, issues: withValues(issuesOf(error), one.record) });
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
      isComplete: boolean,
    ) => Promise<readonly RejectedLine[]>;
  },
): ImportType => ({
  types: kind.types,
  async importLines(lines, organizationId, isComplete) {
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
    const owners = Map.groupBy(read, ({ record }) => record.upstreamEntityId ?? organizationId ?? '');
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
      rejected.push(...(await kind.importLines(owner, owned, isComplete && rejected.length === 0)));
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

/** A chunk of an operator's NDJSON file. */
export const importChunk = z.strictObject({
  /** Owner of the records that name none. */
  organizationId: z.optional(objectId),
  /** Number of the first of `lines` in the file, from 1. */
  firstLine: z.int().check(z.gte(1)),
  lines: z.array(z.string()),
  /** The number of each of them in the file; left out where they follow each other there. */
  lineNumbers: z.optional(z.array(z.int().check(z.gte(1)))),
  /** Whether the changes are sent to webhooks. */
  emitEvents: z.optional(z.boolean()),
  /** The day of the file, in New York at its end, or a time. */
  askedAt: z.optional(
    isoDate.check(
      z.describe('The day, or the time, of what the file says; by default now. Required for XML.'),
    ),
  ),
  /** Whether the lines are all that there is of the holders, states, and kinds of registry records that they name. */
  complete: z.optional(z.boolean()),
  /** Which import a chunk after the first one continues, as the answer to the first one says. */
  commandId: z.optional(textUpTo(100)),
  commandAt: z.optional(instant),
});

export type ImportChunk = Omit<
  z.output<typeof importChunk>,
  'emitEvents' | 'askedAt' | 'commandId' | 'commandAt'
>;

/**
 * The moment that a file is about: a date alone is the end of that day in New York, at the latest the moment of the command.
 * @throws ApiError `validation_error` for a time after that.
 */
export function momentOfFile(askedAt: string | undefined, commandAt: Date): Date {
  if (askedAt === undefined) return commandAt;
  const isDate = z.safeParse(z.iso.date(), askedAt).success;
  const moment = isDate ? endOfNewYorkDate(askedAt) : new Date(askedAt);
  const isToday = isDate && askedAt === newYorkDate(commandAt);
  if (moment > commandAt && !isToday) throw invalidAt('askedAt', 'is in the future');
  return moment < commandAt ? moment : commandAt;
}

/** An imported line whose record has an id, which the import gave it or which it had. */
interface ImportedId {
  readonly line: number;
  readonly type: string;
  readonly _id: string;
}

export interface ImportOutcome extends PartyCounts {
  /** Which import it was, and when that began. */
  readonly commandId: string;
  readonly commandAt: string;
  /** Number of imported lines, including those that changed nothing. */
  readonly imported: number;
  /** The same by type. */
  readonly importedByType: Readonly<Record<string, number>>;
  readonly rejected: readonly RejectedLine[];
  /** By line. Licenses, appointments, and compliance configs have no id. */
  readonly ids: readonly ImportedId[];
  /** Notes on imported lines, in their order, and then on several at once; left out where there are none. */
  readonly notes?: readonly LineNote[];
}

/** What is said of an imported line, or of so many of them. */
interface LineNote extends Pick<Note, 'code' | 'message'> {
  /** Null for what is said of several. */
  readonly line: number | null;
  readonly count: number;
}

/** Notes on lines; counts come last. */
function summaryOf(notes: readonly (Note & { readonly line: number })[]): LineNote[] {
  const [counted = [], ofLines = []] = [true, false].map((isCounted) =>
    notes.filter((note) => (note.isCounted ?? false) === isCounted),
  );
  const byContent = Map.groupBy(counted, ({ code, message }) => JSON.stringify([code, message]));
  return [
    ...ofLines.map(({ line, code, message }) => ({ line, code, message, count: 1 })),
    ...Array.from(byContent.values(), (some) =>
      some.slice(0, 1).map(({ code, message }) => ({ line: null, code, message, count: some.length })),
    ).flat(),
  ];
}

type ImportLines = (
  some: readonly ReadLine<unknown>[],
  isComplete: boolean,
) => Promise<readonly RejectedLine[]>;

/** @param importTypes in the order of import: those that others refer to come first. */
export function createImportRecords(importTypes: readonly ImportType[]) {
  const typed = z.looseObject({ type: z.enum(importTypes.flatMap(({ types }) => types)) });

  /**
   * Imports the valid lines and reports the others; importing the same lines twice changes nothing.
   */
  return async (
    { organizationId, firstLine, lines, lineNumbers, complete = false }: ImportChunk,
    { id: commandId, recordedAt: commandAt }: ImportRun['command'],
  ): Promise<ImportOutcome> => {
    const rejected: RejectedLine[] = [];
    const read: ReadLine<z.output<typeof typed>>[] = [];
    const idByLine = new Map<number, string>();
    const matchByLine = new Map<number, MatchStatuses>();
    /** Each once, though a line is imported again after a fault of another one. */
    const notes = new Map<string, Note & { readonly line: number }>();
    for (const [index, text] of lines.entries()) {
      const line = lineNumbers?.[index] ?? firstLine + index;
      if (text.trim() === '') continue;
      try {
        const record = parseInput(typed, parseLine(text));
        const note = (one: Note) => void notes.set(`${line} ${one.code} ${one.message}`, { line, ...one });
        read.push({
          line,
          record,
          identify: (id) => void idByLine.set(line, id),
          match: (statuses) => void matchByLine.set(line, statuses),
          note,
        });
      } catch (error) {
        rejected.push({ line, issues: issuesOf(error) });
      }
    }
    for (const importType of importTypes) {
      // In the order of the file, in which a record of one type may amend one of another.
      const found = read.filter(({ record }) => importType.types.includes(record.type));
      if (found.length === 0) continue;
      const importLines: ImportLines = (some, isComplete) =>
        importType.importLines(some, organizationId, isComplete);
      rejected.push(...(await importAll(found, importLines, complete && rejected.length === 0)));
    }
    rejected.sort((a, b) => a.line - b.line);
    const rejectedLines = new Set(rejected.map(({ line }) => line));
    const imported = read.filter(({ line }) => !rejectedLines.has(line));
    const ofImported = Array.from(notes.values())
      .filter(({ line }) => !rejectedLines.has(line))
      .sort((one, other) => one.line - other.line);
    const byType = Array.from(Map.groupBy(imported, ({ record }) => record.type));
    return {
      imported: imported.length,
      importedByType: Object.fromEntries(byType.map(([type, some]) => [type, some.length])),
      rejected,
      ids: imported.flatMap(({ line, record: { type } }) => {
        const _id = idByLine.get(line);
        return _id === undefined ? [] : [{ line, type, _id }];
      }),
      ...(ofImported.length === 0 ? {} : { notes: summaryOf(ofImported) }),
      ...countParties(imported.flatMap(({ line }) => matchByLine.get(line) ?? [])),
      commandId,
      commandAt,
    };
  };
}

/**
 * Imports lines; where DynamoDB refuses what one of them says, or an item that one of them concerns can't be read, each line by
 * itself, so that this line alone is rejected. What was imported before does not change again.
 */
async function importAll(
  lines: readonly ReadLine<unknown>[],
  importLines: ImportLines,
  isComplete: boolean,
): Promise<readonly RejectedLine[]> {
  try {
    return await importLines(lines, isComplete);
  } catch (error) {
    if (!isOfLine(error)) throw error;
    if (lines.length === 1) return lines.map(({ line }) => ({ line, issues: issuesOfLine(error) }));
    const rejected: RejectedLine[] = [];
    for (const one of lines) rejected.push(...(await importAll([one], importLines, false)));
    return rejected;
  }
}

/** The record of a line. @throws ApiError `validation_error` where it is not valid JSON. */
export function parseLine(text: string): unknown {
  try {
    return jsonValue(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // What the engine says of most faults has no position, but a part of the record.
    const faults: ParseError[] = [];
    parse(text, faults, { disallowComments: true });
    const [{ error: code, offset } = { error: undefined, offset: text.length }] = faults;
    const what = code === undefined ? '' : ` (${printParseErrorCode(code)})`;
    throw invalidAt('', `is not valid JSON at character ${offset + 1}${what}`);
  }
}
