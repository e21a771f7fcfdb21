import type { Table } from '../../platform/data/table.ts';
import { reportOf } from './read-rows.ts';
import {
  type Registry,
  type RegistryAction,
  type RegistryEntity,
  type RegistryReport,
  RegistryUnavailable,
  type UnreadableRow,
  unknownNpn,
} from './registry.ts';
import { createSimulatedRecords, type SimulatedRecord } from './simulated-record.ts';
import { simulatedReport } from './simulated-report.ts';

/** Everything that the simulated registry has for an NPN. */
interface Simulated {
  readonly entity: RegistryEntity | undefined;
  readonly regulatoryActions: readonly RegistryAction[];
  /** Rows that cannot be read. */
  readonly unreadable: readonly UnreadableRow[];
}

/** What the registry reports for an NPN by itself, each row read as those of its reports are. */
export function simulate(npn: string, now: Date): Simulated {
  const written = simulatedReport(npn, now);
  if (written === undefined) return { entity: undefined, regulatoryActions: [], unreadable: [] };
  const { npn: _npn, ...report } = written;
  const { actions, unreadable = [], nulled: _, ...entity } = reportOf(report);
  return { entity, regulatoryActions: actions, unreadable };
}

/** The list of a record that has the rows of each kind. */
const lists = {
  license: 'licenses',
  appointment: 'appointments',
  'regulatory action': 'regulatoryActions',
} as const satisfies Record<UnreadableRow['kind'], keyof SimulatedRecord>;

/** What somebody set for an NPN, merged over what the simulator generates. */
export function withRecord(generated: Simulated, overrides: SimulatedRecord, npn: string): Simulated {
  const regulatoryActions = overrides.regulatoryActions ?? generated.regulatoryActions;
  if (overrides.entity === null) return { entity: undefined, regulatoryActions: [], unreadable: [] };
  const unreadable = generated.unreadable.filter(({ kind }) => overrides[lists[kind]] === undefined);
  const heldOf = overrides.entity ?? generated.entity;
  const held = overrides.licenses ?? overrides.appointments ?? overrides.regulatoryActions;
  if (heldOf === undefined && held === undefined) return { entity: undefined, regulatoryActions, unreadable };
  return {
    entity: {
      // The registry knows every NPN that holds a record in it.
      ...(heldOf ?? { kind: 'individual', name: `Holder of ${npn}`, residentStateCode: null }),
      licenses: overrides.licenses ?? generated.entity?.licenses ?? [],
      appointments: overrides.appointments ?? generated.entity?.appointments ?? [],
    },
    regulatoryActions,
    unreadable,
  };
}

/** What a visit reads: of the lists that somebody set, and of all where a customer's own record was taken back. */
function reported(
  { entity, regulatoryActions, unreadable }: Simulated,
  said: SimulatedRecord,
): RegistryReport {
  const { isTakenBack: isAll = false } = said;
  if (entity === undefined && (isAll || said.entity === null)) return unknownNpn;
  // What an import brought is worth more than what is made up, which every night's poll would put in its place.
  return {
    licenses: isAll || said.licenses !== undefined ? entity?.licenses : undefined,
    appointments: isAll || said.appointments !== undefined ? entity?.appointments : undefined,
    actions: isAll || said.regulatoryActions !== undefined ? regulatoryActions : undefined,
    unreadable: isAll ? unreadable : [],
  };
}

/** The registry of environments without a real one: deterministic, except for records that operators and customers set. */
export function createSimulator(table: Table, now: () => Date): Registry {
  const records = createSimulatedRecords(table);
  const ask = async (npn: string) => {
    const overrides = await records.read(npn);
    if (overrides.unavailable === true)
      throw new RegistryUnavailable('The simulated registry is unavailable.');
    return { overrides, simulated: withRecord(simulate(npn, now()), overrides, npn) };
  };
  return {
    async fetch(npn, subscriber) {
      const [{ simulated }, own = {}] = await Promise.all([
        ask(npn),
        subscriber === undefined ? undefined : records.ownOf(subscriber, npn, now()),
      ]);
      const { entity, regulatoryActions, unreadable } = withRecord(simulated, own, npn);
      return entity && { ...entity, actions: regulatoryActions, unreadable };
    },
    async visit(npn, subscriber) {
      const own = subscriber === undefined ? {} : await records.ownOf(subscriber, npn, now());
      if (own === undefined) return undefined;
      const { overrides, simulated } = await ask(npn);
      return reported(withRecord(simulated, own, npn), { ...overrides, ...own });
    },
  };
}
