import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { MB, transactionBytes, transactionItems } from '#platform/aws/limits.ts';
import { timestamp } from '#platform/contract/primitives.ts';
import { chunks, collect } from '#platform/data/concurrently.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem, VersionConflict } from '#platform/data/transact.ts';
import { agentsOfNpn, type StoredAgent } from '../agents/stored.ts';
import { createAssociationStore } from '../associations/store.ts';
import type { StoredAssociation } from '../associations/stored.ts';
import {
  createBaselines,
  type HeldStatuses,
  heldKey,
  heldNamesAfter,
  type PartyStatus,
  statusesOfParties,
} from '../baselines/baseline.ts';
import { statusNames } from '../compliance/status.ts';
import { productOfHead } from '../compliance/store.ts';
import { complianceKeys } from '../compliance/stored.ts';
import type { Party } from '../decision/compliance-config.ts';
import { createDownstreamEntities } from '../downstream-entities/stored.ts';
import { createEventItems } from '../events/outbox.ts';
import type { PayloadOf } from '../events/payloads.ts';
import { derivedEventId, mostItemsOfEvent } from '../events/stored.ts';
import { ignoreAlreadyEmitted, type NewEvent } from '../events/transaction-items.ts';
import { createRecordedHolders } from '../registry-records/store.ts';
import { checkDayItem } from '../registry-records/stored.ts';
import type { Tables } from '../tables.ts';

/** Changes of one NPN that are reported together. */
export type ChangeWindow = Pick<PendingChange, 'firstChangeAt' | 'deliverAfter'>;

/** Milliseconds without a change after which a window ends (OpenAPI, "Events"). */
export const quietMs = 60_000;

/** The longest delay of a change, however many follow it. */
export const longestMs = 30 * 60_000;

/** The window after another change. */
export function withChange(open: ChangeWindow | undefined, now: Date): ChangeWindow {
  const firstChangeAt = open?.firstChangeAt ?? now.toISOString();
  const cap = Date.parse(firstChangeAt) + longestMs;
  const quietAt = Math.min(now.getTime() + quietMs, cap);
  // The clock of another worker may be behind.
  const before = open === undefined ? quietAt : Date.parse(open.deliverAfter);
  return { firstChangeAt, deliverAfter: new Date(Math.max(quietAt, before)).toISOString() };
}

/** Milliseconds until it may be reported; 0 when it is due. */
export const msUntilDue = ({ deliverAfter }: ChangeWindow, now: Date): number =>
  Math.max(0, Date.parse(deliverAfter) - now.getTime());

/** Milliseconds after its due time when a window's message is considered lost; SQS does not delay one for longer. */
const lostAfterMs = 15 * 60_000;

/** Whether a window's message must have been lost. */
const isOverdue = ({ deliverAfter }: ChangeWindow, now: Date): boolean =>
  now.getTime() - Date.parse(deliverAfter) > lostAfterMs;

const changeItem = storedItem('compliance/change-window', {
  windowId: z.uuid(),
  firstChangeAt: timestamp,
  /** Earliest time of its report. */
  deliverAfter: timestamp,
  /** Rises by one with each change. */
  version: z.int(),
  /** Whether the queue has accepted the window's message. */
  isQueued: z.boolean(),
});

/** A change of an NPN's compliance that is not reported yet. */
export type PendingChange = z.output<typeof changeItem>;

/** Stores changes. */
export function createChangeStore(compliance: Table) {
  return {
    /** Opens the NPN's window, or extends it. */
    async recordChange(owner: string, npn: string, now: Date) {
      const key = complianceKeys.change(owner, npn);
      return retryOnConflict(async () => {
        const before = await compliance.get(changeItem, key);
        const after: PendingChange = {
          ...withChange(before, now),
          windowId: before?.windowId ?? randomUUID(),
          version: (before?.version ?? 0) + 1,
          isQueued: before?.isQueued === true && !isOverdue(before, now),
        };
        const isAsRead = { windowId: before?.windowId, version: before?.version };
        if (!(await compliance.put({ ...key, ...after }, isAsRead))) throw new VersionConflict();
        return after;
      });
    },

    /** Records that the queue has the window's message. */
    async queued(owner: string, npn: string, windowId: string): Promise<void> {
      await compliance.update(complianceKeys.change(owner, npn), { isQueued: true }, { windowId });
    },

    find: (owner: string, npn: string) => compliance.get(changeItem, complianceKeys.change(owner, npn)),

    /**
     * Ends the change together with other items.
     * @throws VersionConflict when it has gone on since it was read.
     */
    endChange: (
      owner: string,
      npn: string,
      { windowId, version }: PendingChange,
      items: readonly TransactionItem[] = [],
    ) =>
      compliance.transact([
        compliance.items.delete(complianceKeys.change(owner, npn), { windowId, version }),
        ...items,
      ]),
  };
}

