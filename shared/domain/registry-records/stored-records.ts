// What is recorded of a holder as its items have it: statements, reports of the registry, and sales.
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import canonicalize from 'canonicalize';
import * as z from 'zod/mini';
import { KB } from '#platform/aws/limits.ts';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { between, startsWith } from '#platform/data/expressions.ts';
import { compare } from '#platform/data/keys.ts';
import {
  compiledObject,
  parseStored,
  StoredItemError,
  storedItem,
  storedSchema,
} from '#platform/data/stored.ts';
import { type CalendarDate, expiresAfterDays } from '#platform/dates/dates.ts';
import { linesRequired } from '../decision/compliance-config.ts';
import { type Coverage, firstSaidAt, type StateCoverage } from '../decision/coverage.ts';
import { never } from '../decision/dates.ts';
import { shownRows } from '../decision/held.ts';
import { rulesNumber } from '../decision/reasons.ts';
import {
  type HolderRecords,
  type RecordedReport,
  type RecordedStatement,
  type RecordKind,
  type RowOf,
  type RowsOfKinds,
  recordKinds,
  type SaleDay,
} from '../decision/records.ts';
import { naicCode } from '../identifiers/identifiers.ts';
import {
  type Appointment,
  appointment,
  license,
  type RegulatoryAction,
  regulatoryAction,
} from '../registry/resources.ts';
import { headOf, homeHeadsOf, type StateHead, stateOfHead } from './heads.ts';
import { partitionOf, registryPartitions } from './stored.ts';

/** The rows of what is recorded of a holder. */
export interface RecordedRows extends RowsOfKinds {
  readonly license: RecordedLicense;
  readonly appointment: Appointment;
  readonly 'regulatory action': RegulatoryAction;
}

export type RecordedRow = RowOf<RecordedRows>;

/** Coverage of a holder. */
export type HolderCoverage = Coverage<RecordedRows>;

/** The regulatory actions against a holder, each as it was stated last. */
export const actionsOf = (coverage: HolderCoverage): RegulatoryAction[] =>
  [...coverage.values()]
    .flatMap(({ actions }) => actions.map(({ row }) => row))
    .sort(
      (first, second) =>
        compare(first.stateCode, second.stateCode) || compare(first.actionId, second.actionId),
    );

/** An item as the table holds it. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** An item with its key. */
export type KeyedItem = StoredItem & { readonly pk: string; readonly sk: string };

/** Whether what is recorded is to send no events: an import without them, or the first visit that one causes. */
export interface Recorder {
  readonly isSilent: boolean;
}

const recording = z.object({
  id: z.string(),
  at: timestamp,
  recordedAt: timestamp,
  writtenAt: z.optional(timestamp),
});

const statementOf = <Kind extends RecordKind, Row extends z.core.$ZodLooseShape>(kind: Kind, row: Row) =>
  compiledObject({
    ...recording.shape,
    kind: z.literal(kind),
    by: z.enum(['registry', 'import']),
    stateCode: z.string(),
    isComplete: z.boolean(),
    isPartlyUnread: z.boolean(),
    rows: z.array(compiledObject({ ...row, isDeleted: z.optional(z.boolean()) })),
    repetitions: z.optional(z.array(z.object(recording.shape))),
  });

/** A license as statements have it. */
const recordedLicense = z.object({
  ...license.shape,
  /** Time since which it is known, where an import says so. */
  createdAt: z.optional(z.string()),
});

export type RecordedLicense = z.output<typeof recordedLicense>;

export const recordedStatement = storedSchema(
  'registry-records/statement',
  z.discriminatedUnion('kind', [
    statementOf('license', recordedLicense.shape),
    statementOf('appointment', appointment.shape),
    statementOf('regulatory action', regulatoryAction.shape),
  ]),
);

