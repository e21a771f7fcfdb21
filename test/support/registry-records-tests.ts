import type { LogEvent } from '#platform/log/log.ts';
import { recordingLogger } from './recording-logger.ts';
// Shared by the tests of what works on recorded licenses by night: the registry reconciliation and the license sweep. Each file
// that imports it gets new tables before each test.

import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { agentKeys } from '#domain/agents/stored.ts';
import { createEventItems } from '#domain/events/outbox.ts';
import type { SweepStore } from '#domain/license-sweep/store.ts';
import type { SweepDeps } from '#domain/license-sweep/sweep.ts';
import { createPartiesOfNpns } from '#domain/npn-holders/holders.ts';
import {
  type Registry,
  type RegistryAction,
  type RegistryReport,
  RegistryUnavailable,
} from '#domain/registry/registry.ts';
import { exampleRegulatoryAction, type License } from '#domain/registry/resources.ts';
import type { RegistryDataSubscription } from '#domain/registry-records/resources.ts';
import { newSubscription, subscriptionIdOf, subscriptionItem } from '#domain/registry-records/stored.ts';
import { ensureSubscriptions } from '#domain/registry-records/subscriptions.ts';
import { registryRecordsTable, tablesOf } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { itemsOf, tableOf, writesOf } from '#platform/data/table.ts';
import {
  createReconciliationDeps,
  type ReconciliationDeps,
  reconcileAll,
} from '../../functions/registry-reconciliation/reconcile.ts';
import { licenseOf } from './agency-records.ts';
import { eventsIn } from './events.ts';
import { putAgencyOfNpn, recordedItems } from './holders.ts';
import { type SweepTables, sweepOn } from './license-sweep.ts';
import { risingClock } from './rising-clock.ts';
import { createTables, dynamo } from './tables.ts';

export const carrier = '65f0c1d2e3a4b5c6d7e8f900';
export const otherCarrier = '65f0c1d2e3a4b5c6d7e8f901';
export const agency = '65f0c1d2e3a4b5c6d7e8f999';
export const agentId = '65f0c1d2e3a4b5c6d7e8f903';
export const associationId = '65f0c1d2e3a4b5c6d7e8f904';

/** 05:00 in New York on a day of June 2026. */
export const at = (day: number): Date => new Date(Date.UTC(2026, 5, day, 9));

export const now = risingClock();

export let tables: SweepTables;
/** What the registry reports by NPN; it is unavailable for other NPNs. */
export let registered: Map<string, Partial<RegistryReport>>;
/** NPNs in the order in which the registry was polled for them. */
export let polled: string[];
export let failures: unknown[];
let log: ReturnType<typeof recordingLogger>;
/** What was logged as an event. */
export const loggedAs = (event: LogEvent) => log.lines.filter((line) => line['event'] === event);

beforeEach(async () => {
  tables = await createTables([
    'registryRecords',
    'outbox',
    'agents',
    'associations',
    'compliance',
    'organizations',
  ]);
  registered = new Map();
  polled = [];
  failures = [];
  log = recordingLogger();
});

/** A registry that says the same to all who subscribe, to visits alone. */
export const visitedRegistry = (visit: (npn: string) => Promise<RegistryReport>): Registry => ({
  fetch: async () => undefined,
  visit: async (npn, subscriber) => (subscriber === undefined ? visit(npn) : undefined),
});

/** The dependencies of a reconciliation. */
export const deps = (
  mostCallsANight: number | undefined = undefined,
  clock: () => Date = now,
): ReconciliationDeps =>
  createReconciliationDeps({
    tables: tablesOf(dynamo, tables),
    registry: visitedRegistry(async (npn) => {
      polled.push(npn);
      const report = registered.get(npn);
      if (report === undefined) throw new RegistryUnavailable('Not now.');
      return { licenses: undefined, appointments: undefined, actions: [], ...report };
    }),
    holders: createPartiesOfNpns(tablesOf(dynamo, tables)),
    events: createEventItems(itemsOf(tables.outbox)),
    mostCallsANight,
    now: clock,
    log,
    onFailure: (_, error) => failures.push(error),
  });

/** A reconciliation on a day of June 2026. */
export const reconcileOn = (day: number) => reconcileAll(at(day), deps());

