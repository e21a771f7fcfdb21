import { leftOut } from '../../platform/data/left-out.ts';
import { coverageOf, coveringOn } from '../decision/coverage.ts';
import type { Appointment } from '../registry/appointment.ts';
import type { License } from '../registry/license.ts';
import type { RecordedFacts } from '../registry-records/facts.ts';
import type { AppointmentFilters, LicenseFilters } from '../registry-records/held-records.ts';
import type { RegistryRecords } from '../registry-records/store.ts';
import type { ClassKindsOf } from './class-kinds.ts';
import type { Moment } from './moment.ts';

/** Reads of what an NPN holds, now or as it was known of a day. */
export interface RecordsOfDay {
  readonly registryRecords: Pick<RegistryRecords, 'licensesOf' | 'appointmentsOf'>;
  readonly recordedFacts: RecordedFacts;
  readonly classKindsOf: ClassKindsOf;
}

/** The licenses of an NPN: all that are held, or those that cover a day. */
export async function* licensesOf(
  owner: string,
  npn: string,
  filters: LicenseFilters,
  moment: Moment,
  records: RecordsOfDay,
): AsyncGenerator<License[]> {
  if (moment.isPresent) yield* records.registryRecords.licensesOf(owner, npn, filters);
  else yield matching((await coveringOf(owner, npn, filters, moment, records))?.licenses ?? [], filters);
}

/** The appointments of an NPN: all that are held, or those that cover a day. */
export async function* appointmentsOf(
  owner: string,
  npn: string,
  filters: AppointmentFilters,
  moment: Moment,
  records: RecordsOfDay,
): AsyncGenerator<Appointment[]> {
  if (moment.isPresent) yield* records.registryRecords.appointmentsOf(owner, npn, filters);
  else yield matching((await coveringOf(owner, npn, filters, moment, records))?.appointments ?? [], filters);
}

/** What covers a day; where a fact can't be read, a list has none of the holder's, since any of them may follow from it. */
async function coveringOf(
  owner: string,
  npn: string,
  { stateCode }: LicenseFilters,
  { day, knownAt }: Moment,
  { recordedFacts, classKindsOf }: RecordsOfDay,
) {
  const [facts, classKinds] = await Promise.all([
    recordedFacts.factsOf(owner, npn, stateCode).catch(leftOut),
    classKindsOf(owner),
  ]);
  return facts && coveringOn(coverageOf(facts, knownAt, classKinds), day);
}

/** Those of the filters' state, since what is read of a state has the home states with it, and of their status. */
const matching = <Row extends { readonly status: string; readonly stateCode: string }>(
  rows: readonly Row[],
  { status, stateCode }: LicenseFilters,
): Row[] =>
  rows.filter(
    (row) => (status ?? row.status) === row.status && (stateCode ?? row.stateCode) === row.stateCode,
  );
