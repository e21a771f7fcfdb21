import { createHash } from 'node:crypto';
import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Policy, PolicyTransaction } from '#domain/policies/resource.ts';
import { ApiError } from '#platform/contract/errors.ts';
import { timestamp } from '#platform/contract/primitives.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { stepsOf, valueAt } from '#platform/data/json.ts';
import { anyItem, parseIfStored, StoredItemError, storedItem } from '#platform/data/stored.ts';
import type { Key, Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { DomainError, type Issue } from '#platform/errors/domain-error.ts';
import { refusalOf } from '#platform/request/refusal.ts';

/** A line of an operator's file whose record was read. */
export interface ReadLine<Item> {
  /** Number in the file, from 1. */
  readonly line: number;
  readonly record: Item;
  /** Takes note of the id under which the record is stored; the operator gets it if the line is not rejected. */
  readonly identify: (id: string) => void;
  /** Takes note of what was found for a policy transaction; counted if the line is not rejected. */
  readonly match: (statuses: MatchStatuses) => void;
  /** Takes note of something about the line, though it is accepted; the operator gets it if the line is not rejected. */
  readonly note: (note: Note) => void;
  /** Rejects the line; of several issues the operator gets the first ones. */
  readonly reject: (issues: readonly Issue[]) => void;
  readonly isRejected: () => boolean;
}

/** The lines that are not rejected. */
export const acceptedOf = <Line extends Pick<ReadLine<unknown>, 'isRejected'>>(
  lines: readonly Line[],
): Line[] => lines.filter(({ isRejected }) => !isRejected());

/**
 * Does work for lines, which are rejected where it fails because of them.
 * @throws errors that are not about a line, see `issuesOf`, and those of one of several, which are to be imported by themselves.
 */
export async function attempt(
  lines: readonly Pick<ReadLine<unknown>, 'reject'>[],
  work: () => unknown,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (lines.length > 1 && isOfLine(error)) throw error;
    const issues = issuesOf(error);
    for (const { reject } of lines) reject(issues);
  }
}

/** The status of the agency of a policy transaction. */
export type MatchStatus = PolicyTransaction['entityMatchStatus'];

/** The statuses of a policy transaction's agency, of its agents, and of its policy's product. */
export interface MatchStatuses {
  readonly agencies: MatchStatus;
  readonly agents: MatchStatus;
  readonly products: Policy['productMatchStatus'];
}

/** Numbers of what was found, of what a person must decide, and of what was not found. */
export interface MatchCounts<Counted = number> {
  readonly matched: Counted;
  readonly review: Counted;
  readonly unmatched: Counted;
}

const reviewStatuses: readonly string[] = ['manual review', 'needs clarification'];

/** The count to which a status belongs. */
function countOf(status: MatchStatuses[keyof MatchStatuses]): keyof MatchCounts {
  if (reviewStatuses.includes(status)) return 'review';
  return status === 'unmatched' ? 'unmatched' : 'matched';
}

/** Counts statuses. */
export function countMatches(statuses: Iterable<MatchStatus>): MatchCounts {
  const counts = { matched: 0, review: 0, unmatched: 0 };
  for (const status of statuses) counts[countOf(status)] += 1;
  return counts;
}

/** Numbers of agencies, agents, and products of so many policy transactions. */
export type PartyCounts = MatchCounts<Readonly<Record<keyof MatchStatuses, number>>>;

/** Counts the statuses of transactions. */
export function countParties(statuses: readonly MatchStatuses[]): PartyCounts {
  const none = { agencies: 0, agents: 0, products: 0 };
  const counts = { matched: { ...none }, review: { ...none }, unmatched: { ...none } };
  for (const { agencies, agents, products } of statuses) {
    counts[countOf(agencies)].agencies += 1;
    counts[countOf(agents)].agents += 1;
    counts[countOf(products)].products += 1;
  }
  return counts;
}

/** A note for the operator about a line that was imported. */
export interface Note {
  readonly code: NoteCode;
  /** Text for people. */
  readonly message: string;
  /** Whether the notes that say the same are one, with the number of lines. */
  readonly isCounted?: boolean;
}