/** Reports that cover the same: a registry that is asked each night says so of most. */
const reportsAlike = z.object({
  isFound: z.boolean(),
  kinds: z.array(z.enum(recordKinds)),
  unread: z.array(z.object({ kind: z.enum(recordKinds), stateCode: z.nullable(z.string()) })),
  /** Without an id where that is the report's own moment, as of visits. */
  moments: z.array(
    compiledObject({
      id: z.optional(z.string()),
      at: z.string(),
      recordedAt: z.string(),
      writtenAt: z.optional(z.string()),
    }),
  ),
});

const storedReports = storedSchema('registry-records/reports', z.array(reportsAlike));

function packReports(reports: readonly RecordedReport[]): string | Uint8Array {
  const ofAlike = Map.groupBy(reports, ({ isFound, kinds, unread }) =>
    JSON.stringify([isFound, kinds, unread]),
  );
  return pack(
    [...ofAlike.values()].map((alike) => {
      const moments = alike.map(({ id, at, recordedAt, writtenAt }) => ({
        id: id === at ? undefined : id,
        at,
        recordedAt,
        writtenAt,
      }));
      return { isFound: alike[0]?.isFound, kinds: alike[0]?.kinds, unread: alike[0]?.unread, moments };
    }),
  );
}

const unpackReports = (packed: string | Uint8Array): RecordedReport[] =>
  parseStored(storedReports, unpack(packed)).flatMap(({ moments, ...alike }) =>
    moments.map(({ id, ...moment }) => ({ ...alike, ...moment, id: id ?? moment.at, by: 'registry' })),
  );

const storedSale = storedItem('registry-records/sale', {
  transactionId: objectId,
  stateCode: z.string(),
  day: z.iso.date(),
  lines: linesRequired(),
  carrierNaicCode: z.optional(naicCode),
  recordedAt: timestamp,
});

/** A sale with when it was recorded, which separates what was reported before from what it changed. */
type RecordedSale = SaleDay & { readonly recordedAt: string };

/** Everything recorded of a holder. */
export type StoredRecords = HolderRecords<RecordedRows, RecordedSale>;

/** Beginnings of the sort keys of statements, of sales, of heads, and of pieces of these. */
const [prefix, salePrefix, headPrefix, piecePrefix] = ['STATEMENT#', 'SALE#', 'HEAD#', 'PIECE#'];

const keyWords = {
  license: 'LICENSE',
  appointment: 'APPOINTMENT',
  'regulatory action': 'ACTION',
} as const satisfies Record<RecordKind, string>;

/** Sort key before all others of its partition: what a query reads after it is no older than its version says. */
const holderKey = '#HOLDER';

export const recordKeys = {
  statement: (
    owner: string,
    npn: string,
    { kind, stateCode, at, id }: Pick<RecordedStatement, 'kind' | 'stateCode' | 'at' | 'id'>,
  ) => ({ pk: partitionOf(owner, npn), sk: `${prefix}${stateCode}#${keyWords[kind]}#${at}#${id}` }),
  sale: (
    owner: string,
    npn: string,
    { stateCode, day, transactionId }: Pick<SaleDay, 'stateCode' | 'day' | 'transactionId'>,
  ) => ({ pk: partitionOf(owner, npn), sk: `${salePrefix}${stateCode}#${day}#${transactionId}` }),
  /** Head of a holder in a state. */
  head: (owner: string, npn: string, stateCode: string) => ({
    pk: partitionOf(owner, npn),
    sk: `${headPrefix}${stateCode}`,
  }),
  /** Item of a holder, whatever the state. */
  holder: (owner: string, npn: string) => ({ pk: partitionOf(owner, npn), sk: holderKey }),
};

/** The sort keys of all sales, and of these and all statements with their pieces. */
export const recordRanges = {
  sales: startsWith(salePrefix),
  all: between(`${piecePrefix}${prefix}`, `${prefix}~`),
};

