// The facts of a holder as they are stored: their items, their keys, and when the registry confirmed them.
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { objectId, stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { derivedObjectId } from '../../platform/data/keys.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import { linesRequired } from '../decision/compliance-config.ts';
import {
  type ActionFact,
  type Closing,
  type Fact,
  type HolderFacts,
  type ListKind,
  listKinds,
  type SaleFact,
  type Unread,
} from '../decision/facts.ts';
import type { ToRecord } from '../decision/record.ts';
import { naicCode } from '../identifiers/identifiers.ts';
import {
  type Appointment,
  appointment,
  license,
  type RegulatoryAction,
  regulatoryAction,
} from '../registry/resources.ts';
import { partitionOf } from './stored.ts';

/** What can record something. */
export const recorders = ['synchronization', 'reconciliation', 'import'] as const;

/** What recorded a fact, and whether silently. */
export interface Recorder {
  readonly by: (typeof recorders)[number];
  /** Whether it is to send no events: an import without them, or the first poll that one causes. */
  readonly isSilent: boolean;
}

const recording = fields(() => ({
  stateCode,
  commandId: z.string(),
  commandAt: z.string(),
  recordedAt: z.string(),
  by: z.enum(recorders),
  isSilent: z.boolean(),
}));

const factOf = <Row extends z.core.$ZodType>(row: Row) =>
  object(() => ({
    ...recording.shape,
    key: z.string(),
    what: z.enum(['stated', 'left out', 'retracted']),
    rows: z._default(z.array(row), []),
    validFrom: z._default(z.nullable(z.string()), null),
  }));

const prefix = 'FACT#';

/** A license as its facts hold it. */
const recordedLicense = object(() => ({
  ...license.shape,
  /** Since when it is known, where an import says so. */
  createdAt: z.optional(z.string()),
}));

export type RecordedLicense = z.output<typeof recordedLicense>;

export const licenseFact = storedItem('registry-records/license-fact', factOf(recordedLicense));

export const appointmentFact = storedItem('registry-records/appointment-fact', factOf(appointment));

export const closing = storedItem(
  'registry-records/closing',
  object(() => ({ ...recording.shape, kind: z.enum(listKinds) })),
);

const unknownText = z._default(z.nullable(z.string()), null);

/** What was understood of a row that is set aside. Its state may be none of ours. */
export const unreadFact = storedItem(
  'registry-records/unread-fact',
  object(() => ({
    ...recording.shape,
    stateCode: z.string(),
    kind: z.enum(listKinds),
    /** Of a license. */
    isLive: z._default(z.boolean(), false),
    licenseNumber: unknownText,
    licenseClassCode: unknownText,
    licenseClassName: unknownText,
    /** Of an appointment. */
    companyCode: unknownText,
    ein: unknownText,
    carrierName: unknownText,
  })),
);

/** Times by state, and for `all` others; null: never. */
const timesByState = () => z.record(z.string(), z.nullable(timestamp));

/** What visits of the registry and complete imports say of a holder as a whole. */
const visitsItem = storedItem(
  'registry-records/visits',
  object(() => ({
    /** When the lists of each kind were confirmed last. */
    verified: object(() => ({ license: timesByState(), appointment: timesByState() })),
    /** Whether the registry found the NPN when it was asked last. */
    isFound: z.boolean(),
    /** The visits at which it no longer did, the last ones. */
    notFound: z.array(
      object(() => ({
        commandId: z.string(),
        commandAt: z.string(),
        recordedAt: z.string(),
        by: z.enum(recorders),
      })),
    ),
  })),
);

export type Visits = z.output<typeof visitsItem>;

export const noVisits: Visits = { verified: { license: {}, appointment: {} }, isFound: true, notFound: [] };

/** Visits of a holder that did not find who was found before, that are remembered. */
export const mostNotFound = 20;

/** A version of a regulatory action. */
export const actionFact = storedItem(
  'registry-records/action-fact',
  object(() => ({
    ...recording.shape,
    actionId: z.string(),
    what: z.enum(['stated', 'retracted']),
    /** Absent where it was retracted. */
    action: z.optional(regulatoryAction),
  })),
);

/** What an import said of a sale by a party, where the carrier appoints when it binds. */
export const saleFact = storedItem(
  'registry-records/sale-fact',
  object(() => ({
    ...recording.shape,
    transactionId: objectId,
    what: z.enum(['stated', 'retracted']),
    /** The day of sale, and what was asked of the party's appointments; absent where it was retracted. */
    day: z.optional(z.iso.date()),
    lines: z.optional(linesRequired()),
    /** Whether it changed no answer when it was recorded, since an appointment covered the party, or had ended for cause. */
    isLatent: z.optional(z.boolean()),
    carrierNaicCode: z.optional(naicCode),
  })),
);

type SaleFactItem = Omit<z.output<typeof saleFact>, 'stateCode'> & { readonly stateCode: string };

/** The item of such a fact: of one command, the last one counts. */
export const saleFactItem = (owner: string, npn: string, fact: SaleFactItem) => ({
  pk: partitionOf(owner, npn),
  sk: `${prefix}${fact.stateCode}#SALE#${fact.transactionId}#${fact.commandAt}#${fact.commandId}`,
  ...fact,
});

/** A version of a regulatory action that is to be recorded. */
export type ActionToRecord = ToRecord<
  | Exclude<ActionFact, { what: 'stated' }>
  | (Extract<ActionFact, { what: 'stated' }> & { readonly action: RegulatoryAction })
>;

type FactKind = 'LICENSE' | 'APPOINTMENT';

/** Two statements of one command about one key differ in their content. */
const contentOf = (fact: ToRecord<Fact<object>>): string =>
  hashOf(fact.what === 'stated' ? [fact.rows, fact.validFrom] : fact.what);

const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12);

