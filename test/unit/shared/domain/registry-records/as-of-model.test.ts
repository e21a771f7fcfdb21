import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { complianceOf } from '../../../../../shared/domain/compliance/status.ts';
import { asOf } from '../../../../../shared/domain/registry-records/as-of.ts';
import type { License } from '../../../../../shared/domain/registry-records/license.ts';
import {
  appointmentKind,
  licenseKind,
  type VersionedKind,
} from '../../../../../shared/domain/registry-records/versioned-kinds.ts';
import {
  historyOf,
  isChange,
  type RecordHistory,
  versionAttributes,
  withChange,
} from '../../../../../shared/domain/registry-records/versions.ts';
import { answerOf, versionsOf, type Written } from '../../../../support/memory-model.ts';
import {
  appointmentOf,
  dateOf,
  dayOf,
  everyDay,
  licenseOf,
  stories,
  writtenBy,
} from '../../../../support/memory-stories.ts';

/** More of them for a long run. */
const numRuns = Number(process.env['MEMORY_MODEL_RUNS'] ?? 60);

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
