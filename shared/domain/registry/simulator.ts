import type { Table } from '../../platform/data/table.ts';
import {
  type Registry,
  type RegistryAction,
  type RegistryEntity,
  type RegistryPolls,
  RegistryUnavailable,
  type SetAsideRow,
} from './registry.ts';
import { readReport } from './report.ts';
import { createSimulatedRecords, type SimulatedRecord } from './simulated-record.ts';
import { simulatedReport } from './simulated-report.ts';

/** Everything that the simulated registry has for an NPN. */
export interface Simulated {
  readonly entity: RegistryEntity | undefined;
  readonly regulatoryActions: readonly RegistryAction[];
  /** Rows that cannot be read. */
  readonly setAside: readonly SetAsideRow[];
}

/** What the registry reports for an NPN by itself (`simulatedReport`), read as its reports are. */
export function simulate(npn: string, now: Date): Simulated {
  const report = readReport(simulatedReport(npn, now));
  if (report === undefined) return { entity: undefined, regulatoryActions: [], setAside: [] };
  const { actions, setAside = [], nulled: _, ...entity } = report;
  return { entity, regulatoryActions: actions, setAside };
}

/** What operators set for an NPN, merged over what the simulator generates. */
export function withRecord(generated: Simulated, overrides: SimulatedRecord, npn: string): Simulated {
  const regulatoryActions = overrides.regulatoryActions ?? generated.regulatoryActions;
  if (overrides.entity === null) return { entity: undefined, regulatoryActions: [], setAside: [] };
  const setAside = generated.setAside.filter(
    ({ unread }) => unread === undefined || overrides[`${unread.kind}s`] === undefined,
  );
  const heldOf = overrides.entity ?? generated.entity;
  const held = overrides.licenses ?? overrides.appointments ?? overrides.regulatoryActions;
  if (heldOf === undefined && held === undefined) return { entity: undefined, regulatoryActions, setAside };
  return {
    entity: {
      // The registry knows every NPN that holds a record in it.
      ...(heldOf ?? { kind: 'individual', name: `Holder of ${npn}`, residentStateCode: null }),
      licenses: overrides.licenses ?? generated.entity?.licenses ?? [],
      appointments: overrides.appointments ?? generated.entity?.appointments ?? [],
    },
    regulatoryActions,
    setAside,
  };
}

/** The registry of environments without a real one: deterministic, except for records that operators set. */
export function createSimulator(table: Table, now: () => Date): Registry & RegistryPolls {
  const records = createSimulatedRecords(table);
  const readOverrides = async (npn: string): Promise<SimulatedRecord> => {
    const overrides = await records.read(npn);
    if (overrides.unavailable === true)
      throw new RegistryUnavailable('The simulated registry is unavailable.');
    return overrides;
  };
  const respond = async (npn: string): Promise<Simulated> =>
    withRecord(simulate(npn, now()), await readOverrides(npn), npn);
  return {
    async subscribe(npn) {
      await respond(npn);
    },
    async fetch(npn) {
      const { entity, regulatoryActions, setAside } = await respond(npn);
      return entity && { ...entity, actions: regulatoryActions, setAside };
    },
    callsPerPoll: 1,
    changesSince: (cursor) => records.changesSince(cursor, now()),
    async poll(npn) {
      const overrides = await readOverrides(npn);
      const { entity, regulatoryActions } = withRecord(simulate(npn, now()), overrides, npn);
      // What an import brought is worth more than what is made up, which every night's poll would put in its place.
      return {
        licenses: overrides.licenses && entity?.licenses,
        appointments: overrides.appointments && entity?.appointments,
        actions: overrides.regulatoryActions === undefined ? [] : regulatoryActions,
      };
    },
  };
}
