// Shared by the tests of import events. Each file that imports it gets its own tables before its first test.

import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { contactsTable } from '../../shared/domain/contacts/table.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { createReleases } from '../../shared/domain/events/releases.ts';
import { type OutboxItem, outboxKeys } from '../../shared/domain/events/stored.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import type { OrganizationCategory } from '../../shared/platform/contract/access.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { eventsFor } from './events.ts';
import { everyItem } from './every-item.ts';
import { type ImportRecords, importInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { risingClock } from './rising-clock.ts';
import { createTables, dynamo } from './tables.ts';

export let newOwner: ReturnType<typeof organizationsIn>;
export let importRecords: ImportRecords;
let outbox: string;
export let owner: string;

const now = risingClock();

beforeAll(async () => {
  const tables = await createTables({
    organizations: organizationsTable,
    agents: agentsTable,
    associations: associationsTable,
    compliance: complianceTable,
    contacts: contactsTable,
    downstreamEntities: downstreamEntitiesTable,
    registryRecords: registryRecordsTable,
    outbox: outboxTable,
  });
  outbox = tables.outbox;
  newOwner = organizationsIn(tables.organizations, now);
  importRecords = importInto(tables, now);
});

beforeEach(async () => {
  await actAs('upstreamEntity');
});

/** Makes a new organization of this category the owner of the following imports. */
export async function actAs(category: OrganizationCategory): Promise<void> {
  owner = await newOwner(category);
}

export const id = (): string => newObjectId(new Date());
export const linesOf = (records: readonly object[]) => records.map((record) => JSON.stringify(record));

/** Imports records for the owner with `emitEvents`. */
export const importWithEvents = (...records: readonly object[]): Promise<ImportOutcome> =>
  importRecords({
    organizationId: owner,
    firstLine: 1,
    lines: linesOf(records),
    emitEvents: true,
  });

/** As an operator, who may change the agencies of several carriers. */
export const operatorImportsWithEvents = (...records: readonly object[]): Promise<ImportOutcome> =>
  importRecords({ firstLine: 1, lines: linesOf(records), emitEvents: true });

/** Whether somebody has asked for a release since the last one ended. */
export const isReleaseAsked = async (): Promise<boolean> =>
  (await everyItem(dynamo, outbox)).some(
    ({ sk, wantedAt }) => sk === outboxKeys.release().sk && wantedAt !== undefined,
  );

/** Ends a release that found nothing more. */
export async function endRelease(): Promise<void> {
  const releases = createReleases(tableOf(outboxTable, dynamo, outbox));
  const run = await releases.begin(now());
  if (run !== undefined) await releases.next(run);
}

/** The events for a carrier, the owner by default. */
export const events = (carrier = owner): Promise<OutboxItem[]> => eventsFor(outbox, carrier);

export const eventTypes = async (): Promise<string[]> => (await events()).map(({ type }) => type);

export const entity = (_id: string, fields: object = {}) => ({
  type: 'downstream-entity',
  _id,
  legalName: 'Lone Star Brokerage',
  npn: '17654321',
  ...fields,
});
export const association = (_id: string, downstreamEntityId: string, fields: object = {}) => ({
  type: 'association',
  _id,
  downstreamEntityId,
  ...fields,
});
export const config = (fields: object = {}) => ({
  type: 'compliance-config',
  productId: id(),
  productName: 'GL',
  states: [],
  ...fields,
});
