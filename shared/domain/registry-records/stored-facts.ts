import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { stateCode } from '../../platform/contract/primitives.ts';
import { derivedObjectId } from '../../platform/data/object-id.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import { type ActionFact, type Closing, type Fact, type HolderFacts, listKinds } from '../decision/facts.ts';
import type { ToRecord } from '../decision/record.ts';
import { type Appointment, appointment } from './appointment.ts';
import { license } from './license.ts';
import { type RegulatoryAction, regulatoryAction } from './regulatory-action.ts';
import { partitionOf } from './stored.ts';

/** What can record something. */
export const recorders = ['synchronization', 'reconciliation', 'import'] as const;

/** Whence what is recorded comes, as its item says beside it. */
export interface Origin {
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

/** A license as its facts hold it. */
export const recordedLicense = object(() => ({
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

/** A version of a regulatory action that is to be recorded. */
export type ActionToRecord = ToRecord<
  | Exclude<ActionFact, { what: 'stated' }>
  | (Extract<ActionFact, { what: 'stated' }> & { readonly action: RegulatoryAction })
>;

type FactKind = 'LICENSE' | 'APPOINTMENT';

/** Two statements of one command about one key differ in their content. */
const contentOf = (fact: ToRecord<Fact<object>>): string =>
  createHash('sha256')
    .update(JSON.stringify(fact.what === 'stated' ? [fact.rows, fact.validFrom] : fact.what))
    .digest('hex')
    .slice(0, 12);

const prefix = 'FACT#';

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
const kinds = ['LICENSE', 'APPOINTMENT', 'CLOSED', 'ACTION'] as const;

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

/** That something was recorded at a time. */
export interface RecordingTime extends Pick<Origin, 'isSilent'> {
  readonly recordedAt: string;
}

/** The facts of a holder, with when they were recorded and whether that is to send events, in any order. */
export interface StoredFacts extends HolderFacts<RecordedLicense, Appointment> {
  readonly recordings: readonly RecordingTime[];
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
  const recordings: RecordingTime[] = [];
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
    else if (kind === 'CLOSED') closings.push(recorded(parseStored(closing, item)));
  }
  return { licenses, appointments, closings, actions, unread: [], notFound: [], recordings };
}
