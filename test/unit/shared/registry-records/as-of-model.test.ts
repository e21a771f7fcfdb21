import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { complianceOf } from '../../../../shared/compliance/status.ts';
import { addDays } from '../../../../shared/dates/calendar.ts';
import { asOf } from '../../../../shared/registry-records/as-of.ts';
import {
  appointmentKind,
  licenseKind,
  type VersionedKind,
} from '../../../../shared/registry-records/versioned-kinds.ts';
import {
  historyOf,
  isChange,
  type RecordHistory,
  versionAttributes,
  withChange,
} from '../../../../shared/registry-records/versions.ts';
import type { Appointment } from '../../../../shared/resources/appointment.ts';
import type { License } from '../../../../shared/resources/license.ts';
import { answerOf, versionsOf, type Written } from '../../../support/memory-model.ts';
import { sampleAppointment, sampleLicense } from '../../../support/versioned-records.ts';

/** More of them for a long run. */
const numRuns = Number(process.env['MEMORY_MODEL_RUNS'] ?? 250);

// In winter New York is five hours behind UTC, all the time.
const start = '2026-01-05';
const days = 30;
const dayOf = (number: number): string => addDays(start, number);
const dateOf = (number: number | null): string | null => (number === null ? null : dayOf(number));

const someDay = fc.integer({ min: -20, max: days + 20 });
const write = fc.record({
  /** Later than the one before, seldom earlier: a reconciliation writes the time of its start. */
  after: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 6 }) }, fc.constantFrom(-1)),
  minute: fc.integer({ min: 0, max: 24 * 60 - 1 }),
  by: fc.constantFrom('synchronization' as const, 'reconciliation' as const, 'import' as const),
  isActive: fc.boolean(),
  isGone: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  first: fc.option(someDay),
  last: fc.option(someDay),
  content: fc.constantFrom('16', '17'),
  given: fc.option(someDay),
  /** Which of its fields a synchronization finds as they were. */
  keeps: fc.subarray(['isActive', 'first', 'last', 'content'] as const),
});

type Step = typeof write extends fc.Arbitrary<infer One> ? One : never;

/** What is written by the steps, each with its time. */
function writtenBy(
  steps: readonly Step[],
  hasStatusDate: boolean,
): { at: Date; by: Step['by']; written: Written }[] {
  let on = 0;
  let before: Step | undefined;
  return steps.map((step) => {
    on = Math.max(0, on + step.after);
    const kept = Object.fromEntries(step.keeps.map((field) => [field, (before ?? step)[field]]));
    const one = { ...step, ...kept };
    before = one;
    const { isActive, isGone, first, last, content, by, minute } = one;
    const at = new Date(Date.parse(`${dayOf(on)}T05:00:00Z`) + minute * 60_000);
    const given = by === 'import' ? one.given : null;
    const statusDate = hasStatusDate ? first : null;
    return { at, by, written: { on, isActive, isGone, first, last, statusDate, content, given } };
  });
}

/** The product's history of what was written, stored and read again after each write. */
function storedHistory<Item extends { readonly updatedAt: string }>(
  kind: VersionedKind<Item>,
  writes: ReturnType<typeof writtenBy>,
  recordOf: (written: Written, updatedAt: string) => Item,
): RecordHistory<Item> {
  let item: Record<string, unknown> | undefined;
  for (const { at, by, written } of writes) {
    const history = item === undefined ? [] : historyOf(kind, item);
    const record = recordOf(written, at.toISOString());
    const change = {
      record,
      isDeleted: written.isGone,
      validFrom: dateOf(written.given) ?? undefined,
      by,
      at,
    };
    if (!isChange(kind, history.at(-1), change)) continue;
    const versions = versionAttributes(withChange(kind, history, change), item);
    item = unmarshall(marshall({ ...record, ...versions, isDeleted: written.isGone }));
  }
  return item === undefined ? [] : historyOf(kind, item);
}

const everyDay = Array.from({ length: days + 60 }, (_, index) => index - 30);

const stories = fc.array(write, { minLength: 1, maxLength: 8 });

const licenseOf = (written: Written, updatedAt: string): License =>
  sampleLicense({
    status: written.isActive ? 'active' : 'inactive',
    issueDate: dateOf(written.first),
    nextRenewalDate: dateOf(written.last),
    linesOfAuthority: [{ code: written.content, name: 'Line', status: 'active' }],
    updatedAt,
  });

const appointmentOf = (written: Written, updatedAt: string): Appointment =>
  sampleAppointment({
    terminationReason: written.isActive ? null : 'Terminated by carrier',
    statusChangeDate: dateOf(written.first),
    renewalDate: dateOf(written.last),
    countyName: written.content,
    updatedAt,
  });

/** Whether compliance, which judges what the rule passes to it, finds a license on a day. */
const isLicensed = (record: License | undefined, today: string): boolean =>
  complianceOf({
    config: { states: [] },
    stateCode: 'TX',
    licenses: record === undefined ? [] : [record],
    appointments: [],
    carrier: { name: 'Beacon', naicCodes: [], eins: [] },
    today,
  }).licenseStatus.statusName === 'Licensed';

it('says of a license on each day what the rule says over what was recorded', async () => {
  await fc.assert(
    fc.property(stories, (steps) => {
      const writes = writtenBy(steps, false);
      const versions = versionsOf(writes.map(({ written }) => written));
      const history = storedHistory(licenseKind, writes, licenseOf);
      const said = everyDay.map((day) => {
        const { record, isLive, isRecorded } = asOf(history, dayOf(day));
        const content = isLive ? record?.linesOfAuthority[0]?.code : undefined;
        return { day, isLive, content, isRecorded, isLicensed: isLicensed(record, dayOf(day)) };
      });
      expect(said).toEqual(
        everyDay.map((day) => {
          const answer = answerOf(versions, day);
          return { day, ...answer, isLicensed: answer.isLive };
        }),
      );
    }),
    { numRuns },
  );
});

it('says of an appointment on each day what the rule says over what was recorded', async () => {
  await fc.assert(
    fc.property(stories, (steps) => {
      const writes = writtenBy(steps, true);
      const versions = versionsOf(writes.map(({ written }) => written));
      const history = storedHistory(appointmentKind, writes, appointmentOf);
      const said = everyDay.map((day) => {
        const { record, isLive, isRecorded } = asOf(history, dayOf(day));
        return { day, isLive, content: isLive ? (record?.countyName ?? undefined) : undefined, isRecorded };
      });
      expect(said).toEqual(everyDay.map((day) => ({ day, ...answerOf(versions, day) })));
    }),
    { numRuns },
  );
});

it('says of today what the present record says, unless that begins later', async () => {
  await fc.assert(
    fc.property(stories, fc.integer({ min: 0, max: 20 }), (steps, since) => {
      const writes = writtenBy(steps, false);
      const history = storedHistory(licenseKind, writes, licenseOf);
      const last = history.at(-1);
      const today = dayOf(Math.max(...writes.map(({ written }) => written.on)) + since);
      if (last === undefined || (last.validFrom ?? '') > today) return;
      const isPresent = !last.isDeleted && isLicensed(last.record, today);
      expect(asOf(history, today).isLive).toBe(isPresent);
    }),
    { numRuns },
  );
});
