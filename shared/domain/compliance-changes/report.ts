import type * as z from 'zod/mini';
import { KB, MB, transactionBytes, transactionItems } from '../../platform/aws/limits.ts';
import { collect } from '../../platform/data/concurrently.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import { retryOnConflict } from '../../platform/data/transact.ts';
import type { StoredAgent } from '../agents/stored.ts';
import { createAssociationStore } from '../associations/store.ts';
import type { StoredAssociation } from '../associations/stored.ts';
import {
  type Baseline,
  compressed,
  createBaselines,
  expanded,
  type HeldStatuses,
  heldAfter,
  heldKey,
  type ProductStatuses,
  shortName,
  statusesOfParties,
} from '../baselines/baseline.ts';
import { statusNames } from '../compliance/status.ts';
import type { Party } from '../decision/compliance-config.ts';
import { createDownstreamEntities } from '../downstream-entities/stored.ts';
import { createEventItems } from '../events/outbox.ts';
import { changedProducts as changedProductsSchema, type PayloadOf } from '../events/payloads.ts';
import { derivedEventId, mostItemsOfEvent } from '../events/stored.ts';
import { ignoreAlreadyEmitted, type NewEvent } from '../events/transaction-items.ts';
import { createRecordedHolders } from '../registry-records/store.ts';
import type { Tables } from '../tables.ts';
import { createChangeStore, type DecidedFor, type PendingChange } from './store.ts';

// Reports changes of compliance: what differs from what receivers hold, as events that fit into a transaction.

interface ReportParts {
  readonly tables: Tables<
    | 'compliance'
    | 'registryRecords'
    | 'agents'
    | 'associations'
    | 'downstreamEntities'
    | 'organizations'
    | 'outbox'
  >;
  readonly now: () => Date;
}