// Reports changes of compliance: what differs from what receivers hold, as events that fit into a transaction.

type ReportTable =
  | 'compliance'
  | 'registryRecords'
  | 'agents'
  | 'associations'
  | 'downstreamEntities'
  | 'organizations'
  | 'outbox';

/** Dependencies of a report of compliance changes. */
export const reportDeps = (tables: Tables<ReportTable>, now: () => Date) => ({
  tables,
  changes: createChangeStore(tables.compliance),
  baselines: createBaselines(tables),
  recordedHolders: createRecordedHolders(tables.registryRecords),
  associations: createAssociationStore(tables.associations),
  downstreamEntities: createDownstreamEntities(tables.downstreamEntities),
  events: createEventItems(tables.outbox.items),
  now,
});

type ReportDeps = ReturnType<typeof reportDeps>;

/** Products with the states that changed, as events carry them. */
export type ChangedProduct = PayloadOf<'AGENT_COMPLIANCE_STATUS_CHANGE'>[number]['products'][number];

type ChangedState = ChangedProduct['states'][number];

/** A state that is no longer configured (OpenAPI, "AgentComplianceStatusChange"). */
const removedState = (stateCode: string): ChangedState => ({
  stateCode: stateCode as ChangedState['stateCode'],
  licenseStatus: { statusName: 'STATE_REMOVED' },
  appointmentStatus: { statusName: 'STATE_REMOVED' },
});

/** Changed products for the agent, and for the agency, of an NPN. */
type PartyChanges = Readonly<Record<Party, readonly ChangedProduct[]>>;

/**
 * The differences from what receivers hold, by product and state; products and states may be new or removed.
 * @param names what products that are removed were called.
 */
export function changedProducts(
  heldNames: HeldStatuses,
  statuses: readonly PartyStatus[],
  names: ReadonlyMap<string, string>,
): PartyChanges {
  const answeredNames = heldNamesAfter(statuses);
  const changedStatuses = statuses.filter(
    ({ party, productId, state }) =>
      heldNames[heldKey(party, productId, state.stateCode)] !== statusNames(state),
  );
  const goneStatuses = Object.keys(heldNames)
    .filter((key) => answeredNames[key] === undefined)
    .map((key) => {
      const [party, productId = '', stateCode = ''] = key.split(' ');
      return { party, productId, productName: names.get(productId) ?? '', state: removedState(stateCode) };
    });
  const ofParty = (party: Party) =>
    byProduct(
      [...changedStatuses, ...goneStatuses]
        .filter((status) => status.party === party)
        .map(({ productId, productName, state }) => ({ productId, productName, states: [state] })),
    );
  return { agent: ofParty('agent'), agency: ofParty('agency') };
}

/** Bytes of an event's products: far below what the bus and a queue accept (`putEventsBytes`, `queueMessageBytes`). */
export const mostBytes = 200_000;

/** Bytes of a value in an event. */
export const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** States of products, each product once. */
const byProduct = (products: readonly ChangedProduct[]): ChangedProduct[] =>
  Array.from(
    Map.groupBy(products, ({ productId }) => productId),
    ([productId, parts]) => ({
      productId,
      productName: parts[0]?.productName ?? '',
      states: parts.flatMap(({ states }) => states),
    }),
  );

/** Splits products and states into parts that each fit into an event. */
export const inParts = (products: readonly ChangedProduct[], most: number = mostBytes): ChangedProduct[][] =>
  chunks(
    products.flatMap(({ states, ...product }) => states.map((state) => ({ ...product, states: [state] }))),
    { count: Number.POSITIVE_INFINITY, size: { bytes: most, of: bytes } },
  ).map(byProduct);

/** Few, since each attempt reads all records of the NPN. */
export const attempts = 5;

/** Events that a transaction takes, with room for the change itself. */
const eventsOfTransaction = Math.floor((transactionItems - 10) / mostItemsOfEvent);

const bytesOfTransaction = transactionBytes - MB;

/**
 * Compares the statuses of the parties with the NPN with what receivers hold of them, and reports the states that differ: in one
 * transaction with the end of the change and the new baseline.
 */
