import * as z from 'zod/mini';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { registryAction, registryAppointment, registryEntity, registryLicense } from './registry.ts';

/** What an operator, or for itself a customer, set for an NPN in the simulator; for the rest the simulator's default applies. */
const simulatedRecord = storedItem('registry-records/simulated-record', () => ({
  /** Null: the registry does not know the NPN. */
  entity: z.optional(z.nullable(z.omit(registryEntity, { licenses: true, appointments: true }))),
  licenses: z.optional(z.array(registryLicense)),
  appointments: z.optional(z.array(registryAppointment)),
  regulatoryActions: z.optional(z.array(registryAction)),
  /** Whether the registry fails for the NPN. */
  unavailable: z.optional(z.boolean()),
  /** A customer's record that was taken back: visits read the whole default again. */
  isTakenBack: z.optional(z.boolean()),
}));

/** Keys of the registry records table, described there. */
export const simulatedKeys = {
  record: (npn: string) => ({ pk: `SIMULATOR#${npn}`, sk: 'RECORD' }),
  ownRecord: (owner: string, npn: string) => ({ pk: `SIMULATOR#${owner}`, sk: npn }),
};

export type SimulatedRecord = z.output<typeof simulatedRecord>;

/** The records that operators set in the simulator. */
export type SimulatedRecords = ReturnType<typeof createSimulatedRecords>;

export const createSimulatedRecords = (table: Table) => ({
  async read(npn: string): Promise<SimulatedRecord> {
    return (await table.get(simulatedRecord, simulatedKeys.record(npn))) ?? {};
  },

  /** What a customer set for itself. */
  ownOf: (owner: string, npn: string) => table.get(simulatedRecord, simulatedKeys.ownRecord(owner, npn)),

  /** Replaces the members that are given; returns everything that operators set for the NPN. */
  async set(npn: string, record: SimulatedRecord): Promise<SimulatedRecord> {
    const given = Object.entries(record).filter(([, value]) => value !== undefined);
    const changes = Object.fromEntries(given);
    const { item } = await table.change(simulatedRecord, simulatedKeys.record(npn), changes);
    return item ?? {};
  },
});
