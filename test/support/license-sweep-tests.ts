// Shared by the tests of the license sweep. Each file that imports it gets new tables before each test.

import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import type { SweepStore } from '../../shared/domain/license-sweep/store.ts';
import type { SweepDeps } from '../../shared/domain/license-sweep/sweep.ts';
import type { License } from '../../shared/domain/registry-records/license.ts';
import type { RegistryDataSubscription } from '../../shared/domain/registry-records/registry-data-subscription.ts';
import {
  newSubscription,
  subscriptionIdOf,
  subscriptionItem,
} from '../../shared/domain/registry-records/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { writesOf } from '../../shared/platform/data/table-writes.ts';
import { licenseOf } from './agency-records.ts';
import { eventsIn } from './events.ts';
import { putAgencyOfNpn, recordedItems } from './holders.ts';
import { lookingInto, type SweepTables, sweepOnNewTables, sweptShard } from './license-sweep.ts';
import { dynamo } from './tables.ts';

export const carrier = '65f0c1d2e3a4b5c6d7e8f900';
export const agency = '65f0c1d2e3a4b5c6d7e8f999';
export const agentId = '65f0c1d2e3a4b5c6d7e8f903';
export const associationId = '65f0c1d2e3a4b5c6d7e8f904';
/** 05:00 in New York, in standard time. */
export const morning = (day: string): Date => new Date(`${day}T10:00:00.000Z`);
export const today = '2027-02-10';
export const expiring = '2027-04-11';
export const expired = '2027-02-09';

export let tables: SweepTables;
let sweepDeps: SweepDeps;
/** The shards of the licenses that `putLicense` has stored. */
export const shards = new Set<number>();
export let failures: unknown[];

beforeEach(async () => {
  failures = [];
  shards.clear();
  ({ tables, deps: sweepDeps } = await sweepOnNewTables(
    () => morning(today),
    (error) => failures.push(error),
  ));
});

/** The sweep's dependencies, with some of its store's functions replaced. It looks into the shards that have a license. */
export const deps = (replaced: Partial<SweepStore> = {}): SweepDeps => ({
  ...sweepDeps,
  store: { ...lookingInto(shards, sweepDeps.store), ...replaced },
});

export const put = (table: string, item: Record<string, unknown>) =>
  dynamo.send(new PutItemCommand({ TableName: table, Item: toItem(item) }));

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
  shards.add(sweptShard(owner, npn));
  const registryDataSubscriptionId = subscriptionIdOf(owner, npn);
  const license = licenseOf({ registryDataSubscriptionId, npn, nextRenewalDate, ...fields });
  const dataOwnerModel = owner === carrier ? 'upstreamEntity' : 'downstreamEntity';
  const subscription = newSubscription({ dataOwnerId: owner, dataOwnerModel }, npn, entityModel);
  await writesOf(dynamo, tables.records).putAll([
    subscriptionItem(owner, subscription, new Date()),
    ...recordedItems(owner, { licenses: [license] }, createdAt),
  ]);
  if (isHeld) await putAssociation(owner, `f${npn.padStart(23, '0')}`, npn);
  return license;
}

/** Stores that the agent holds this NPN. */
export const putAgentNpn = (npn: string) => put(tables.agents, { ...agentKeys.npn(carrier, npn), agentId });

/** Stores that the agency holds this NPN. */
export const putAgencyNpn = (npn: string) => putAssociation(carrier, associationId, npn);

const putAssociation = (owner: string, id: string, npn: string) =>
  putAgencyOfNpn(tables.associations, owner, { id, npn });

/** The license events in the outbox, by type and NPN. */
export const licenseEvents = async () =>
  (await eventsIn(tables.outbox))
    .filter(({ type }) => type !== 'COMPLIANCE_INPUTS_CHANGED')
    .map(({ type, payload }) => `${type} ${z.parse(z.looseObject({ npn: z.string() }), payload).npn}`)
    .sort();