/** The item of a sale by a party, where the carrier appoints when it binds. */
export const saleItem = (owner: string, npn: string, sale: RecordedSale): KeyedItem => ({
  ...recordKeys.sale(owner, npn, sale),
  ...sale,
});

/** Bytes of a text up to which it is stored as it is. */
const shortText = 4 * KB;

/** A value as a text, the same for the same value, compressed where it is long. */
export const pack = (value: unknown): string | Uint8Array => {
  const text = canonicalize(value) ?? '';
  return text.length <= shortText ? text : new Uint8Array(gzipSync(text));
};

export const packedValue = z.union([z.string(), z.instanceof(Uint8Array)]);

export const unpack = (value: string | Uint8Array): unknown =>
  JSON.parse(typeof value === 'string' ? value : gunzipSync(value).toString());

/** Bytes of content that an item has room for; what is longer is in pieces. */
const mostBytesOfContent = 300 * KB;

/** Days for which a piece is kept that no item names: it was written for one that was never recorded, or that was replaced. */
const pieceKeptDays = 2;

const piece = storedItem('registry-records/piece', {
  sk: z.string(),
  piece: z.instanceof(Uint8Array),
});

/** Time at which a piece that no item names is deleted. */
export const pieceExpiresAt = (now: Date) => expiresAfterDays(now, pieceKeptDays);

/** An item, and the pieces that it names where what it has does not fit into it. */
function packedItem(
  key: { readonly pk: string; readonly sk: string },
  fields: Readonly<Record<string, unknown>>,
  content: unknown,
): { readonly item: KeyedItem; readonly pieces: readonly KeyedItem[] } {
  const bytes = pack(content);
  if (typeof bytes === 'string' || bytes.length <= mostBytesOfContent)
    return { item: { ...key, ...fields, content: bytes }, pieces: [] };
  // The same content has the same names, and another one has others: a reader never mixes them.
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const pieces = Array.from({ length: Math.ceil(bytes.length / mostBytesOfContent) }, (_, index) => ({
    pk: key.pk,
    sk: `${piecePrefix}${key.sk}#${hash}#${String(index).padStart(4, '0')}`,
    piece: bytes.slice(index * mostBytesOfContent, (index + 1) * mostBytesOfContent),
  }));
  return { item: { ...key, ...fields, pieces: pieces.map(({ sk }) => sk) }, pieces };
}

/** The items of a statement. */
export const statementItems = (
  owner: string,
  npn: string,
  { rows, repetitions, ...statement }: RecordedStatement<RecordedRow>,
) => packedItem(recordKeys.statement(owner, npn, statement), statement, { rows, repetitions });

/** The items of what is known of a holder in a state, by the present rules. */
export const headItems = (
  owner: string,
  npn: string,
  stateCode: string,
  state: StateCoverage<RecordedRows>,
  today: CalendarDate,
) =>
  packedItem(
    recordKeys.head(owner, npn, stateCode),
    { stateCode, rules: rulesNumber, ...listedAppointments(owner, npn, stateCode, state, today) },
    headOf(state),
  );

/** Index attributes of a head in lists of appointments, with the number of each status. */
function listedAppointments(
  owner: string,
  npn: string,
  stateCode: string,
  { appointments }: StateCoverage<RecordedRows>,
  today: CalendarDate,
) {
  const counts: Record<string, number> = {};
  for (const holding of appointments) {
    for (const { status } of shownRows(holding, today)) counts[status] = (counts[status] ?? 0) + 1;
  }
  return Object.keys(counts).length === 0
    ? {}
    : { listKey: registryPartitions.appointments(owner), listSort: `${stateCode}#${npn}`, counts };
}

/** Attributes of a head in the index of heads with appointments. */
export const appointmentsOfHead = storedItem('registry-records/appointments-of-head', {
  pk: z.string(),
  listSort: z.string(),
  counts: z.record(z.string(), z.int()),
});