/** What a report of compliance changes works with. */
export const reportDeps = ({ tables, now }: ReportParts) => ({
  changes: createChangeStore(tables),
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

type StateCode = ChangedState['stateCode'];

/** A state that is no longer configured (OpenAPI, "AgentComplianceStatusChange"). */
const removed = (stateCode: string): ChangedState => ({
  stateCode: stateCode as StateCode,
  licenseStatus: { statusName: 'STATE_REMOVED' },
  appointmentStatus: { statusName: 'STATE_REMOVED' },
});

/** The differences from what receivers hold, by product and state; products and states may be new or removed. */
export function changedProducts(
  party: Party,
  held: HeldStatuses,
  statuses: readonly ProductStatuses[],
): ChangedProduct[] {
  const names = { ...held.productNames };
  const left = new Map(Object.entries(held.statuses));
  const changed = statuses.flatMap(({ productId, productName, states }) => {
    names[productId] = productName;
    return states.flatMap((state) => {
      const key = heldKey(party, productId, state.stateCode);
      const before = left.get(key);
      left.delete(key);
      return before === statusNames(state) ? [] : { productId, state };
    });
  });
  const gone = Array.from(left.keys(), (key) => key.split(' ')).flatMap(
    ([of, productId = '', stateCode = '']) => (of === party ? { productId, state: removed(stateCode) } : []),
  );
  return Array.from(
    Map.groupBy<string, { productId: string; state: ChangedState }>(
      [...changed, ...gone],
      ({ productId }) => productId,
    ),
    ([productId, of]) => ({
      productId,
      productName: names[productId] ?? '',
      states: of.map(({ state }) => state),
    }),
  );
}

const changedOfParties = storedItem('compliance/unsent', () => ({
  agent: changedProductsSchema,
  agency: changedProductsSchema,
}));

/** What changed for the agent, and for the agency, of an NPN. */
export type Changed = z.output<typeof changedOfParties>;

/** The same, and smaller: what there is to say about statuses, in words that each config has its own of, is left out. */
const withoutMessages = ({ agent, agency }: Changed): Changed => {
  const short = (products: Changed['agent']) =>
    products.map(({ productId, productName, states }) => ({
      productId,
      productName: shortName(productName),
      states: states.map(({ licenseStatus, appointmentStatus, ...state }) => ({
        ...state,
        licenseStatus: { statusName: licenseStatus.statusName },
        appointmentStatus: { statusName: appointmentStatus.statusName },
      })),
    }));
  return { agent: short(agent), agency: short(agency) };
};

/** Bytes of what changed, compressed: with what is reported then, it is one item. */
const mostUnsent = 100 * KB;

/** Compressed; without messages where it would be too large with them. */
export function packed(changed: Changed): Uint8Array<ArrayBuffer> {
  const whole = compressed(changed);
  return whole.length > mostUnsent ? compressed(withoutMessages(changed)) : whole;
}

export const unpacked = (bytes: Uint8Array): Changed => parseStored(changedOfParties, expanded(bytes));

/** Bytes of an event's products: far below what the bus and a queue accept (`putEventsBytes`, `queueMessageBytes`). */
export const mostBytes = 200_000;

/** Bytes of a value in an event. */
export const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** The same products and states in parts that each fit into an event. */
export function inParts(products: readonly ChangedProduct[], most: number = mostBytes): ChangedProduct[][] {
  const parts: ChangedProduct[][] = [];
  let room = 0;
  for (const { states, ...product } of products) {
    let part = parts.at(-1);
    let open: ChangedProduct | undefined;
    for (const state of states) {
      const size = bytes(state);
      const withProduct = size + bytes({ ...product, states: [] });
      if (part === undefined || room < (open === undefined ? withProduct : size)) {
        part = [];
        parts.push(part);
        open = undefined;
        room = most;
      }
      if (open === undefined) {
        open = { ...product, states: [] };
        part.push(open);
        room -= withProduct;
      } else {
        room -= size;
      }
      open.states.push(state);
    }
  }
  return parts;
}

/** Few, since each attempt reads all records of the NPN. */
export const attempts = 5;

/** What a transaction takes, with room for the change itself. */
const eventsOfTransaction = Math.floor((transactionItems - 10) / mostItemsOfEvent);

const bytesOfTransaction = transactionBytes - MB;

/**
 * Compares the statuses of the parties with the NPN with what receivers hold of them, and reports the states that differ: in one
 * transaction with the end of the change and the new baseline.
 *
 * Where its events do not fit into that, the baseline is recorded first, together with what changed, and then the events
 * are emitted one by one. An attempt that finds some unsent emits these before anything is compared anew: if it
 * decided otherwise than the one before, which broke off, some receivers would keep a status that no baseline has, and
 * nothing would correct it. The ids of the events follow from the decision, so repeating it emits nothing twice.
 */
export async function report(
  owner: string,
  npn: string,
  change: PendingChange,
  deps: ReportDeps,
): Promise<void> {
  const { changes, baselines, recordedHolders, associations, events } = deps;
  // Before what it is compared with: a silent change since then moves the baseline, and this report is refused.
  const last = await baselines.find(owner, npn);
  const readingSettings = baselines.settingsOf(owner, deps.now());
  const [settings, coverage, agents, agencies] = await Promise.all([
    readingSettings,
    recordedHolders.coverageOf(owner, npn, {
      classKinds: readingSettings.then(({ classKinds }) => classKinds),
      isConsistent: true,
    }),
    changes.agentsOf(owner, npn),
    collect(associations.ofNpn(owner, npn)),
  ]);
  const eventsOf = async (changed: Changed, decidedFor: DecidedFor): Promise<NewEvent[]> => {
    const ofAgencies = await agencyEvents(owner, npn, agencies, changed.agency, decidedFor, deps);
    return [
      ...agents.flatMap((agent) => agentEvents(owner, agent, changed.agent, decidedFor)),
      ...ofAgencies,
    ];
  };
  if (last?.unsent !== undefined) {
    const newEvents = await eventsOf(unpacked(last.unsent.changed), last.unsent);
    await emitDecided(owner, npn, last.unsent, newEvents, deps);
    return;
  }
  if (agents.length === 0 && agencies.length === 0) {
    await changes.endChange(owner, npn, change);
    return;
  }
  const { held } = await baselines.heldOf(owner, last, settings, () => recordedHolders.recordsOf(owner, npn));
  const statuses = statusesOfParties({ ...settings, coverage });
  const overdueFrom = [...statuses.agent, ...statuses.agency].flatMap((product) => product.overdueFrom);
  await changes.checkOn(owner, npn, [...new Set(overdueFrom)]);
  const changed = {
    agent: changedProducts('agent', held, statuses.agent),
    agency: changedProducts('agency', held, statuses.agency),
  };
  const newEvents = await eventsOf(changed, change);
  const baselineWith = (more: Partial<Baseline>) =>
    baselines.write(owner, npn, last, heldAfter(statuses), settings, more);
  if (fitTogether(newEvents)) {
    await changes.endChange(owner, npn, change, [baselineWith({}), ...events(newEvents, deps.now())]);
    return;
  }
  const unsent = { windowId: change.windowId, version: change.version, changed: packed(changed) };
  await changes.decide(owner, npn, change, baselineWith({ unsent }));
  // What another attempt would emit, too.
  await emitDecided(owner, npn, change, await eventsOf(unpacked(unsent.changed), change), deps);
}

/** Emits what is decided, and ends its change. */
async function emitDecided(
  owner: string,
  npn: string,
  { windowId, version }: DecidedFor,
  newEvents: readonly NewEvent[],
  { changes, events, now }: ReportDeps,
): Promise<void> {
  for (const event of newEvents) {
    await changes.emit(events([event], now())).catch(ignoreAlreadyEmitted);
  }
  await changes.emitted(owner, npn, { windowId, version });
  // A change since then is a conflict, and is compared with the new baseline when it is due.
  await changes.endChange(owner, npn, { windowId, version: version + 1 });
}

/** Whether the events fit into one transaction. */
const fitTogether = (newEvents: readonly NewEvent[]): boolean =>
  newEvents.length <= eventsOfTransaction &&
  newEvents.reduce((sum, { payload }) => sum + bytes(payload), 0) <= bytesOfTransaction;

const eventIdOf = ({ windowId, version }: DecidedFor, entityId: string, part: number): string =>
  derivedEventId('compliance', windowId, String(version), entityId, String(part));

const agentEvents = (
  owner: string,
  { _id: agentId, npn, downstreamEntityAssociationIds }: StoredAgent,
  changed: readonly ChangedProduct[],
  decidedFor: DecidedFor,
): NewEvent[] =>
  inParts(changed).map((products, part) => ({
    type: 'AGENT_COMPLIANCE_STATUS_CHANGE',
    upstreamEntityId: owner,
    entityId: agentId,
    eventId: eventIdOf(decidedFor, agentId, part),
    payload: [{ agentId, npn, downstreamEntityAssociationIds, products }],
  }));

async function agencyEvents(
  owner: string,
  npn: string,
  agencies: readonly StoredAssociation[],
  changed: readonly ChangedProduct[],
  decidedFor: DecidedFor,
  { downstreamEntities }: ReportDeps,
): Promise<NewEvent[]> {
  // A second round trip only where there is something to report.
  if (changed.length === 0) return [];
  const entities = await downstreamEntities.findAll(
    agencies.map(({ downstreamEntityId }) => downstreamEntityId),
  );
  return agencies.flatMap(({ _id, downstreamEntityId, branchName }): NewEvent[] => {
    const entity = entities.get(downstreamEntityId);
    if (entity === undefined) return [];
    const { legalName } = entity;
    return inParts(changed).map((products, part) => ({
      type: 'DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE',
      upstreamEntityId: owner,
      entityId: _id,
      eventId: eventIdOf(decidedFor, _id, part),
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