type NoteCode =
  | 'not_changed'
  | 'insured_differs'
  | 'looks_double'
  | 'end_unmatched'
  | 'deletion_unmatched'
  | 'rows_unreadable'
  | 'status_unrecognized'
  | 'class_unrecognized';

/** A fault of a line, with the value of the field, unless that is absent or a list. */
interface LineIssue extends Issue {
  readonly value?: string | number | boolean | null;
}

/** A line that was rejected, and why. */
export interface RejectedLine {
  readonly line: number;
  readonly issues: readonly LineIssue[];
}

/** Characters of a value in an issue. */
const longestValue = 100;

/** Accepted values in an issue: not every state. */
const mostAccepted = 50;

/** Issues of a record with the values that the fields have in it. */
export const withValues = (issues: readonly Issue[], record: unknown): LineIssue[] =>
  issues.map(({ accepted = [], ...issueFields }) => {
    const issue =
      accepted.length === 0 || accepted.length > mostAccepted ? issueFields : { ...issueFields, accepted };
    const value = issue.path === '' ? undefined : valueAt(record, stepsOf(issue.path));
    if (typeof value === 'string') return { ...issue, value: value.slice(0, longestValue) };
    return value === null || typeof value === 'number' || typeof value === 'boolean'
      ? { ...issue, value }
      : issue;
  });

/**
 * Imports lines one after another; those that can't be imported are rejected.
 *
 * @param importRecord returns the id under which the record is stored, if it has one.
 * @throws errors that are not about a line; see `issuesOf`.
 */
export async function importInOrder<Item>(
  lines: readonly ReadLine<Item>[],
  importRecord: (record: Item, line: ReadLine<Item>) => string | undefined | Promise<string | undefined>,
): Promise<void> {
  for (const line of lines) {
    await attempt([line], async () => {
      const id = await importRecord(line.record, line);
      if (id !== undefined) line.identify(id);
    });
  }
}

/** A fault of one line that shows only when it is written with others. */
export class LineFault extends ApiError {
  constructor(issue: Issue) {
    super('validation_error', { message: `${issue.path} ${issue.message}`, details: { issues: [issue] } });
  }
}

/** DynamoDB's objection to a key or an item, such as one that is too large; undefined for other errors. */
function objectionOf(error: unknown): string | undefined {
  if (!(error instanceof DynamoDBServiceException)) return undefined;
  if (error.name === 'ValidationException') return error.message;
  if (!(error instanceof TransactionCanceledException)) return undefined;
  return error.CancellationReasons?.find(({ Code }) => Code === 'ValidationError')?.Message;
}

/** Whether some line is the reason of an error, or an item that it concerns: without it, the others can be imported. */
export const isOfLine = (error: unknown): boolean =>
  error instanceof LineFault ||
  error instanceof StoredItemError ||
  (error instanceof DomainError && error.options.most !== undefined) ||
  objectionOf(error) !== undefined;

/** The issues of the line that is the reason of an error. */
export const issuesOfLine = (error: unknown): readonly Issue[] =>
  error instanceof StoredItemError ? [{ path: '', message: error.message }] : issuesOf(error);

/**
 * The issues of a line that can't be imported.
 * @throws errors that are not about the line: an unreachable database stops the whole chunk.
 */
export function issuesOf(error: unknown): readonly Issue[] {
  const objection = objectionOf(error);
  if (objection !== undefined) return [{ path: '', message: `cannot be stored: ${objection}` }];
  const refusal = refusalOf(error);
  if (refusal === undefined) throw error;
  return refusal.details?.issues ?? [{ path: '', message: refusal.message }];
}

