import * as z from 'zod/mini';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { registryKeys } from '../registry-records/stored.ts';
import { registryAction, registryAppointment, registryEntity, registryLicense } from './registry.ts';

/** What an operator set for an NPN in the simulator; for the rest the simulator's default applies. */
export const simulatedRecord = storedItem('registry-records/simulated-record', () => ({
  /** Null: the registry does not know the NPN. */
  entity: z.optional(z.nullable(z.omit(registryEntity, { licenses: true, appointments: true }))),
  licenses: z.optional(z.array(registryLicense)),
  appointments: z.optional(z.array(registryAppointment)),
  regulatoryActions: z.optional(z.array(registryAction)),
  /** Whether the registry fails for the NPN. */
  unavailable: z.optional(z.boolean()),
}));

export type SimulatedRecord = z.output<typeof simulatedRecord>;

/** The records that operators set in the simulator. */
export type SimulatedRecords = ReturnType<typeof createSimulatedRecords>;

export const createSimulatedRecords = (table: Table) => ({
  async read(npn: string): Promise<SimulatedRecord> {
    return (await table.get(simulatedRecord, registryKeys.simulated(npn))) ?? {};
  },

  /** Replaces the members that are given; returns everything that operators set for the NPN. */
  async set(npn: string, record: SimulatedRecord): Promise<SimulatedRecord> {
    const given = Object.entries(record).filter(([, value]) => value !== undefined);
    const changes = Object.fromEntries(given);
    const { item } = await table.change(simulatedRecord, registryKeys.simulated(npn), changes);
    return item ?? {};
  },
});
