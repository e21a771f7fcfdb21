import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { createSilentMoves } from '#domain/baselines/baseline.ts';
import { recordsChanged } from '#domain/compliance/inputs-changed.ts';
import { classKindOf } from '#domain/decision/classes.ts';
import type { Coverage } from '#domain/decision/coverage.ts';
import type { DatedSource } from '#domain/decision/dated.ts';
import type { Holding } from '#domain/decision/holdings.ts';
import { type AppointmentRow, contentOf, type LicenseRow } from '#domain/decision/records.ts';
import { isEnd } from '#domain/decision/statements.ts';
import { npn } from '#domain/identifiers/identifiers.ts';
import { reportOf } from '#domain/registry/read-rows.ts';
import { registryHolder } from '#domain/registry/registry.ts';
import { type StatusKind, statusKindOf } from '#domain/registry/words.ts';
import { registryKeys, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { createSubscriberRecords } from '#domain/registry-records/subscriber-records.ts';
import { dataOwnerOf, ensureSubscriptions, requestPoll } from '#domain/registry-records/subscriptions.ts';
import { logUnreadable } from '#domain/registry-records/unreadable-rows.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { below } from '#platform/data/expressions.ts';
import type { Organization } from '#platform/identity/organizations.ts';
import { ownedFields } from '../record-schemas.ts';
import {
  type ImportDependencies,
  type ImportType,
  ownedRecords,
  ownersOfEitherKind,
} from '../run/import-records.ts';
import type { ReadLine } from '../run/lines.ts';

const rows = z.array(z.unknown());

/** A type that operators do not write. */
const type = 'registry-report';

/**
 * The registry's record of an NPN when it was asked. The operators' program makes such lines of the registry's reports in XML,
 * without what is never kept: numbers of social security and dates of birth.
 */
export const registryReport = z.strictObject({
  type: z.literal(type),
  upstreamEntityId: ownedFields.upstreamEntityId,
  npn,
  kind: registryHolder.shape.kind,
  name: z.string(),
  licenses: rows,
  appointments: rows,
  regulatoryActions: rows,
});

type Report = z.output<typeof registryReport>;

/** Reports of the registry, each a visit of its own at the moment of the import's file. */
export const registryReportImport = ({
  tables,
  organizations,
  now,
  command: { at, recordedAt },
  events,
  isSilent,
  log,
}: ImportDependencies<'registryRecords' | 'compliance' | 'organizations'>): ImportType => {
  const { registryRecords: table } = tables;
  const silentMoves = createSilentMoves(tables, now);
  const records = createSubscriberRecords(table, now);

  async function record(organization: Organization, writtenReport: Report) {
    const { organizationId: owner, category } = organization;
    const { npn: holderNpn } = writtenReport;
    const report = reportOf(writtenReport);
    const subscriber = {
      _id: subscriptionIdOf(owner, holderNpn),
      ...dataOwnerOf(organization),
      npn: holderNpn,
    };
    const id = createHash('sha256')
      .update(JSON.stringify([at, writtenReport]))
      .digest('hex')
      .slice(0, 32);
    const { newlyUnreadable } = await records.apply(subscriber, report, {
      isSilent,
      moves: isSilent && category === 'upstreamEntity' ? silentMoves.ofRecords(owner, holderNpn) : undefined,
      moment: { id, at, recordedAt },
      last: ({ isJudged }) =>
        isJudged && category === 'upstreamEntity' ? events([recordsChanged(owner, holderNpn)], now()) : [],
    });
    const key = registryKeys.subscription(owner, subscriber._id);
    const changes = { lastSynchronizationDate: at };
    const isFirst = await table.update(key, changes, { lastSynchronizationDate: null });
    if (!isFirst) await table.update(key, changes, { lastSynchronizationDate: below(at) });
    // Only a visit reports regulatory actions.
    if (report.actions.length > 0) await requestPoll(table, holderNpn, now());
    if (newlyUnreadable > 0) logUnreadable(log, holderNpn, newlyUnreadable, report);
    return report;
  }

  return ownedRecords(organizations, {
    types: [type],
    record: registryReport,
    owners: ownersOfEitherKind,
    async importLines(owner, lines) {
      const npns = lines.map(({ record: { npn: holderNpn } }) => holderNpn);
      await ensureSubscriptions(table, dataOwnerOf(owner), npns, { entityModel: null }, now());
      const ofHolders = Map.groupBy(lines, ({ record: { npn: holderNpn } }) => holderNpn).values();
      await concurrently(ofHolders, async (ofHolder) => {
        for (const { record: writtenReport, note } of ofHolder) {
          const { unreadable = [] } = await record(owner, writtenReport);
          const faults = new Set(unreadable.flatMap((row) => row.faults));
          if (faults.size > 0) {
            const message = `Rows cannot be read, and what their states have is not known: ${[...faults].join(', ')}.`;
            note({ code: 'rows_unreadable', message });
          }
        }
      });
    },
  });
};

// Notes about licenses and appointments that were imported, and mean less than it seems.

/** Members of a line beside its row. */
interface BesideRow {
  readonly type: string;
  readonly upstreamEntityId?: string | undefined;
  readonly isDeleted?: boolean | undefined;
}

type Line<Row> = Pick<ReadLine<Row & BesideRow>, 'record' | 'note'>;

const statusNote = (status: string, things: string) =>
  ({
    code: 'status_unrecognized',
    message: `The status “${status}” of ${things} is not recognized: with it, it is not known whether they are in force.`,
    isCounted: true,
  }) as const;

/** A stated license or appointment, as far as it tells whether an end of it ends something. */
type HeldThing = Pick<Holding<DatedSource<object>>, 'days' | 'said'>;

/**
 * Notes lines that end a license or an appointment of which nothing else is known, and statuses that are not recognized.
 * @returns the lines that are not deleted.
 */
function noteStatuses<Row extends { readonly stateCode: string; readonly status: string }>(
  thing: 'license' | 'appointment',
  lines: readonly Line<Row>[],
  kindOf: (row: Row) => StatusKind,
  holdingsIn: (stateCode: string) => readonly HeldThing[],
): readonly Line<Row>[] {
  const live = lines.filter(({ record }) => record.isDeleted !== true);
  const ends = live.filter(({ record }) => !['live', 'pending', 'unrecognized'].includes(kindOf(record)));
  const isAlone = ({ said, days }: HeldThing): boolean =>
    said.every(({ row }) => isEnd(row)) && days.every(({ mark }) => mark?.is !== 'in force');
  for (const [stateCode, ofState] of Map.groupBy(ends, ({ record }) => record.stateCode)) {
    // By their rows: an agency has thousands of ends.
    const aloneHoldings = holdingsIn(stateCode).filter(isAlone);
    const contents = new Set(
      aloneHoldings.flatMap(({ said }) => said.map(({ row }) => contentOf(row.source))),
    );
    for (const { record, note } of ofState) {
      const { type: _type, isDeleted: _deletion, upstreamEntityId: _owner, ...row } = record;
      if (!contents.has(contentOf(row))) continue;
      note({ code: 'end_unmatched', message: `It ends nothing: no ${thing} is known that it may be of.` });
    }
  }
  for (const { record, note } of live) {
    if (kindOf(record) === 'unrecognized') note(statusNote(record.status, `${thing}s`));
  }
  return live;
}

/**
 * Notes what the lines of a holder's licenses do not say, or say in vain.
 * @param coverage what is known of the holder by then.
 */
export function noteLicenses(
  lines: readonly Line<LicenseRow>[],
  coverage: Pick<Coverage, 'get' | 'classKinds'>,
): void {
  const kindOf = ({ status }: { readonly status: string }) => statusKindOf(status, 'license');
  const holdingsIn = (stateCode: string) => coverage.get(stateCode)?.licenses ?? [];
  for (const { record, note } of noteStatuses('license', lines, kindOf, holdingsIn)) {
    const { stateCode, licenseClassCode, licenseClassName, linesOfAuthority } = record;
    for (const line of linesOfAuthority) {
      if (kindOf(line) === 'unrecognized') note(statusNote(line.status, 'lines of authority'));
    }
    if (classKindOf(record, coverage.classKinds) !== 'unrecognized') continue;
    const classNames = [licenseClassName ?? [], licenseClassCode ?? []].flat();
    const ofClass = classNames.length === 0 ? 'without a class' : `of the class “${classNames.join('”, “')}”`;
    note({
      code: 'class_unrecognized',
      message: `What licenses ${ofClass} allow in ${stateCode} is not recognized: a line of the type class-kind says it.`,
      isCounted: true,
    });
  }
}

/** Notes the same of appointments; see `noteLicenses`. */
export const noteAppointments = (
  lines: readonly Line<AppointmentRow>[],
  coverage: Pick<Coverage, 'get'>,
): void =>
  void noteStatuses(
    'appointment',
    lines,
    ({ status, terminationReason }) => statusKindOf(status, 'appointment', terminationReason),
    (stateCode) => coverage.get(stateCode)?.appointments ?? [],
  );
