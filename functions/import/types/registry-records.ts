// The imports of licenses, appointments, and regulatory actions: the lines of an NPN become statements about its holder.

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { StoredAssociation } from '#domain/associations/stored.ts';
import { createSilentMoves } from '#domain/baselines/baseline.ts';
import { recordsChanged } from '#domain/compliance/inputs-changed.ts';
import { createClassKindsOf } from '#domain/compliance/store.ts';
import { classKindOf } from '#domain/decision/classes.ts';
import type { Coverage } from '#domain/decision/coverage.ts';
import { type DatedSource, datedAppointment, datedLicense } from '#domain/decision/dated.ts';
import { deletes, type Holding } from '#domain/decision/holdings.ts';
import { type ImportedRows, recordImport } from '#domain/decision/record.ts';
import { type AppointmentRow, contentOf, type LicenseRow, type StatedRow } from '#domain/decision/records.ts';
import { isEnd } from '#domain/decision/statements.ts';
import { npn } from '#domain/identifiers/identifiers.ts';
import { reportOf } from '#domain/registry/read-rows.ts';
import { registryHolder } from '#domain/registry/registry.ts';
import { type StatusKind, statusKindOf } from '#domain/registry/words.ts';
import { createHolderRecords, type StoredHolder } from '#domain/registry-records/holder-records.ts';
import { registryKeys, regulatoryActionIdOf, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import type { HolderCoverage, RecordedRow } from '#domain/registry-records/stored-records.ts';
import { createSubscriberRecords } from '#domain/registry-records/subscriber-records.ts';
import {
  dataOwnerOf,
  ensureSubscriptions,
  firstPollItem,
  firstPollOfAgency,
  requestPoll,
} from '#domain/registry-records/subscriptions.ts';
import { logUnreadable } from '#domain/registry-records/unreadable-rows.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { lazily } from '#platform/contract/lazily.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { below } from '#platform/data/expressions.ts';
import type { TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import type { Organization } from '#platform/identity/organizations.ts';
import { keyOfLicense, type RecordedLicenses, readNpnsOfLicenses } from '../matching/decide.ts';
import { ownedFields, type RecordType, recordSchemas } from '../record-schemas.ts';
import {
  type ImportDependencies,
  type ImportType,
  ownedRecords,
  ownersOfEitherKind,
  readLines,
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

type Line<Row> = Pick<
  ReadLine<Row & Pick<RegistryLine, 'type' | 'upstreamEntityId' | 'isDeleted'>>,
  'record' | 'note'
>;

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
function noteLicenses(
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
const noteAppointments = (lines: readonly Line<AppointmentRow>[], coverage: Pick<Coverage, 'get'>): void =>
  void noteStatuses(
    'appointment',
    lines,
    ({ status, terminationReason }) => statusKindOf(status, 'appointment', terminationReason),
    (stateCode) => coverage.get(stateCode)?.appointments ?? [],
  );

const datedRow = (row: StatedRow<RecordedRow>) =>
  'licenseNumber' in row ? datedLicense(row) : 'companyCode' in row ? datedAppointment(row) : undefined;

/**
 * Notes lines that delete what nobody stated before.
 * @param rows those of the lines.
 */
function noteDeletions(
  lines: readonly Pick<ReadLine<unknown>, 'note'>[],
  rows: readonly StatedRow<RecordedRow>[],
  rowsBefore: readonly StatedRow<RecordedRow>[],
): void {
  const datedBefore = lazily(() => rowsBefore.flatMap((row) => datedRow(row) ?? []));
  for (const [index, row] of rows.entries()) {
    const deletion = row.isDeleted === true ? datedRow(row) : undefined;
    if (deletion === undefined) continue;
    const isOfState = ({ source }: { source: Pick<RecordedRow, 'stateCode'> }): boolean =>
      source.stateCode === row.stateCode;
    if (datedBefore().some((one) => isOfState(one) && deletes(deletion, one))) continue;
    const message =
      'It deletes nothing: no such row, of its status and with its dates, was imported or reported before.';
    lines[index]?.note({ code: 'deletion_unmatched', message });
  }
}

type RegistryDependencies = ImportDependencies<'registryRecords' | 'compliance' | 'organizations'>;

/** Lines about one holder. */
interface HolderLines<Line> {
  readonly owner: string;
  readonly npn: string;
  readonly lines: readonly Line[];
  /** ISO time of the attempt, for records that have no other. */
  readonly now: string;
}

type RecordLine<Type extends 'license' | 'appointment' | 'regulatory-action'> = z.output<
  (typeof recordSchemas)[Type]
>;

/** A line as operators write it: about the holder of an NPN or, without one, of a license. */
type WrittenLine = Pick<
  RecordLine<'appointment'>,
  'npn' | 'licenseNumber' | 'stateCode' | 'upstreamEntityId'
>;

interface RegistryLine extends Pick<RecordLine<'license'>, keyof typeof ownedFields | 'stateCode'> {
  readonly type: RecordType;
  readonly npn: string;
}

/**
 * Records of the registry, of an organization of either kind, identified by their content, not by an id. The subscription
 * for their NPN is created first if it is missing.
 */
const registryRecordImport = <Written extends WrittenLine, Item extends RegistryLine>(
  { tables, organizations, now, command, events, isSilent, recordedLicenses }: RegistryDependencies,
  kind: {
    readonly type: RecordType;
    readonly record: z.core.$ZodType<Written>;
    /** A line with the NPN of its holder. */
    readonly lineOf: (writtenLine: Written, npn: string) => Item;
    /** Builds the statement that lines of a holder make. */
    readonly statementOf: (
      lines: HolderLines<Item>,
      completeStates: ReadonlySet<string>,
      storedHolder: StoredHolder,
    ) => ImportedRows<RecordedRow>;
    /** Tells of the lines of a holder; left out for records of which there is nothing to tell. */
    readonly noteLines?: (
      lines: readonly ReadLine<Item>[],
      coverage: Pick<HolderCoverage, 'get' | 'classKinds'>,
    ) => void;
    /** The id under which a line is stored; left out for records without. */
    readonly idOf?: (owner: string, line: Item) => string;
  },
): ImportType => {
  const { registryRecords: table } = tables;
  const holderRecords = createHolderRecords(table, now);
  const classKindsOf = createClassKindsOf(tables.compliance);
  const silentMoves = createSilentMoves(tables, now);

  return ownedRecords<Written>(organizations, {
    types: [kind.type],
    record: kind.record,
    owners: ownersOfEitherKind,
    async importLines(organization, writtenLines, isComplete) {
      const { organizationId: owner, category } = organization;
      const holderOf = await readHolders(table, owner, writtenLines, recordedLicenses);
      const lines = readLines(writtenLines, (record) => kind.lineOf(record, holderOf(record)));
      const isWhole = isComplete && lines.length === writtenLines.length;
      const byNpn = Map.groupBy(lines, ({ record }) => record.npn);
      const use = { entityModel: null };
      await ensureSubscriptions(table, dataOwnerOf(organization), byNpn.keys(), use, now());
      const isReported = category === 'upstreamEntity';
      const { noteLines, idOf } = kind;
      const classKinds = noteLines === undefined ? [] : await classKindsOf(owner);

      await concurrently(byNpn, async ([npn, ofHolder]: [string, ReadLine<Item>[]]) => {
        const holderRecordsOfLines = ofHolder.map(({ record }) => record);
        const completeStates = new Set(isWhole ? holderRecordsOfLines.map(({ stateCode }) => stateCode) : []);
        const decide = (storedHolder: StoredHolder) => {
          const ofLines = { owner, npn, lines: holderRecordsOfLines, now: now().toISOString() };
          const statement = kind.statementOf(ofLines, completeStates, storedHolder);
          const { records } = storedHolder;
          const statementsBefore = records.statements.filter(
            (one) => one.kind === statement.kind && one.recordedAt < command.recordedAt,
          );
          return {
            ...recordImport(records, statement, command),
            rows: statement.rows,
            rowsBefore: statementsBefore.flatMap((one) => one.rows),
          };
        };
        const { coverage, change } = await holderRecords.record({ owner, npn }, { isSilent }, decide, {
          moves: isSilent && isReported ? silentMoves.ofRecords(owner, npn) : undefined,
          last: ({ isJudged }) => (isJudged && isReported ? events([recordsChanged(owner, npn)], now()) : []),
        });
        // Only a visit reports regulatory actions.
        const isActionNew = change.statements.some(
          ({ kind: of, repetitions }) => of === 'regulatory action' && repetitions === undefined,
        );
        if (isActionNew) await requestPoll(table, npn, now());
        for (const { record } of kind.type === 'license' ? ofHolder : []) {
          const key = record.isDeleted === true ? undefined : keyOfLicense(owner, licenseOf(record));
          if (key !== undefined)
            recordedLicenses.set(key, new Set([...(recordedLicenses.get(key) ?? []), npn]));
        }
        noteDeletions(ofHolder, change.rows, change.rowsBefore);
        noteLines?.(ofHolder, { get: coverage.get, classKinds });
        if (idOf !== undefined) for (const { record, identify } of ofHolder) identify(idOf(owner, record));
      });
    },
  });
};

const licenseOf = ({ licenseNumber: number, stateCode: state }: WrittenLine) => ({ number, state });

/** Reads who the holders are that lines name by a license. */
async function readHolders(
  table: RegistryDependencies['tables']['registryRecords'],
  owner: string,
  lines: readonly ReadLine<WrittenLine>[],
  recordedLicenses: RecordedLicenses,
) {
  const unnamedLicenses = lines.flatMap(({ record }) => (record.npn === undefined ? licenseOf(record) : []));
  const npnsOf = await readNpnsOfLicenses(table, owner, unnamedLicenses, recordedLicenses);
  return (line: WrittenLine): string => {
    if (line.npn !== undefined) return line.npn;
    const [npn, ...otherNpns] = npnsOf(licenseOf(line));
    if (npn !== undefined && otherNpns.length === 0) return npn;
    const holderNames = npn === undefined ? 'nobody' : `several (${[npn, ...otherNpns].join(', ')})`;
    throw invalidAt('licenseNumber', `is that of ${holderNames} in ${line.stateCode}: the npn is required`);
  };
}

const licenseLine = (line: RecordLine<'license'>, npn: string) => ({ ...line, npn });

// The license by which these name their holder is not their own.
const withoutLicense = <Line extends RecordLine<'appointment' | 'regulatory-action'>>(
  { licenseNumber: _, ...line }: Line,
  npn: string,
) => ({ ...line, npn });

/** The rows of lines, with our own members, whose ids are derived. */
const rowsOf = <Line extends RegistryLine>({ owner, npn, lines, now }: HolderLines<Line>) =>
  lines.map(({ type: _type, _id, upstreamEntityId: _owner, updatedAt = now, isDeleted, ...ownFields }) => ({
    ...ownFields,
    registryDataSubscriptionId: subscriptionIdOf(owner, npn),
    updatedAt,
    ...(isDeleted === true ? { isDeleted } : {}),
  }));

/** Licenses of organizations of either kind. */
export const licenseImport = (dependencies: RegistryDependencies): ImportType =>
  registryRecordImport(dependencies, {
    type: 'license',
    record: recordSchemas.license,
    lineOf: licenseLine,
    noteLines: noteLicenses,
    statementOf: (lines, completeStates) => ({ kind: 'license', rows: rowsOf(lines), completeStates }),
  });

/** Appointments of organizations of either kind. */
export const appointmentImport = (dependencies: RegistryDependencies): ImportType =>
  registryRecordImport(dependencies, {
    type: 'appointment',
    record: recordSchemas.appointment,
    lineOf: withoutLicense<RecordLine<'appointment'>>,
    noteLines: noteAppointments,
    statementOf: (lines, completeStates) => ({ kind: 'appointment', rows: rowsOf(lines), completeStates }),
  });

/** Regulatory actions of organizations of either kind; the daily reconciliation alone emits events of them. */
export const regulatoryActionImport = (dependencies: RegistryDependencies): ImportType =>
  registryRecordImport(dependencies, {
    type: 'regulatory-action',
    record: recordSchemas['regulatory-action'],
    lineOf: withoutLicense<RecordLine<'regulatory-action'>>,
    statementOf: (lines, completeStates, { coverage }) => ({
      kind: 'regulatory action',
      rows: rowsOf(lines).map((row) => {
        const actions = coverage.get(row.stateCode)?.actions ?? [];
        const knownAction = actions.find((action) => action.row.actionId === row.actionId)?.row;
        const createdAt = row.createdAt ?? knownAction?.createdAt ?? lines.now;
        return { ...row, _id: regulatoryActionIdOf(lines.owner, row), createdAt };
      }),
      completeStates,
    }),
    idOf: regulatoryActionIdOf,
  });

/** The item that queues a first poll for a carrier whose association comes to have an agency with this NPN; none otherwise. */
export function firstPollsOfAssociation(
  table: TableItems,
  { before, after }: { readonly before: StoredAssociation | undefined; readonly after: StoredAssociation },
  isSilent: boolean,
  now: Date,
): TransactionItem[] {
  const { npn } = after.agency;
  if (npn === null || npn === before?.agency.npn || after.isDeleted) return [];
  return [
    firstPollItem(table, firstPollOfAgency('upstreamEntity', after.upstreamEntityId, npn, isSilent), now),
  ];
}