/** Among all facts of a holder, and of no state. */
const visitsKey = `${prefix}VISITS`;

/** Whether an item is that of a holder's visits. */
export const isVisits = ({ sk }: Readonly<Record<string, unknown>>): boolean => sk === visitsKey;

export const factKeys = {
  fact: (owner: string, npn: string, kind: FactKind, fact: ToRecord<Fact<object>>) => ({
    pk: partitionOf(owner, npn),
    sk: `${factKeys.ofCommand(kind, fact)}${contentOf(fact)}`,
  }),
  /** What the sort keys of all facts begin with that a command recorded of what a fact speaks of. */
  ofCommand: (kind: FactKind, { stateCode: state, key, commandAt, commandId }: ToRecord<Fact<object>>) =>
    `${prefix}${state}#${kind}#${derivedObjectId(key)}#${commandAt}#${commandId}#`,
  closing: (
    owner: string,
    npn: string,
    { stateCode: state, kind, commandAt, commandId }: ToRecord<Closing>,
  ) => ({ pk: partitionOf(owner, npn), sk: `${prefix}${state}#CLOSED#${kind}#${commandAt}#${commandId}` }),
  unread: (
    owner: string,
    npn: string,
    { stateCode: state, commandAt, commandId, ...row }: ToRecord<Unread>,
  ) => ({
    pk: partitionOf(owner, npn),
    sk: `${prefix}${state}#UNREAD#${commandAt}#${commandId}#${hashOf(row)}`,
  }),
  visits: (owner: string, npn: string) => ({ pk: partitionOf(owner, npn), sk: visitsKey }),
  action: (
    owner: string,
    npn: string,
    { stateCode: state, actionId, commandAt, commandId }: ActionToRecord,
  ) => ({
    pk: partitionOf(owner, npn),
    sk: `${prefix}${state}#ACTION#${actionId}#${commandAt}#${commandId}`,
  }),
  /** All facts, in one state if one is given, with the closings of lists. */
  ofNpn: (owner: string, npn: string, state?: string) => ({
    pk: partitionOf(owner, npn),
    skPrefix: state === undefined ? prefix : factKeys.inState(state),
  }),
  /** What the sort keys of all facts of a state begin with. */
  inState: (state: string): string => `${prefix}${state}#`,
  home: (owner: string, npn: string) => ({ pk: partitionOf(owner, npn), sk: 'HOME' }),
};

/** What follows the state in the sort key of a fact. */
const kinds = ['LICENSE', 'APPOINTMENT', 'CLOSED', 'ACTION', 'UNREAD', 'SALE'] as const;

/** What the sort key of an item is of, if the item is a fact. */
export function kindOf(sk: string): (typeof kinds)[number] | undefined {
  const [first, , kind] = sk.split('#', 3);
  return `${first}#` === prefix ? kinds.find((one) => one === kind) : undefined;
}

