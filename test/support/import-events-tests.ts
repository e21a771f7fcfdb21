// Shared by the tests of events of imports. Each file that imports it gets its own tables before its first test.

import type { OutboxEvent } from '#domain/events/stored.ts';
import type { OrganizationCategory } from '#platform/contract/route.ts';
import { newObjectId } from '#platform/data/keys.ts';
import type { ImportOutcome } from '../../functions/import/run/import-records.ts';
import { uses } from '../../functions/import/uses.ts';
import { eventsFor } from './events.ts';
import { agency, product } from './import-lines.ts';
import { recordsInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { risingClock } from './rising-clock.ts';
import { createTables, tablesUsedBy } from './tables.ts';

export let newOwner: ReturnType<typeof organizationsIn>;
export let importRecords: ReturnType<typeof recordsInto>;
export let outbox: string;
export let owner: string;

export const now = risingClock();

beforeAll(async () => {
  const tables = await createTables(tablesUsedBy(uses));
  outbox = tables.outbox;
  newOwner = organizationsIn(tables.organizations, now);
  importRecords = recordsInto(tables, now);
});

beforeEach(async () => {
  await actAs('upstreamEntity');
});

/** Makes a new organization of this category the owner of the following imports. */
export async function actAs(category: OrganizationCategory): Promise<void> {
  owner = await newOwner(category);
}

export const id = (): string => newObjectId(new Date());

/** Imports records for the owner with `emitEvents`. */
export const importWithEvents = (...records: readonly object[]): Promise<ImportOutcome> =>
  importRecords(owner, records, { emitEvents: true });

/** As an operator, who may change the agencies of several carriers. */
export const operatorImportsWithEvents = (...records: readonly object[]): Promise<ImportOutcome> =>
  importRecords(undefined, records, { emitEvents: true });

/** The events for a carrier, the owner by default. */
export const events = (carrier = owner): Promise<OutboxEvent[]> => eventsFor(outbox, carrier);

export const eventTypes = async (): Promise<string[]> => (await events()).map(({ type }) => type);

export const entity = (_id: string, fields: object = {}) => agency(_id, { npn: '17654321', ...fields });
export const config = (fields: object = {}) => product(id(), fields);

/** The events in short. */
export const inputs = async () => (await events()).map(({ type, payload }) => ({ type, payload }));
/** That an NPN’s compliance is to be determined again. */
export const changed = (npn: string) => ({ type: 'COMPLIANCE_INPUTS_CHANGED', payload: { npn } });