export const put = (table: string, item: Record<string, unknown>) =>
  dynamo.send(new PutItemCommand({ TableName: table, Item: toItem(item) }));

/** Stores that the carrier's agent holds this NPN. */
export const putAgentNpn = (npn: string, owner = carrier) =>
  put(tables.agents, { ...agentKeys.npn(owner, npn), agentId });

/** Stores that the carrier's agency holds this NPN. */
export const putAgencyNpn = (npn: string, owner = carrier) =>
  putAgencyOfNpn(tables.associations, owner, { id: associationId, npn });

/** Subscribes an organization to an NPN that nobody holds. */
export const subscribeOnly = (
  npn: string,
  {
    owner = carrier,
    entityModel = null,
  }: {
    readonly owner?: string;
    readonly entityModel?: 'agent' | 'downstreamEntity' | null;
  } = {},
): Promise<void> => {
  const dataOwnerModel = owner === agency ? 'downstreamEntity' : 'upstreamEntity';
  const dataOwner = { dataOwnerId: owner, dataOwnerModel } as const;
  return ensureSubscriptions(
    tableOf(registryRecordsTable, dynamo, tables.registryRecords),
    dataOwner,
    [npn],
    { entityModel },
    now(),
  );
};

/** Subscribes an organization to an NPN that its agent holds. */
export async function subscribe(npn: string, owner = carrier): Promise<void> {
  await putAgentNpn(npn, owner);
  await subscribeOnly(npn, { owner, entityModel: 'agent' });
}

const { _id, registryDataSubscriptionId, npn, createdAt, updatedAt, ...example } = exampleRegulatoryAction;

/** A regulatory action as the registry reports it. */
export const action = (changed: Partial<RegistryAction> = {}): RegistryAction => ({
  ...example,
  stateCode: 'TX',
  actionId: '4471',
  disposition: null,
  penaltyFineForfeitureInUSD: 250,
  ...changed,
});

/** 05:00 in New York, in standard time. */
export const morning = (day: string): Date => new Date(`${day}T10:00:00.000Z`);
export const today = '2027-02-10';
export const expiring = '2027-04-11';
export const expired = '2027-02-09';

/** The sweep's dependencies, with some of its store's functions replaced. */
export function sweepDeps(replaced: Partial<SweepStore> = {}): SweepDeps {
  const deps = sweepOn(
    tables,
    () => morning(today),
    (error) => failures.push(error),
  );
  return { ...deps, store: { ...deps.store, ...replaced } };
}

/**
 * Stores a license, its subscription and an agency that holds the NPN; the carrier's unless another owner is named. The
 * agency's id comes after that of `putAgencyNpn`, so that one represents the NPN where both are there.
 */
export async function putLicense(
  npn: string,
  nextRenewalDate: string | null,
  rest: Partial<License> & {
    readonly owner?: string;
    readonly createdAt?: string;
    readonly isHeld?: boolean;
    readonly entityModel?: RegistryDataSubscription['entityModel'];
  } = {},
): Promise<License> {
  const {
    owner = carrier,
    createdAt = '2026-01-01T00:00:00.000Z',
    isHeld = true,
    entityModel = null,
    ...fields
  } = rest;
  const registryDataSubscriptionId = subscriptionIdOf(owner, npn);
  const license = licenseOf({ registryDataSubscriptionId, npn, nextRenewalDate, ...fields });
  const dataOwnerModel = owner === carrier ? 'upstreamEntity' : 'downstreamEntity';
  const subscription = newSubscription({ dataOwnerId: owner, dataOwnerModel }, npn, entityModel);
  await writesOf(dynamo, tables.registryRecords).putAll([
    subscriptionItem(owner, subscription, new Date()),
    ...recordedItems(owner, { licenses: [license] }, createdAt),
  ]);
  if (isHeld) await putAgencyOfNpn(tables.associations, owner, { id: `f${npn.padStart(23, '0')}`, npn });
  return license;
}

/** The license events in the outbox, by type and NPN. */
export const licenseEvents = async () =>
  (await eventsIn(tables.outbox))
    .filter(({ type }) => type !== 'COMPLIANCE_INPUTS_CHANGED')
    .map(({ type, payload }) => `${type} ${z.parse(z.looseObject({ npn: z.string() }), payload).npn}`)
    .sort();
