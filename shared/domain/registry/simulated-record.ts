import * as z from 'zod/mini';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { registryAction, registryAppointment, registryHolder, registryLicense } from './registry.ts';

/** Record that an operator, or for itself a customer, set for an NPN in the simulator; for the rest the simulator's default applies. */
const simulatedRecord = storedItem('registry-records/simulated-record', {
  /** Null: the registry does not know the NPN. */
  entity: z.optional(z.nullable(registryHolder)),
  licenses: z.optional(z.array(registryLicense)),
  appointments: z.optional(z.array(registryAppointment)),
  regulatoryActions: z.optional(z.array(registryAction)),
  /** A customer's record that was taken back: visits read the whole default again. */
  isTakenBack: z.optional(z.boolean()),
  /** End of a customer's record, in seconds since 1970. */
  expiresAt: z.optional(z.int()),
});

/** Days for which what a customer put is kept. */
export const simulatedRecordDays = 30;

/** Keys of the registry records table, described there. */
export const simulatedKeys = {
  record: (npn: string) => ({ pk: `SIMULATOR#${npn}`, sk: 'RECORD' }),
  ownRecord: (owner: string, npn: string) => ({ pk: `SIMULATOR#${owner}`, sk: npn }),
  ownRecords: (owner: string) => ({ pk: `SIMULATOR#${owner}`, sk: 'RECORDS' }),
  run: (owner: string, runId: string) => ({ pk: `SIMULATOR#${owner}`, sk: `RUN#${runId}` }),
  latestRun: (owner: string) => ({ pk: `SIMULATOR#${owner}`, sk: 'RUN' }),
};

export type SimulatedRecord = z.output<typeof simulatedRecord>;

/** The records that operators set in the simulator. */
export type SimulatedRecords = ReturnType<typeof createSimulatedRecords>;

export const createSimulatedRecords = (table: Table) => ({
  async read(npn: string): Promise<SimulatedRecord> {
    return (await table.get(simulatedRecord, simulatedKeys.record(npn))) ?? {};
  },

  /** Reads the record that a customer set for itself, for as long as it is kept. */
  async ownOf(owner: string, npn: string, now: Date): Promise<SimulatedRecord | undefined> {
    const ownRecord = await table.get(simulatedRecord, simulatedKeys.ownRecord(owner, npn));
    return (ownRecord?.expiresAt ?? 0) * 1_000 > now.getTime() ? ownRecord : undefined;
  },

  /** Replaces the members that are given; returns everything that operators set for the NPN. */
  async set(npn: string, record: SimulatedRecord): Promise<SimulatedRecord> {
    const givenMembers = Object.entries(record).filter(([, value]) => value !== undefined);
    const changes = Object.fromEntries(givenMembers);
    const { item } = await table.change(simulatedRecord, simulatedKeys.record(npn), changes);
    return item ?? {};
  },
});