function factFrom<Row>({
  rows,
  validFrom,
  what,
  ...fact
}: Omit<z.output<typeof licenseFact>, 'rows'> & { readonly rows: readonly Row[] }): Fact<Row> {
  return what === 'stated' ? { ...fact, what, rows, validFrom } : { ...fact, what };
}

function actionFrom({ what, action, ...fact }: z.output<typeof actionFact>): ActionFact {
  if (what === 'retracted') return { ...fact, what };
  if (action === undefined) throw new Error(`The statement of the action ${fact.actionId} has none.`);
  return { ...fact, what, action };
}

function saleFrom({ what, day, lines, ...fact }: z.output<typeof saleFact>): SaleFact {
  if (what === 'retracted') return { ...fact, what };
  if (day === undefined || lines === undefined) {
    throw new Error(
      `The statement of the sale ${fact.transactionId} has no day, or does not say what was asked.`,
    );
  }
  return { ...fact, what, day, lines };
}

/** That something was recorded at a time. */
export interface RecordingTime extends Pick<Recorder, 'isSilent'> {
  readonly recordedAt: string;
}

/** The facts of a holder, with when they were recorded and whether that is to send events, in any order. */
export interface StoredFacts extends HolderFacts<RecordedLicense, Appointment> {
  readonly recordings: readonly RecordingTime[];
  readonly visits: Visits;
}

/** When the list of a kind in a state was last confirmed; null: never. */
const verifiedOf = ({ verified }: Visits, kind: ListKind, state: string): string | null =>
  verified[kind][state] ?? (state in verified[kind] ? null : (verified[kind]['all'] ?? null));

/** When the licenses and appointments of a state were last confirmed as a whole; null: one or the other never was. */
export function verifiedAtOf(visits: Visits, state: string): string | null {
  const [license = null, appointment = null] = listKinds.map((kind) => verifiedOf(visits, kind, state));
  return license === null || appointment === null ? null : license < appointment ? license : appointment;
}

/** A list of a state. */
interface StateList {
  readonly kind: ListKind;
  readonly stateCode: string;
}

/** The lists that nothing has confirmed since a time. */
export const notConfirmedSince = <List extends StateList>(
  visits: Visits,
  lists: readonly List[],
  time: string,
): List[] => lists.filter(({ kind, stateCode: state }) => (verifiedOf(visits, kind, state) ?? '') < time);

/** What is known of visits once lists are confirmed as of a time; undefined where there are none. */
export function visitsWith(
  visits: Visits,
  lists: readonly StateList[],
  time: string,
): (() => Visits) | undefined {
  if (lists.length === 0) return undefined;
  const verified = { ...visits.verified };
  for (const { kind, stateCode: state } of lists) verified[kind] = { ...verified[kind], [state]: time };
  return () => ({ ...visits, verified });
}

/**
 * The facts among the items of a holder.
 * @throws StoredItemError when one breaks its schema.
 */
export function factsAmong(items: Iterable<Readonly<Record<string, unknown>>>): StoredFacts {
  const licenses: Fact<RecordedLicense>[] = [];
  const appointments: Fact<Appointment>[] = [];
  const closings: Closing[] = [];
  const actions: ActionFact[] = [];
  const unread: Unread[] = [];
  const sales: SaleFact[] = [];
  const recordings: RecordingTime[] = [];
  let visits = noVisits;
  const recorded = <One extends RecordingTime>(one: One): One => {
    recordings.push({ recordedAt: one.recordedAt, isSilent: one.isSilent });
    return one;
  };
  for (const item of items) {
    const kind = kindOf(String(item['sk']));
    if (kind === 'LICENSE') licenses.push(factFrom(recorded(parseStored(licenseFact, item))));
    else if (kind === 'APPOINTMENT')
      appointments.push(factFrom(recorded(parseStored(appointmentFact, item))));
    else if (kind === 'ACTION') actions.push(actionFrom(recorded(parseStored(actionFact, item))));
    else if (kind === 'SALE') {
      const sale = parseStored(saleFact, item);
      sales.push(saleFrom(sale.isLatent === true ? sale : recorded(sale)));
    } else if (kind === 'CLOSED') closings.push(recorded(parseStored(closing, item)));
    else if (kind === 'UNREAD') {
      unread.push(recorded(parseStored(unreadFact, item)));
    } else if (isVisits(item)) visits = parseStored(visitsItem, item);
  }
  const { notFound } = visits;
  return { licenses, appointments, closings, actions, unread, notFound, sales, recordings, visits };
}
