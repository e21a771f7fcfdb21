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
import { jsonFault, jsonValue, parseInput, parseWritten } from '#platform/request/validation.ts';
import type { RecordedLicenses } from '../matching/decide.ts';
import type { RecordType } from '../record-schemas.ts';
import {
  acceptedOf,
  attempt,
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

/** An import, however many calls it takes. */
export interface ImportRun {
  readonly command: Omit<Recording, 'by'>;
  /** The transaction items that emit changes; none in a silent import. */
  readonly events: EventItems;
  readonly isSilent: boolean;
  readonly recordedLicenses: RecordedLicenses;
  readonly log: Log;
}

/** Dependencies of work on organizations' records. */
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

/** The import of one or more `type`s of record. */
export interface ImportType {
  readonly types: readonly [ImportedType, ...ImportedType[]];
  /**
   * Imports the valid lines and rejects the others.
   * @param organizationId owner of the records that don't name one.
   * @param isComplete whether the lines are all that there is of the holders, states, and kinds that they name.
   */
  importLines(
    lines: readonly ReadLine<unknown>[],
    organizationId: string | undefined,
    isComplete: boolean,
  ): Promise<void>;
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

/** Reads lines; those of which `read` says that they are not valid are rejected. */
export function readLines<Item, Given = unknown>(
  lines: readonly ReadLine<Given>[],
  read: (record: Given) => Item,
): ReadLine<Item>[] {
  return lines.flatMap((line) => {
    try {
      return [{ ...line, record: read(line.record) }];
    } catch (error) {
      line.reject(withValues(issuesOf(error), line.record));
      return [];
    }
  });
}

/** Categories of organization that records may belong to. */
type OwnerCategories = readonly [OrganizationCategory, ...OrganizationCategory[]];

const upstreamOnly: OwnerCategories = ['upstreamEntity'];

/** Owners of registry records, and of producers. */
export const ownersOfEitherKind: OwnerCategories = ['upstreamEntity', 'downstreamEntity'];

/** A record that may have an id and an owner. */
interface NamedRecord {
  readonly _id?: string | undefined;
  readonly upstreamEntityId?: string | undefined;
}

/** The import of records, of which those of one owner are imported together. */
interface RecordImport<Item, Owner> {
  readonly types: ImportType['types'];
  readonly record: z.core.$ZodType<Item>;
  /** Categories of their owners; by default upstream organizations alone. */
  readonly owners?: OwnerCategories;
  readonly importLines: (
    owner: Owner,
    lines: readonly ReadLine<Item>[],
    isComplete: boolean,
  ) => Promise<void>;
}

/**
 * Records of the organization that they name in `upstreamEntityId`, else of that of the import; without either, they are
 * nobody's.
 */
export const importedRecords = <Item extends NamedRecord>(
  organizations: Organizations,
  { types, record, owners = upstreamOnly, importLines }: RecordImport<Item, Organization | undefined>,
): ImportType => ({
  types,
  async importLines(givenLines, organizationId, isComplete) {
    const lines = readLines(givenLines, (given) => {
      const read = parseRecord(record, given);
      const { upstreamEntityId = organizationId } = read;
      if (organizationId !== undefined && upstreamEntityId !== organizationId)
        throw invalidAt('upstreamEntityId', 'is not the organization of the import');
      return read;
    });
    const ofOwners = Map.groupBy(lines, (line) => line.record.upstreamEntityId ?? organizationId);
    const foundOwners = new Map<string | undefined, Organization>();
    for (const [ownerId, ownedLines] of ofOwners) {
      const isNamed = ownedLines.some((line) => line.record.upstreamEntityId !== undefined);
      const categories = isNamed ? upstreamOnly : owners;
      await attempt(ownedLines, async () => {
        if (ownerId === undefined) return;
        const owner = await checkOrganization(organizations, 'organizationId', ownerId, ...categories);
        foundOwners.set(ownerId, owner);
      });
    }
    // Whose a rejected line is cannot be known: then none is complete, wherever it stands.
    const isWhole = isComplete && acceptedOf(givenLines).length === givenLines.length;
    for (const [ownerId, ownedLines] of ofOwners) {
      const accepted = acceptedOf(ownedLines);
      if (accepted.length > 0) await importLines(foundOwners.get(ownerId), accepted, isWhole);
    }
  },
});

/** Records that an organization owns; those without an owner are rejected. See `importedRecords`. */
export const ownedRecords = <Item extends NamedRecord>(
  organizations: Organizations,
  { importLines, ...kind }: RecordImport<Item, Organization>,
): ImportType =>
  importedRecords(organizations, {
    ...kind,
    async importLines(owner, lines, isComplete) {
      if (owner !== undefined) return importLines(owner, lines, isComplete);
      const message = 'is required: it owns the record';
      for (const { reject } of lines) reject([{ path: 'organizationId', message }]);
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
  const organization = await organizations.find(organizationId);
  if (organization === undefined || !categories.includes(organization.category)) {
    const kinds = categories.map((category) =>
      category === 'upstreamEntity' ? 'an upstream' : 'a downstream',
    );
    throw invalidAt(path, `${organizationId} is not ${kinds.join(' or ')} organization`);
  }
  return organization;
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
  /** Id of the import that a chunk after the first one continues, from the answer to the first one. */
  commandId: z.optional(textUpTo(100)),
  commandAt: z.optional(instant),
});

type ImportChunk = Omit<z.output<typeof importChunk>, 'emitEvents' | 'askedAt' | 'commandId' | 'commandAt'>;

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
  /** Id of the import, and the time when it began. */
  readonly commandId: string;
  readonly commandAt: string;
  /** Number of imported lines, including those that changed nothing. */
  readonly imported: number;
  /** Numbers of imported lines by type. */
  readonly importedByType: Readonly<Record<string, number>>;
  readonly rejected: readonly RejectedLine[];
  /** Ids by line. Licenses, appointments, and compliance configs have none. */
  readonly ids: readonly ImportedId[];
  /** Notes on imported lines, in their order, and then on several at once; left out where there are none. */
  readonly notes?: readonly LineNote[];
}

/** A note on an imported line, or on so many of them. */
interface LineNote extends Pick<Note, 'code' | 'message'> {
  /** Null for what is said of several. */
  readonly line: number | null;
  readonly count: number;
}

/** Notes on lines; counts come last. */
function summaryOf(notes: readonly (Note & { readonly line: number })[]): LineNote[] {
  const [countedNotes = [], ofLines = []] = [true, false].map((isCounted) =>
    notes.filter((note) => (note.isCounted ?? false) === isCounted),
  );
  const byContent = Map.groupBy(countedNotes, ({ code, message }) => JSON.stringify([code, message]));
  return [
    ...ofLines.map(({ line, code, message }) => ({ line, code, message, count: 1 })),
    ...Array.from(byContent.values(), (sameNotes) =>
      sameNotes
        .slice(0, 1)
        .map(({ code, message }) => ({ line: null, code, message, count: sameNotes.length })),
    ).flat(),
  ];
}

/** @param importTypes in the order of import: those that others refer to come first. */
export function createImportRecords(importTypes: readonly ImportType[]) {
  const typedRecord = z.looseObject({ type: z.enum(importTypes.flatMap(({ types }) => types)) });

  /**
   * Imports the valid lines and reports the others; importing the same lines twice changes nothing.
   */
  return async (
    { organizationId, firstLine, lines, lineNumbers, complete = false }: ImportChunk,
    { id: commandId, recordedAt: commandAt }: ImportRun['command'],
  ): Promise<ImportOutcome> => {
    // By the place of the line among these: a row of a table may be several, with one number.
    const rejects = new Map<number, RejectedLine>();
    const ids = new Map<number, string>();
    const matches = new Map<number, MatchStatuses>();
    const read: (ReadLine<z.output<typeof typedRecord>> & { readonly index: number })[] = [];
    /** Each once, though a line is imported again after a fault of another one. */
    const notes = new Map<string, Note & { readonly line: number }>();
    for (const [index, text] of lines.entries()) {
      const line = lineNumbers?.[index] ?? firstLine + index;
      if (text.trim() === '') continue;
      const reject = (issues: RejectedLine['issues']) => {
        if (!rejects.has(index)) rejects.set(index, { line, issues });
      };
      await attempt([{ reject }], () =>
        read.push({
          index,
          line,
          record: parseInput(typedRecord, parseLine(text)),
          identify: (id) => void ids.set(index, id),
          match: (statuses) => void matches.set(index, statuses),
          note: (note) => void notes.set(`${line} ${note.code} ${note.message}`, { line, ...note }),
          reject,
          isRejected: () => rejects.has(index),
        }),
      );
    }
    for (const importType of importTypes) {
      // In the order of the file, in which a record of one type may amend one of another.
      const typeLines = read.filter(({ record }) => importType.types.includes(record.type));
      if (typeLines.length === 0) continue;
      /**
       * Imports lines; where DynamoDB refuses what one of them says, or an item that one of them concerns can't be read, each line
       * by itself, so that this line alone is rejected. Of complete lines those of each holder are imported by themselves first: they
       * stay complete. What was imported before does not change again.
       */
      const importAll = async (someLines: typeof read, isComplete: boolean): Promise<void> => {
        try {
          await importType.importLines(someLines, organizationId, isComplete);
        } catch (error) {
          if (!isOfLine(error)) throw error;
          for (const { index } of someLines) rejects.delete(index);
          const [onlyLine, ...otherLines] = someLines;
          if (otherLines.length === 0) return onlyLine?.reject(issuesOfLine(error));
          const byHolder = Map.groupBy(someLines, ({ record, index }) => record['npn'] ?? index);
          if (isComplete && byHolder.size > 1)
            for (const lines of byHolder.values()) await importAll(lines, true);
          else for (const line of someLines) await importAll([line], false);
        }
      };
      await importAll(typeLines, complete && rejects.size === 0);
    }
    const rejected = Array.from(rejects.values()).sort((a, b) => a.line - b.line);
    const rejectedNumbers = new Set(rejected.map(({ line }) => line));
    const importedLines = read.filter(({ line }) => !rejectedNumbers.has(line));
    const importedNotes = Array.from(notes.values())
      .filter(({ line }) => !rejectedNumbers.has(line))
      .sort((a, b) => a.line - b.line);
    const byType = Array.from(Map.groupBy(importedLines, ({ record }) => record.type));
    return {
      imported: importedLines.length,
      importedByType: Object.fromEntries(byType.map(([type, typeLines]) => [type, typeLines.length])),
      rejected,
      ids: importedLines.flatMap(({ index, line, record: { type } }) => {
        const _id = ids.get(index);
        return _id === undefined ? [] : [{ line, type, _id }];
      }),
      ...(importedNotes.length === 0 ? {} : { notes: summaryOf(importedNotes) }),
      ...countParties(importedLines.flatMap(({ index }) => matches.get(index) ?? [])),
      commandId,
      commandAt,
    };
  };
}

/** The record of a line. @throws ApiError `validation_error` where it is not valid JSON. */
export function parseLine(text: string): unknown {
  try {
    return jsonValue(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidAt('', jsonFault(error));
  }
}
