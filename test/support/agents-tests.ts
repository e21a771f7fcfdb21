// Shared by the tests of producers and of what was true of them on a day.

import type { AgentItem } from '#domain/agents/resource.ts';
import type { RegistryReport } from '#domain/registry/registry.ts';
import type { HeldLicense, License } from '#domain/registry/resources.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { agentsTable, registryRecordsTable } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { tableOf } from '#platform/data/table.ts';
import { agentRoutes } from '../../functions/agents/routes.ts';
import { createAgentStore } from '../../functions/agents/store.ts';
import { ask, given, id, newOwner, tables } from './carrier-records.ts';
import { holdersIn, reportOf } from './holders.ts';
import { agent, product } from './import-lines.ts';
import { dynamo } from './tables.ts';

export const { routes } = agentRoutes;

export const registryRecords = () =>
  createRegistryRecords(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
export const store = () => createAgentStore(tableOf(agentsTable, dynamo, tables.agents), registryRecords());

export const list = (owner: string, filters: Parameters<ReturnType<typeof store>['list']>[1] = {}) =>
  collect(store().list(owner, filters));

/** The ids of agents, sorted. */
export const idsOf = (items: readonly AgentItem[]): string[] => items.map(({ agent }) => agent._id).sort();

export const npn = '8123456';
export const productId = id(9);
export const config = product(productId, {
  states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }],
});

/** A carrier with one producer and a product. */
export async function carrierOf(...lines: object[]): Promise<string> {
  const owner = await newOwner();
  await given(owner, agent({ _id: id(1) }), config, ...lines);
  return owner;
}

export const params = { agentId: id(1) };

const licensesOf = async (owner: string, query: Record<string, string> = {}): Promise<HeldLicense[]> => {
  const { status, data } = await ask(owner, routes.listAgentLicenses, { params, query });
  expect(status).toBe(200);
  return data as HeldLicense[];
};

export const listed = async (owner: string, query: Record<string, string> = {}) =>
  (await licensesOf(owner, query)).map(({ licenseNumber, nextRenewalDate }) => [
    licenseNumber,
    nextRenewalDate,
  ]);

/** The licenses that are listed today, with whether each is in force. */
export const listedToday = async (owner: string) =>
  (await licensesOf(owner)).map(({ nextRenewalDate, isInForce }) => [nextRenewalDate, isInForce]);

export const statusOf = async (owner: string, asOf?: string) => {
  const query = { stateCode: 'TX', productId, ...(asOf === undefined ? {} : { asOf }) };
  const { data } = await ask(owner, routes.listAgentLicenseComplianceStatuses, { params, query });
  const [{ licenseStatus, basis } = { licenseStatus: undefined, basis: undefined }] = data as {
    licenseStatus: { statusName: string };
    basis: string;
  }[];
  return [licenseStatus?.statusName, basis];
};

/** What lists show of the holder. */
export const shown = (owner: string) => holdersIn(tables.registryRecords).shownOf(owner, npn);

/** What the registry reports of a Texas license. */
export const reported = (...licenses: Partial<License>[]): RegistryReport => reportOf({ licenses });

/** Brings the owner's records up to date with a report, at a time. */
export const synchronize = (owner: string, at: string, report: RegistryReport): Promise<boolean> =>
  holdersIn(tables.registryRecords).poll(owner, npn, at, report);
