import { type ClassKindVersion, classKindOf } from '../../shared/domain/decision/classes.ts';
import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import { never } from '../../shared/domain/decision/dates.ts';
import {
  type AppointmentRow,
  type HolderFacts,
  type LicenseRow,
  type ListKind,
  statedMembers,
} from '../../shared/domain/decision/facts.ts';
import { statusKindOf } from '../../shared/domain/registry/words.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/node-util.ts';
import type { ReadLine } from './lines.ts';

// Notes about licenses and appointments that were imported, and mean less than it seems.

type Line<Row> = Pick<ReadLine<Row & { readonly isDeleted?: boolean | undefined }>, 'record' | 'note'>;

const statusNote = (status: string, of: string) =>
  ({
    code: 'status_unrecognized',
    message: `The status “${status}” of ${of} is not recognized: with it, they are not in force.`,
    isCounted: true,
  }) as const;

/** Whether a line states what a row does; a row has no more members than what it states, and our own. */
const states = (line: object, row: object): boolean => {
  const stated = new Map(Object.entries(line));
  return Object.entries(statedMembers(row)).every(([name, value]) =>
    isDeepStrictEqual(stated.get(name), value),
  );
};

/** Notes lines that end a license or an appointment, and found none to end. */
function noteUnmatchedEnds<Row extends LicenseRow | AppointmentRow>(
  kind: ListKind,
  ends: readonly Line<Row>[],
  facts: HolderFacts,
): void {
  if (ends.length === 0) return;
  const coverage = coverageOf(facts, never);
  for (const { record, note } of ends) {
    const unmatched = coverage.get(record.stateCode)?.unmatchedEnds ?? [];
    if (!unmatched.some((end) => end.kind === kind && states(record, end.row))) continue;
    note({
      code: 'end_unmatched',
      message: `The ${kind} is not in force, and it is not known which held one that ends.`,
    });
  }
}

/**
 * Notes what the lines of a holder's licenses do not say, or say in vain.
 * @param facts what is recorded of the holder by then.
 */
export function noteLicenses(
  lines: readonly Line<LicenseRow>[],
  facts: HolderFacts,
  classKinds: readonly ClassKindVersion[],
): void {
  const live = lines.filter(({ record }) => record.isDeleted !== true);
  const isEnd = ({ record: { status } }: Line<LicenseRow>): boolean =>
    !['live', 'unrecognized'].includes(statusKindOf(status, 'license'));
  noteUnmatchedEnds('license', live.filter(isEnd), facts);
  for (const { record, note } of live) {
    const { status, stateCode, licenseClassCode, licenseClassName, linesOfAuthority } = record;
    if (statusKindOf(status, 'license') === 'unrecognized') note(statusNote(status, 'licenses'));
    for (const line of linesOfAuthority) {
      if (statusKindOf(line.status, 'license') === 'unrecognized') {
        note(statusNote(line.status, 'lines of authority'));
      }
    }
    if (classKindOf(record, classKinds) === 'unrecognized') {
      const named = [licenseClassName ?? [], licenseClassCode ?? []].flat();
      const ofClass = named.length === 0 ? 'without a class' : `of the class “${named.join('”, “')}”`;
      note({
        code: 'class_unrecognized',
        message: `What licenses ${ofClass} allow in ${stateCode} is not recognized: a line of the type class-kind says it.`,
        isCounted: true,
      });
    }
  }
}

/** Notes the same of appointments; see `noteLicenses`. */
export function noteAppointments(lines: readonly Line<AppointmentRow>[], facts: HolderFacts): void {
  const live = lines.filter(({ record }) => record.isDeleted !== true);
  const kindOf = ({ record: { status, terminationReason } }: Line<AppointmentRow>) =>
    statusKindOf(status, 'appointment', terminationReason);
  noteUnmatchedEnds(
    'appointment',
    live.filter((line) => !['live', 'unrecognized'].includes(kindOf(line))),
    facts,
  );
  for (const line of live) {
    if (kindOf(line) === 'unrecognized') line.note(statusNote(line.record.status, 'appointments'));
  }
}
