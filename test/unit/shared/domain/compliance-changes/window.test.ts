import * as fc from 'fast-check';
import {
  type ChangeWindow,
  longestMs,
  settleMs,
  untilDue,
  withChange,
} from '../../../../../shared/domain/compliance-changes/window.ts';

const start = Date.parse('2026-06-01T09:00:00.000Z');
/** Changes as they follow each other, in milliseconds. */
const gaps = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 80 });

/** The window as changes move it, for as long as it is open. */
function windowAfter(between: readonly number[]): { open: ChangeWindow; last: number } {
  let at = start;
  let open = withChange(undefined, new Date(at));
  for (const gap of between) {
    if (at + gap >= Date.parse(open.deliverAfter)) break;
    at += gap;
    open = withChange(open, new Date(at));
  }
  return { open, last: at };
}

test('no event is later than 30 minutes after the first change', () =>
  fc.assert(
    fc.property(gaps, (between) => {
      const { open } = windowAfter(between);
      expect(Date.parse(open.firstChangeAt)).toBe(start);
      expect(Date.parse(open.deliverAfter)).toBeLessThanOrEqual(start + longestMs);
    }),
  ));

test('no event is earlier than a minute after the last change, except at the cap', () =>
  fc.assert(
    fc.property(gaps, (between) => {
      const { open, last } = windowAfter(between);
      const due = Date.parse(open.deliverAfter);
      expect(due === last + settleMs || (due === start + longestMs && due < last + settleMs)).toBe(true);
    }),
  ));

test('a clock that is behind never moves a window back', () =>
  fc.assert(
    fc.property(gaps, fc.integer({ min: 0, max: 600_000 }), (between, behind) => {
      const { open, last } = windowAfter(between);
      const again = withChange(open, new Date(last - behind));
      expect(again.deliverAfter >= open.deliverAfter).toBe(true);
      expect(Date.parse(again.deliverAfter)).toBeLessThanOrEqual(start + longestMs);
    }),
  ));

test('a window is due at its time, not before', () => {
  const open = withChange(undefined, new Date(start));
  expect(untilDue(open, new Date(start))).toBe(60_000);
  expect(untilDue(open, new Date(start + 59_999))).toBe(1);
  expect(untilDue(open, new Date(start + 61_000))).toBe(0);
});
