import * as z from 'zod/mini';
import { parseIfStored, storedItem } from '../../platform/data/stored.ts';
import { type CalendarDate, newYorkDate } from '../../platform/dates/dates.ts';
import type { AppointmentHolding, Coverage, LicenseHolding } from '../decision/coverage.ts';
import { writtenDate } from '../decision/dates.ts';
import { markOn } from '../decision/days.ts';
import { heldOf } from '../decision/held.ts';
import { inOrder } from '../decision/record.ts';
import {
  lastTermOf,
  leftOut,
  nextSweepDay,
  renewalDateAt,
  renewalDateOf,
  renewalRowOf,
  sweptBy,
} from '../decision/renewal.ts';
import type { Appointment } from '../registry/resources.ts';
import { actionItem, appointmentItem, licenseItem, registryKeys } from './stored.ts';
import type { KeyedItem, RecordedLicense, Recorder, StoredItem, StoredRecords } from './stored-records.ts';

// The items of what lists of an organization show, and of what the sweep finds. They are derived from what is recorded, but for the
// day by which the sweep finds a license, which follows from the item before as well.

/** What is stored already of a holder, and whether what changes it is to send no events. */
interface StoredBefore extends Recorder {
  /** By sort key. */
  readonly items: ReadonlyMap<string, StoredItem>;
}

/** Whether it is left out, and nothing that is known has it begin again. */
const isGone = ({ days }: LicenseHolding, today: CalendarDate): boolean =>
  markOn(days, today)?.is === 'left out' &&
  !days.some(({ from, mark }) => from > today && (mark?.is === 'in force' || mark?.is === 'not known'));

const storedLicense = storedItem('registry-records/license-before', () => ({
  renewalDate: z._default(z.nullable(z.string()), null),
  renewalKey: z.optional(z.string()),
}));

function licenseItems(
  owner: string,
  holding: LicenseHolding<RecordedLicense>,
  at: Date,
  { items, isSilent }: StoredBefore,
): KeyedItem[] {
  const today = newYorkDate(at);
  return heldOf(holding, today).map(({ row: { createdAt: _, ...license }, inForce }) => {
    const key = registryKeys.license(owner, license, holding.key);
    const term = lastTermOf(holding, license);
    const isLeftOut = isGone(holding, today);
    const renewalDate = isLeftOut ? null : renewalDateOf(term);
    const before = parseIfStored(storedLicense, items.get(key.sk));
    const known = holding.said.map(({ row, statement }) => row.source.createdAt ?? statement.at);
    return {
      ...licenseItem(owner, license, {
        of: holding.key,
        inForce,
        renewal: { ...renewalRowOf(license, term), ...(isLeftOut ? { status: leftOut } : {}) },
        renewalDate,
        sweptBy: sweptBy(
          renewalDate,
          before && { ...before, sweptBy: before.renewalKey && writtenDate(before.renewalKey) },
          { isSilent, next: renewalDateAt('EXPIRED', nextSweepDay(at)) },
        ),
      }),
      createdAt: known.reduce((first, time) => (time < first ? time : first)),
    };
  });
}

const appointmentItems = (
  owner: string,
  holding: AppointmentHolding<Appointment>,
  today: CalendarDate,
): KeyedItem[] =>
  heldOf(holding, today).map(({ row, inForce }) => appointmentItem(owner, row, { of: holding.key, inForce }));

/** The licenses and appointments of a holder, each by one item. */
export const presentItems = (
  owner: string,
  coverage: Coverage<RecordedLicense, Appointment>,
  at: Date,
  before: StoredBefore,
): KeyedItem[] =>
  [...coverage.values()].flatMap(({ licenses, appointments }) => [
    ...licenses.flatMap((holding) => licenseItems(owner, holding, at, before)),
    ...appointments.flatMap((holding) => appointmentItems(owner, holding, newYorkDate(at))),
  ]);

/** The regulatory actions of a holder, each as it was stated last: one that a later report leaves out is still listed. */
export function actionItems(owner: string, { actions }: Pick<StoredRecords, 'actions'>): KeyedItem[] {
  const stated = inOrder(actions).flatMap(({ recordedAt, rows }) =>
    rows.map((row) => ({ row, recordedAt, key: registryKeys.action(owner, row).sk })),
  );
  const deletedAt = new Map(
    stated.filter(({ row }) => row.isDeleted === true).map(({ key, recordedAt }) => [key, recordedAt]),
  );
  const counting = stated.filter(({ key, recordedAt }) => recordedAt > (deletedAt.get(key) ?? ''));
  return Array.from(Map.groupBy(counting, ({ key }) => key).values(), (ofAction) => {
    const known = ofAction.map(({ row: { createdAt } }) => createdAt);
    return ofAction.slice(-1).map(({ row: { isDeleted: _, ...action } }) =>
      actionItem(owner, {
        ...action,
        createdAt: known.reduce((first, time) => (time < first ? time : first)),
      }),
    );
  }).flat();
}
