import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { recordsChanged } from '../../shared/domain/compliance/inputs-changed.ts';
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
import { npn } from '../../shared/domain/identifiers/identifiers.ts';
import { reportOf } from '../../shared/domain/registry/read-rows.ts';
import { registryEntity } from '../../shared/domain/registry/registry.ts';
import { statusKindOf } from '../../shared/domain/registry/words.ts';
import { createReconciliationStore } from '../../shared/domain/registry-reconciliation/visit.ts';
import { subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import {
  askAgainIfSuperseded,
  createSubscriberRecords,
  newVisit,
} from '../../shared/domain/registry-records/subscriber-records.ts';
import {
  dataOwnerOf,
  ensureSubscriptions,
  requestPoll,
} from '../../shared/domain/registry-records/subscriptions.ts';
import { existing, invalidAt } from '../../shared/platform/contract/errors.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/json.ts';
import type { Organization } from '../../shared/platform/identity/organizations.ts';
import { ownedFields, recordTime } from './common-fields.ts';
import {
  type ImportDependencies,
  type ImportType,
  ownedRecords,
  ownersOfEitherKind,
} from './import-records.ts';
import { importInOrder, type ReadLine, type RejectedLine } from './lines.ts';

const rows = z.array(z.unknown());

/** Not among the types that operators write. */
const type = 'registry-report';

/**
 * What the registry had on record of an NPN when it was asked. The operators' program makes such lines of the registry's reports in
 * XML, without what is never kept: numbers of social security and dates of birth.
 */
export const registryReport = z.strictObject({
  type: z.literal(type),
  upstreamEntityId: ownedFields.upstreamEntityId,
  npn,
  askedAt: recordTime,
  kind: registryEntity.shape.kind,
  name: z.string(),
  licenses: rows,
  appointments: rows,
  regulatoryActions: rows,
});

type Report = z.output<typeof registryReport>;

/** Holders whose records are written at the same time. */
const concurrency = 8;

/** Reports of the registry, each a visit of its own at the time at which it was asked for. */
export const registryReportImport = ({
  tables: { registryRecords: table },
  organizations,
  now,
  events,
  isSilent,
  onSetAside,
}: ImportDependencies<'registryRecords'>): ImportType => {
  const records = createSubscriberRecords(table, now);
  const store = createReconciliationStore(table);

  /** @throws ApiError `validation_error` for a report that says nothing, since the registry was asked later. */
  async function record(organization: Organization, given: Report) {
    const { organizationId: owner, category } = organization;
    const { npn: of, askedAt } = given;
    const report = reportOf(given);
    const subscriber = { _id: subscriptionIdOf(owner, of), ...dataOwnerOf(organization), npn: of };
    const commandId = createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 32);
    const { setAside, askedLater } = await askAgainIfSuperseded(async () => {
      const subscription = existing(await store.subscriber(subscriber));
      const visit = newVisit(subscription);
      const { lastSynchronizationDate: before } = subscription;
      const isLast = before === null || before < askedAt;
      return records.apply(subscriber, report, {
        by: 'synchronization',
        isSilent,
        asked: { commandId, at: askedAt },
        guard: store.visited(subscription, visit),
        last: ({ isJudged }) => [
          store.visited(subscription, visit, isLast ? { lastSynchronizationDate: askedAt } : {}),
          ...(isJudged && category === 'upstreamEntity' ? events([recordsChanged(owner, of)], now()) : []),
        ],
      });
    });
    if (askedLater !== undefined) {
      throw invalidAt('askedAt', `is before ${askedLater}, when the registry was asked later`);
    }
    // Only a poll reports regulatory actions.
    if (report.actions.length > 0) await requestPoll(table, of, now());
    const faults = (report.setAside ?? []).flatMap((row) => row.faults);
    if (setAside > 0) onSetAside(setAside, faults);
    return { faults, nulled: report.nulled ?? [] };
  }

  return ownedRecords(organizations, {
    types: [type],
    record: registryReport,
    owners: ownersOfEitherKind,
    async importLines(owner, lines) {
      const rejected: RejectedLine[] = [];
      const npns = lines.map(({ record: { npn: of } }) => of);
      await ensureSubscriptions(table, dataOwnerOf(owner), npns, { entityModel: null }, now());
      await concurrently(
        Map.groupBy(lines, ({ record: { npn: of } }) => of).values(),
        concurrency,
        async (ofHolder) => {
          const inOrder = ofHolder.toSorted((one, other) =>
            one.record.askedAt < other.record.askedAt ? -1 : 1,
          );
          for (const one of inOrder) {
            await importInOrder([one], rejected, async (given) => {
              if (given.askedAt > now().toISOString()) throw invalidAt('askedAt', 'is in the future');
              const { faults, nulled } = await record(owner, given);
              if (faults.length > 0) {
                const message = `Rows cannot be read, and are set aside: ${[...new Set(faults)].join(', ')}.`;
                one.note({ code: 'rows_set_aside', message });
              }
              for (const name of nulled) {
                const message = `${name} cannot be read, and is left out.`;
                one.note({ code: 'field_left_out', message, isCounted: true });
              }
              return undefined;
            });
          }
        },
      );
      return rejected;
    },
  });
};

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