/** Dependencies between the lines of a type, and the import of one line. */
interface ChainImport<Item> {
  /** Names that identify a record, and those of other records that it refers to. */
  readonly namesOf: (record: Item) => readonly string[];
  /** The keys under which one record alone can hold what this one claims; by default none. */
  readonly claimsOf?: (record: Item) => readonly Key[];
  /** The ids of the records that hold claims. */
  readonly readHolders?: (claims: readonly Key[]) => Promise<(claim: Key) => string | undefined>;
  /**
   * Returns the id under which the record is stored; called again where another writer came first.
   * @throws errors as `issuesOf` takes them.
   */
  readonly importRecord: (record: Item) => Promise<string>;
}

/**
 * Imports lines concurrently, but those in the order of the file that share a record or a claim, so that timing decides
 * nothing. A file may give what one of its lines gives up to another line, before or after it.
 */
export async function importChains<Item>(
  lines: readonly ReadLine<Item>[],
  {
    namesOf,
    claimsOf = () => [],
    readHolders = async () => () => undefined,
    importRecord,
  }: ChainImport<Item>,
): Promise<void> {
  const holderOf = await readHolders(lines.flatMap(({ record }) => claimsOf(record)));
  const allNames = (record: Item): string[] => [
    ...namesOf(record),
    ...claimsOf(record).flatMap((claim) => [`${claim.pk} ${claim.sk}`, holderOf(claim) ?? []].flat()),
  ];
  await concurrently(chainsOf(lines, allNames), (chain) => importChain(chain, importRecord));
}

/** The lines in chains, each in the order of the file; lines of different chains share no name. */
function chainsOf<Item>(
  lines: readonly ReadLine<Item>[],
  namesOf: (record: Item) => readonly string[],
): Set<readonly ReadLine<Item>[]> {
  interface Chain {
    readonly names: string[];
    readonly lines: ReadLine<Item>[];
  }
  const byName = new Map<string, Chain>();
  for (const line of lines) {
    const names = namesOf(line.record);
    const met = new Set(names.map((name) => byName.get(name)).filter((chain) => chain !== undefined));
    const [longest, ...otherChains] = [...met].sort((a, b) => b.lines.length - a.lines.length);
    const chain = longest ?? { names: [], lines: [] };
    for (const name of [...names, ...otherChains.flatMap((otherChain) => otherChain.names)]) {
      chain.names.push(name);
      byName.set(name, chain);
    }
    chain.lines.push(...otherChains.flatMap((otherChain) => otherChain.lines), line);
  }
  const chains = new Set(byName.values());
  return new Set(Array.from(chains, (chain) => chain.lines.sort((a, b) => a.line - b.line)));
}

/**
 * Imports the lines of a chain in order, and again from the first one that is refused as long as fewer of them are: a later line may
 * have given up what it claims, and later lines of its record amend it.
 */
async function importChain<Item>(
  chain: readonly ReadLine<Item>[],
  importRecord: ChainImport<Item>['importRecord'],
): Promise<void> {
  let lines = chain;
  let fewest = chain.length;
  for (;;) {
    const refusals = new Map<ReadLine<Item>, readonly Issue[]>();
    for (const line of lines) {
      try {
        line.identify(await retryOnConflict(() => importRecord(line.record)));
      } catch (error) {
        refusals.set(line, issuesOf(error));
      }
    }
    if (refusals.size === 0) return;
    if (refusals.size >= fewest) {
      for (const [{ reject }, issues] of refusals) reject(issues);
      return;
    }
    fewest = refusals.size;
    lines = lines.slice(lines.findIndex((line) => refusals.has(line)));
  }
}

/** Times of a record, and whether it is deleted, as its line says. */
type DatedRecord = Readonly<
  Partial<{ createdAt: string | undefined; updatedAt: string | undefined; isDeleted: boolean | undefined }>
>;

/** The times of a record: those of its line, else the stored record's, else the time of the import. */
export const timesOf = (
  line: Pick<DatedRecord, 'createdAt' | 'updatedAt'>,
  before: Pick<DatedRecord, 'createdAt'> | undefined,
  time: string,
) => ({ createdAt: line.createdAt ?? before?.createdAt ?? time, updatedAt: line.updatedAt ?? time });

