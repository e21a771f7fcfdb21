import type { Table } from '#platform/data/table.ts';
import { reportOf } from './read-rows.ts';
import { type EntityReport, type Registry, type RegistryReport, unknownNpn } from './registry.ts';
import { createSimulatedRecords, type SimulatedRecord } from './simulated-record.ts';
import { simulatedReport } from './simulated-report.ts';

/** Report of the registry for an NPN by itself, each row read as those of its reports are; undefined for an unknown one. */
export function simulate(npn: string, now: Date): EntityReport | undefined {
  const writtenReport = simulatedReport(npn, now);
  return writtenReport && reportOf(writtenReport);
}

/** The list of a record that has the rows of each kind. */
const lists = {
  license: 'licenses',
  appointment: 'appointments',
  'regulatory action': 'regulatoryActions',
} as const;

/** Report with the lists that somebody set in place of the generated ones. */
export function withRecord(
  generatedReport: EntityReport | undefined,
  { entity, ...set }: SimulatedRecord,
  npn: string,
): EntityReport | undefined {
  const isHeld = (set.licenses ?? set.appointments ?? set.regulatoryActions) !== undefined;
  if (entity === null || (generatedReport === undefined && entity === undefined && !isHeld)) return undefined;
  // The registry knows every NPN that holds a record in it.
  const holder = entity ?? generatedReport ?? { kind: 'individual', name: `Holder of ${npn}` };
  return {
    kind: holder.kind,
    name: holder.name,
    licenses: set.licenses ?? generatedReport?.licenses ?? [],
    appointments: set.appointments ?? generatedReport?.appointments ?? [],
    actions: set.regulatoryActions ?? generatedReport?.actions ?? [],
    unreadable: generatedReport?.unreadable?.filter(({ kind }) => set[lists[kind]] === undefined),
  };
}

/** Report that a visit reads: the lists that somebody set, and of all where a customer's own record was taken back. */
function visitReport(report: EntityReport | undefined, set: SimulatedRecord): RegistryReport {
  const { isTakenBack: isAll = false } = set;
  if (report === undefined && (isAll || set.entity === null)) return unknownNpn;
  // What an import brought is worth more than what is made up, which every night's poll would put in its place.
  return {
    licenses: isAll || set.licenses !== undefined ? report?.licenses : undefined,
    appointments: isAll || set.appointments !== undefined ? report?.appointments : undefined,
    actions: isAll || set.regulatoryActions !== undefined ? report?.actions : undefined,
    unreadable: isAll ? report?.unreadable : [],
  };
}

/** The registry of environments without a real one: deterministic, except for records that operators and customers set. */
export function createSimulator(table: Table, now: () => Date): Registry {
  const records = createSimulatedRecords(table);
  const ask = async (npn: string) => {
    const set = await records.read(npn);
    return { set, report: withRecord(simulate(npn, now()), set, npn) };
  };
  const ownRecordOf = async (subscriber: string | undefined, npn: string) =>
    subscriber === undefined ? {} : records.ownOf(subscriber, npn, now());
  return {
    async fetch(npn, subscriber) {
      const [{ report }, ownRecord = {}] = await Promise.all([ask(npn), ownRecordOf(subscriber, npn)]);
      return withRecord(report, ownRecord, npn);
    },
    async visit(npn, subscriber) {
      const ownRecord = await ownRecordOf(subscriber, npn);
      if (ownRecord === undefined) return undefined;
      const { set, report } = await ask(npn);
      return visitReport(withRecord(report, ownRecord, npn), { ...set, ...ownRecord });
    },
  };
}
