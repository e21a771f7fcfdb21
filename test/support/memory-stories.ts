// Random stories of what becomes of a license or an appointment, by synchronizations, late ones too, and imports.
import * as fc from 'fast-check';
import type { Appointment } from '../../shared/domain/registry-records/appointment.ts';
import type { License } from '../../shared/domain/registry-records/license.ts';
import { addDays } from '../../shared/platform/dates/calendar.ts';
import type { Written } from './memory-model.ts';
import { sampleAppointment, sampleLicense } from './versioned-records.ts';

// In winter New York is five hours behind UTC, all the time.
const start = '2026-01-05';
const days = 30;
export const dayOf = (number: number): string => addDays(start, number);
export const dateOf = (number: number | null): string | null => (number === null ? null : dayOf(number));

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

export type Step = typeof write extends fc.Arbitrary<infer One> ? One : never;

/** What is written by the steps, each with its time. */
export function writtenBy(
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

/** Every day to ask about: some before the story, and some after it. */
export const everyDay = Array.from({ length: days + 60 }, (_, index) => index - 30);

export const stories = fc.array(write, { minLength: 1, maxLength: 8 });

export const licenseOf = (written: Written, updatedAt: string): License =>
  sampleLicense({
    status: written.isActive ? 'active' : 'inactive',
    issueDate: dateOf(written.first),
    nextRenewalDate: dateOf(written.last),
    linesOfAuthority: [{ code: written.content, name: 'Line', status: 'active' }],
    updatedAt,
  });

export const appointmentOf = (written: Written, updatedAt: string): Appointment =>
  sampleAppointment({
    terminationReason: written.isActive ? null : 'Terminated by carrier',
    statusChangeDate: dateOf(written.first),
    renewalDate: dateOf(written.last),
    countyName: written.content,
    updatedAt,
  });