/** The values that every stored record has. */
export const commonValuesOf = (
  line: DatedRecord,
  before: Pick<DatedRecord, 'createdAt'> | undefined,
  time: string,
) => ({
  isDeleted: line.isDeleted ?? false,
  ...timesOf(line, before, time),
});

/** Fields as a record says, else as they are stored, else blank: what a record leaves out stays as it is. */
export function keptFields<Fields extends object>(
  blank: Fields,
  before: Partial<Fields> | undefined,
  record: object,
): Fields {
  const saidBy = (one: object): Partial<Fields> =>
    Object.fromEntries(
      Object.entries(one).filter(([name, value]) => name in blank && value !== undefined),
    ) as Partial<Fields>;
  return { ...blank, ...saidBy(before ?? {}), ...saidBy(record) };
}

/** Identifies the content of a record: the same line of a file always has the same hash. */
export const hashOf = (record: object): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('hex');

/** A record as an earlier import left it. */
interface ImportedRecord {
  readonly recordHash?: string | undefined;
}

/** Whether a record is stored already. */
export const isStored = (record: object, before: ImportedRecord | undefined): boolean =>
  before?.recordHash === hashOf(record);

/** The state that an earlier import left; a record of other origin has no hash. */
const importedRecord = storedItem('imported-record', {
  pk: z.string(),
  sk: z.optional(z.string()),
  createdAt: z.optional(timestamp),
  recordHash: z.optional(z.string()),
});

/** A record as it will be stored, without the attributes of every imported item. */
interface RecordItem {
  readonly key: Key;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A record that will be stored, and the item that is stored now. */
interface ChangedRecord<Item> {
  readonly record: Item;
  readonly before: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Additions to a changed record: values that depend on what is stored, and further items of the transaction that writes it,
 * such as its events.
 */
type ChangeExtras<Item> = (
  change: ChangedRecord<Item>,
  time: Date,
) => Promise<{
  readonly values?: Readonly<Record<string, unknown>>;
  readonly items: readonly TransactionItem[];
}>;

/** The condition that no other import has written an item since it was read. */
export const unlessWritten = (before: { readonly recordHash?: string | undefined } | undefined) => ({
  recordHash: before?.recordHash,
});

/**
 * Stores records that are one item each. A record that is stored already is skipped; of several with one key the
 * last one counts. The `_id` of an item is that of its line. Rejected are lines that cannot be stored, also because other
 * imports of the same record were faster each time.
 *
 * @param extrasOf left out for an import that writes nothing but its records.
 */
export async function putRecords<Item extends DatedRecord>(
  table: Table,
  now: () => Date,
  lines: readonly ReadLine<Item>[],
  itemOf: (record: Item) => RecordItem,
  extrasOf?: ChangeExtras<Item>,
): Promise<void> {
  const last = new Map<string, RecordItem & { readonly line: ReadLine<Item> }>();
  for (const line of lines) {
    const item = itemOf(line.record);
    const { _id } = item.values;
    if (typeof _id === 'string') line.identify(_id);
    last.set(JSON.stringify(item.key), { line, ...item });
  }

  // What is written under a condition is read just before.
  const keys = Array.from(last.values(), ({ key }) => key);
  const knownItems = extrasOf === undefined && (await table.getByKey(anyItem, keys));

  await concurrently(last.values(), async ({ line, key, values }) => {
    const { record } = line;
    const write = async (): Promise<void> => {
      const storedFields = (knownItems || (await table.getByKey(anyItem, [key])))(key);
      const before = parseIfStored(importedRecord, storedFields);
      if (isStored(record, before)) return;
      const time = now();
      const further = await extrasOf?.({ record, before: storedFields }, time);
      const common = commonValuesOf(record, before, time.toISOString());
      const item = { ...key, ...values, ...further?.values, ...common, recordHash: hashOf(record) };
      if (further === undefined) await table.put(item);
      else await table.transact([table.items.put(item, unlessWritten(before)), ...further.items]);
    };
    await attempt([line], () => retryOnConflict(write));
  });
}
