import { randomBytes } from 'node:crypto';
import type { License } from '../../../../../shared/domain/registry-records/license.ts';
import { licenseKind } from '../../../../../shared/domain/registry-records/versioned-kinds.ts';
import {
  historyOf,
  type RecordHistory,
  versionAttributes,
  withChange,
} from '../../../../../shared/domain/registry-records/versions.ts';
import { itemBytes } from '../../../../../shared/platform/aws/limits.ts';
import { sampleLicense } from '../../../../support/versioned-records.ts';

const recorded = (history: RecordHistory<License>, at: string, fields: Partial<License>) =>
  withChange(licenseKind, history, {
    record: sampleLicense(fields),
    by: 'synchronization',
    at: new Date(at),
  });

it('keeps a version for ten years after the next one', () => {
  const first = recorded([], '2026-01-10T09:00:00.000Z', {});
  const second = recorded(first, '2027-01-10T09:00:00.000Z', { status: 'inactive' });
  expect(recorded(second, '2037-01-10T09:00:00.000Z', { status: 'active' })).toHaveLength(3);
  expect(recorded(second, '2037-01-11T09:00:00.000Z', { status: 'active' })).toHaveLength(2);
});

it('takes no change of the time alone for a change', () => {
  const first = recorded([], '2026-01-10T09:00:00.000Z', {});
  expect(recorded(first, '2026-02-10T09:00:00.000Z', { updatedAt: '2026-02-10T09:00:00.000Z' })).toBe(first);
});

it('keeps versions in the order of their writes, though the time of one is earlier', () => {
  const first = recorded([], '2026-01-10T09:00:00.000Z', {});
  const second = recorded(first, '2026-01-09T09:00:00.000Z', { status: 'inactive' });
  expect(second.map(({ recordedAt }) => recordedAt)).toEqual(Array(2).fill('2026-01-10T09:00:00.000Z'));
});

it('leaves out the oldest versions where all of them would not fit into an item', () => {
  let history: RecordHistory<License> = [];
  for (let index = 0; index < 40; index += 1) {
    // Noise, which cannot be compressed.
    const licenseClassName = randomBytes(6_000).toString('base64');
    history = recorded(history, new Date(Date.UTC(2026, 0, index + 1)).toISOString(), { licenseClassName });
  }
  const item = { ...sampleLicense(), ...versionAttributes(history, undefined) };
  const kept = historyOf(licenseKind, item);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.length).toBeLessThan(40);
  expect(kept.at(-2)).toEqual(history.at(-2));
  expect((item as { earlierVersions?: Uint8Array }).earlierVersions?.length).toBeLessThan(itemBytes / 2);
});