export async function report(
  owner: string,
  npn: string,
  change: PendingChange,
  deps: ReportDeps,
): Promise<void> {
  const { tables, changes, baselines, recordedHolders, associations, events, now } = deps;
  const { transact } = tables.compliance;
  // Before what it is compared with: a silent change since then moves the baseline, and this report is refused.
  const last = await baselines.find(owner, npn);
  const readingSettings = baselines.settingsOf(owner, now());
  const [settings, coverage, agents, agencies] = await Promise.all([
    readingSettings,
    recordedHolders.coverageOf(owner, npn, {
      classKinds: readingSettings.then(({ classKinds }) => classKinds),
      isConsistent: true,
    }),
    agentsOfNpn(tables.agents, owner, npn),
    collect(associations.ofNpn(owner, npn)),
  ]);
  if (agents.length === 0 && agencies.length === 0) {
    await changes.endChange(owner, npn, change);
    return;
  }
  const { heldNames } = await baselines.heldOf(owner, last, settings, () =>
    recordedHolders.recordsOf(owner, npn),
  );
  const statuses = statusesOfParties({ ...settings, coverage });
  // The sweep of the day from which an appointment is overdue records a change.
  const overdueDays = new Set(statuses.flatMap(({ overdueFrom }) => overdueFrom ?? []));
  for (const day of overdueDays) await tables.registryRecords.put(checkDayItem(owner, npn, day));
  const names = new Map(
    settings.heads.map((head) => [head.productId, productOfHead(head, now()).productName]),
  );
  const partyChanges = changedProducts(heldNames, statuses, names);
  const newEvents = [
    ...agents.flatMap((agent) => agentEvents(owner, agent, partyChanges.agent, change)),
    ...(await agencyEvents(owner, npn, agencies, partyChanges.agency, change, deps)),
  ];
  const answeredNames = heldNamesAfter(statuses);
  if (fitTogether(newEvents)) {
    const write = baselines.write(owner, npn, last, answeredNames, settings);
    await changes.endChange(owner, npn, change, [write, ...events(newEvents, now())]);
    return;
  }
  // Until all of them are emitted, nobody knows who holds what they say: whoever goes on after this breaks off reports it to
  // everybody, and has those refused that are still on their way.
  await transact([baselines.write(owner, npn, last, withDoubts(heldNames, answeredNames), settings)]);
  const doubtedVersion = { version: (last?.version ?? 0) + 1 };
  for (const event of newEvents) {
    const isLatest = baselines.check(owner, npn, doubtedVersion);
    await transact([isLatest, ...events([event], now())]).catch(ignoreAlreadyEmitted);
  }
  await transact([baselines.write(owner, npn, doubtedVersion, answeredNames, settings)]);
  // A change since then is a conflict, and is compared with the new baseline when it is due.
  await changes.endChange(owner, npn, change);
}

/** Statuses held while differences are reported: a key that differs equals no status. */
const withDoubts = (heldNames: HeldStatuses, answeredNames: HeldStatuses): HeldStatuses =>
  Object.fromEntries(
    Object.keys({ ...heldNames, ...answeredNames }).map((key) => [
      key,
      heldNames[key] === answeredNames[key] ? (heldNames[key] ?? '') : '',
    ]),
  );

/** Whether the events fit into one transaction. */
const fitTogether = (newEvents: readonly NewEvent[]): boolean =>
  newEvents.length <= eventsOfTransaction &&
  newEvents.reduce((sum, { payload }) => sum + bytes(payload), 0) <= bytesOfTransaction;

/** The id of an event: an attempt that says the same emits it no second time. */
const eventIdOf = (
  { windowId, version }: PendingChange,
  entityId: string,
  products: readonly ChangedProduct[],
): string => derivedEventId('compliance', windowId, String(version), entityId, JSON.stringify(products));

const agentEvents = (
  owner: string,
  { _id: agentId, npn, downstreamEntityAssociationIds }: StoredAgent,
  productChanges: readonly ChangedProduct[],
  change: PendingChange,
): NewEvent[] =>
  inParts(productChanges).map((products) => ({
    type: 'AGENT_COMPLIANCE_STATUS_CHANGE',
    upstreamEntityId: owner,
    entityId: agentId,
    eventId: eventIdOf(change, agentId, products),
    payload: [{ agentId, npn, downstreamEntityAssociationIds, products }],
  }));

async function agencyEvents(
  owner: string,
  npn: string,
  agencies: readonly StoredAssociation[],
  productChanges: readonly ChangedProduct[],
  change: PendingChange,
  { downstreamEntities }: ReportDeps,
): Promise<NewEvent[]> {
  // A second round trip only where there is something to report.
  if (productChanges.length === 0) return [];
  const entities = await downstreamEntities.findAll(
    agencies.map(({ downstreamEntityId }) => downstreamEntityId),
  );
  return agencies.flatMap(({ _id, downstreamEntityId, branchName }): NewEvent[] => {
    const entity = entities.get(downstreamEntityId);
    if (entity === undefined) return [];
    const { legalName } = entity;
    return inParts(productChanges).map((products) => ({
      type: 'DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE',
      upstreamEntityId: owner,
      entityId: _id,
      eventId: eventIdOf(change, _id, products),
      payload: [{ downstreamEntityAssociationId: _id, legalName, branchName, npn, products }],
    }));
  });
}

/** Reports what changed of an NPN at once, as when its window ends. */
export const reportNow = (owner: string, npn: string, deps: ReportDeps): Promise<void> =>
  retryOnConflict(
    async () => report(owner, npn, await deps.changes.recordChange(owner, npn, deps.now()), deps),
    { attempts },
  );