/** Fields of the item of a holder: the registry's reports, its resident licenses, and the states that have a head. */
export const holderFields = ({ reports, statements }: StoredRecords, coverage: HolderCoverage) => ({
  rules: rulesNumber,
  reports: packReports(reports),
  firstSaidAt: firstSaidAt(statements),
  home: pack(homeHeadsOf(coverage)),
  states: [...coverage.keys()].sort(compare),
});

const storedHolder = storedItem('registry-records/holder', {
  rules: z._default(z.int(), 0),
  reports: z.optional(packedValue),
  firstSaidAt: z._default(z.string(), never),
  home: z.optional(packedValue),
  states: z._default(z.array(z.string()), []),
  /** Whether it has sales that count for when an appointment is due. */
  isSeller: z._default(z.boolean(), false),
});

/** Reads the item of a holder; what is folded is undefined where other rules folded it. */
export function holderOf(item: StoredItem | undefined) {
  const { rules, reports, home, ...fields } = parseStored(storedHolder, item ?? {});
  const readHome = () => (home ? unpack(home) : []) as readonly StateHead<RecordedRows>[];
  return {
    ...fields,
    reports: reports === undefined ? [] : unpackReports(reports),
    home: rules === rulesNumber || item === undefined ? readHome : undefined,
  };
}

/** Whether the present rules folded what a head says. */
export const isOfPresentRules = (item: StoredItem): boolean => item['rules'] === rulesNumber;

/**
 * Reads the coverage that a head has.
 * @param pieces those that it names.
 * @throws StoredItemError when one is missing.
 */
export const stateOf = (item: StoredItem, pieces: ReadonlyMap<string, Uint8Array>) =>
  stateOfHead(contentOf(item, pieces) as StateHead<RecordedRows>);

/** The sort keys of the pieces that an item names. */
export const piecesOf = ({ pieces }: StoredItem): readonly string[] => (Array.isArray(pieces) ? pieces : []);

const isPiece = (item: StoredItem): boolean => 'piece' in item;

/** Whether items name pieces that are not among them. */
export function lacksPieces(items: readonly StoredItem[]): boolean {
  const sortKeys = new Set(items.map(({ sk }) => sk));
  return items.some((item) => piecesOf(item).some((sk) => !sortKeys.has(sk)));
}

const storedContent = storedItem('registry-records/content', { content: packedValue });

/** Content of an item, in itself or in pieces. */
function contentOf(item: StoredItem, pieces: ReadonlyMap<string, Uint8Array>): unknown {
  const names = piecesOf(item);
  const parts = names.map((sk) => {
    const part = pieces.get(sk);
    if (part === undefined) throw new StoredItemError(`The piece ${sk} is not stored.`);
    return part;
  });
  return unpack(names.length === 0 ? parseStored(storedContent, item).content : Buffer.concat(parts));
}

/** Pieces among items, by their sort keys. */
export const piecesAmong = (items: Iterable<StoredItem>): ReadonlyMap<string, Uint8Array> =>
  new Map(
    [...items].filter(isPiece).map((item) => {
      const { sk, piece: bytes } = parseStored(piece, item);
      return [sk, bytes];
    }),
  );

/** Sales among items. */
export const salesAmong = (items: Iterable<StoredItem>): RecordedSale[] =>
  [...items]
    .filter(({ sk }) => String(sk).startsWith(salePrefix))
    .map((item) => parseStored(storedSale, item));

/**
 * Reads the records among the items of a holder.
 * @throws StoredItemError when one breaks its schema.
 */
export function recordsAmong(items: readonly StoredItem[]): StoredRecords {
  const pieces = piecesAmong(items);
  const statements = items
    .filter(({ sk }) => String(sk).startsWith(prefix))
    .map((item) => parseStored(recordedStatement, { ...item, ...(contentOf(item, pieces) as object) }));
  const { reports } = holderOf(items.find(({ sk }) => sk === holderKey));
  return { statements, reports, sales: salesAmong(items) };
}
