// The imports of licenses, appointments, and regulatory actions: the lines of an NPN become statements about its holder.
import type * as z from 'zod/mini';
import type { StoredAssociation } from '../../shared/domain/associations/stored.ts';
import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { recordsChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import { type Coverage, coverageOf } from '../../shared/domain/decision/coverage.ts';
import { never } from '../../shared/domain/decision/dates.ts';
import { recordImport, withAddition } from '../../shared/domain/decision/record.ts';
import { type HolderRecords, noRecords } from '../../shared/domain/decision/records.ts';
import {
  type Appointment,
  type License,
  type RegulatoryAction,
  regulatoryAction,
} from '../../shared/domain/registry/resources.ts';
import {
  createHolderRecords,
  type HolderChange,
  type StoredHolder,
} from '../../shared/domain/registry-records/holder-records.ts';
import {
  registryKeys,
  regulatoryActionIdOf,
  subscriptionIdOf,
} from '../../shared/domain/registry-records/stored.ts';
import {
  dataOwnerOf,
  ensureSubscriptions,
  firstPollItem,
  firstPollOfAgency,
  requestPoll,
} from '../../shared/domain/registry-records/subscriptions.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { parseIfStored } from '../../shared/platform/data/stored.ts';
import type { TableItems } from '../../shared/platform/data/table.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import {
  type ImportDependencies,
  type ImportType,
  ownedRecords,
  ownersOfEitherKind,
} from './import-records.ts';
import type { ReadLine } from './lines.ts';
import { type RecordType, recordSchemas } from './record-schemas.ts';
import { noteAppointments, noteLicenses } from './registry-report.ts';

type RegistryDependencies = ImportDependencies<'registryRecords' | 'compliance'>;

/** Lines about one holder. */
interface HolderLines<Line> {
  readonly owner: string;
  readonly npn: string;
  readonly lines: readonly Line[];
  /** ISO time of the attempt, for records that have no other. */
  readonly now: string;
}

interface RegistryLine {
  readonly type: string;
  readonly stateCode: string;
  readonly _id?: string | undefined;
  readonly npn: string;
  readonly upstreamEntityId?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly isDeleted?: boolean | undefined;
}

/** Holders whose records are written at the same time. */
const concurrency = 16;

/**
 * Records of the registry, of an organization of either kind, identified by their content, not by an id. The subscription
 * for their NPN is created first if it is missing.
 */
const registryRecordImport = <Item extends RegistryLine>(
  {
    tables: { registryRecords: table, compliance },
    organizations,
    now,
    command,
    events,
    isSilent,
  }: RegistryDependencies,
  kind: {
    readonly type: RecordType;
    readonly record: z.core.$ZodType<Item>;
    /** What lines of a holder state. */
    readonly statedBy: (
      lines: HolderLines<Item>,
      completeStates: ReadonlySet<string>,
      stored: StoredHolder,
    ) => Parameters<typeof recordImport<License, Appointment, RegulatoryAction>>[1];
    /** Tells of the lines of a holder; left out for records of which there is nothing to tell. */
    readonly noteLines?: (lines: readonly ReadLine<Item>[], coverage: Coverage<License, Appointment>) => void;
    /** Whether only the next visit of the NPN reports what its lines say. */
    readonly isReportedByVisit?: boolean;
    /** The id under which a line is stored; left out for records without. */
    readonly idOf?: (owner: string, line: Item) => string;
  },
): ImportType => {
  const holderRecords = createHolderRecords(table, now);
  const classKindsOf = createClassKindsOf(compliance);

  return ownedRecords<Item>(organizations, {
    types: [kind.type],
    record: kind.record,
    owners: ownersOfEitherKind,
    async importLines(organization, lines, isComplete) {
      const { organizationId: owner, category } = organization;
      const byNpn = Map.groupBy(lines, ({ record }) => record.npn);
      const use = { entityModel: null };
      await ensureSubscriptions(table, dataOwnerOf(organization), byNpn.keys(), use, now());
      const isReported = category === 'upstreamEntity';
      const { noteLines, idOf } = kind;
      const classKinds = noteLines === undefined ? [] : await classKindsOf(owner);

      await concurrently(byNpn, concurrency, async ([npn, ofHolder]: [string, ReadLine<Item>[]]) => {
        const stated = ofHolder.map(({ record }) => record);
        const completeStates = new Set(isComplete ? stated.map(({ stateCode }) => stateCode) : []);
        let records: HolderRecords<License, Appointment> = noRecords;
        let isNew = false;
        const decide = (stored: StoredHolder): HolderChange => {
          const ofLines = { owner, npn, lines: stated, now: now().toISOString() };
          const said = kind.statedBy(ofLines, completeStates, stored);
          const addition = recordImport(stored.records, said, command);
          records = withAddition(stored.records, addition);
          isNew = addition.actions.some(({ repetitions }) => repetitions === undefined);
          return addition;
        };
        await holderRecords.record({ owner, npn }, { isSilent }, decide, {
          last: ({ isJudged }) => (isJudged && isReported ? events([recordsChanged(owner, npn)], now()) : []),
        });
        if (kind.isReportedByVisit === true && isNew) await requestPoll(table, npn, now());
        noteLines?.(ofHolder, coverageOf(records, never, classKinds));
        if (idOf !== undefined) for (const { record, identify } of ofHolder) identify(idOf(owner, record));
      });
      return [];
    },
  });
};

/** The rows of lines, with our own members, whose ids are derived. */
const rowsOf = <Line extends RegistryLine>({ owner, npn, lines, now }: HolderLines<Line>) =>
  lines.map(({ type: _type, _id, upstreamEntityId: _owner, updatedAt = now, isDeleted, ...own }) => ({
    ...own,
    registryDataSubscriptionId: subscriptionIdOf(owner, npn),
    updatedAt,
    ...(isDeleted === true ? { isDeleted } : {}),
  }));

/** Licenses of organizations of either kind. */
export const licenseImport = (dependencies: RegistryDependencies): ImportType =>
  registryRecordImport(dependencies, {
    type: 'license',
    record: recordSchemas.license,
    noteLines: noteLicenses,
    statedBy: (lines, completeStates) => ({ licenses: { rows: rowsOf(lines), completeStates } }),
  });

/** Appointments of organizations of either kind. */
export const appointmentImport = (dependencies: RegistryDependencies): ImportType =>
  registryRecordImport(dependencies, {
    type: 'appointment',
    record: recordSchemas.appointment,
    noteLines: noteAppointments,
    statedBy: (lines, completeStates) => ({ appointments: { rows: rowsOf(lines), completeStates } }),
  });

/** Regulatory actions of organizations of either kind; the daily reconciliation alone emits events of them. */
export const regulatoryActionImport = (dependencies: RegistryDependencies): ImportType =>
  registryRecordImport(dependencies, {
    type: 'regulatory-action',
    record: recordSchemas['regulatory-action'],
    isReportedByVisit: true,
    statedBy: (lines, completeStates, { items }) => ({
      actions: {
        rows: rowsOf(lines).map((row) => {
          const known = parseIfStored(regulatoryAction, items.get(registryKeys.action(lines.owner, row).sk));
          const createdAt = row.createdAt ?? known?.createdAt ?? lines.now;
          return { ...row, _id: regulatoryActionIdOf(lines.owner, row), createdAt };
        }),
        completeStates,
      },
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
  return [firstPollItem(table, firstPollOfAgency(after.upstreamEntityId, npn, isSilent), now)];
}
