import type * as z from 'zod/mini';
import { recordsChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import { writtenDate } from '../../shared/domain/decision/dates.ts';
import { type Command, type ImportedRow, recordImport } from '../../shared/domain/decision/record.ts';
import { importTime } from '../../shared/domain/registry-records/command-times.ts';
import { createHolderRecords } from '../../shared/domain/registry-records/holder-records.ts';
import {
  type HolderChange,
  noChange,
  type StoredHolder,
} from '../../shared/domain/registry-records/holder-writes.ts';
import type { StoredItem } from '../../shared/domain/registry-records/present-items.ts';
import { regulatoryAction } from '../../shared/domain/registry-records/regulatory-action.ts';
import {
  registryKeys,
  regulatoryActionIdOf,
  subscriptionIdOf,
} from '../../shared/domain/registry-records/stored.ts';
import type { ActionToRecord } from '../../shared/domain/registry-records/stored-facts.ts';
import { ensureSubscriptions } from '../../shared/domain/registry-records/subscriptions.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/node-util.ts';
import { parseIfStored } from '../../shared/platform/data/stored.ts';
import { type ImportDependencies, type ImportType, ownedRecords, ownersOfEitherKind } from './import-type.ts';
import type { ReadLine } from './lines.ts';
import { type RecordType, recordSchemas } from './record-schemas.ts';

/** What an import knows of whom its lines are about. */
interface LinesOfHolder<Line> {
  readonly owner: string;
  readonly npn: string;
  readonly registryDataSubscriptionId: string;
  readonly lines: readonly Line[];
  /** Its time is the import's among the commands that concern the holder. */
  readonly command: Command;
  /** ISO time of the attempt, for records that have no other. */
  readonly at: string;
}

interface RegistryRecord {
  readonly type: string;
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
const registryRecordImport = <Schema extends z.core.$ZodType<RegistryRecord>>(
  {
    tables: { registryRecords: table },
    organizations,
    now,
    command,
    events,
    isSilent,
  }: ImportDependencies<'registryRecords'>,
  kind: {
    readonly type: RecordType;
    readonly record: Schema;
    readonly changeOf: (lines: LinesOfHolder<z.output<Schema>>, stored: StoredHolder) => HolderChange;
    /** The id under which a line is stored; left out for records without. */
    readonly idOf?: (owner: string, line: z.output<Schema>, items: ReadonlyMap<string, StoredItem>) => string;
  },
): ImportType => {
  const records = createHolderRecords(table, now);

  return ownedRecords(organizations, {
    types: [kind.type],
    record: kind.record,
    owners: ownersOfEitherKind,
    async importLines({ organizationId: owner, category }, lines) {
      const dataOwnerModel = category === 'upstreamEntity' ? category : 'downstreamEntity';
      const dataOwner = { dataOwnerId: owner, dataOwnerModel } as const;
      const byNpn = groupBy(lines, ({ record }) => record.npn);
      await ensureSubscriptions(table, dataOwner, byNpn.keys(), { entityModel: null }, now());
      const isReported = category === 'upstreamEntity';

      await concurrently(
        byNpn,
        concurrency,
        async ([npn, ofHolder]: [string, ReadLine<z.output<Schema>>[]]) => {
          const decide = (stored: StoredHolder): HolderChange =>
            kind.changeOf(
              {
                owner,
                npn,
                registryDataSubscriptionId: subscriptionIdOf(owner, npn),
                lines: ofHolder.map(({ record }) => record),
                command: { ...command, commandAt: importTime(stored.facts, command) },
                at: now().toISOString(),
              },
              stored,
            );
          const { items } = await records.record({ owner, npn }, { by: 'import', isSilent }, decide, {
            last: ({ isJudged }) =>
              isJudged && isReported ? events([recordsChanged(owner, npn)], now()) : [],
          });
          const { idOf } = kind;
          if (idOf === undefined) return;
          for (const { record, identify } of ofHolder) identify(idOf(owner, record, items));
        },
      );
      return [];
    },
  });
};

/** A license or an appointment, of which an import states a version or a status change. */
interface DatedRecord extends RegistryRecord {
  readonly validFrom?: string | undefined;
}

/** The members of a line that its stored record does not have. */
type LineField = 'validFrom' | '_id' | 'type' | 'upstreamEntityId' | 'createdAt' | 'updatedAt' | 'isDeleted';

/** The rows of lines, with our own members. */
const importedRows = <Line extends DatedRecord>({
  lines,
  registryDataSubscriptionId,
  at,
}: LinesOfHolder<Line>): ImportedRow<
  Omit<Line, LineField> & {
    readonly registryDataSubscriptionId: string;
    readonly updatedAt: string;
    readonly createdAt?: string;
  }
>[] =>
  lines.map(
    ({
      type: _type,
      _id,
      upstreamEntityId: _owner,
      createdAt,
      updatedAt = at,
      isDeleted = false,
      validFrom,
      ...own
    }) => ({
      row: {
        ...own,
        registryDataSubscriptionId,
        updatedAt,
        ...(createdAt === undefined ? {} : { createdAt }),
      },
      validFrom: validFrom === undefined ? null : writtenDate(validFrom),
      isDeleted,
    }),
  );

/** Licenses of organizations of either kind. */
export const licenseImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  registryRecordImport(dependencies, {
    type: 'license',
    record: recordSchemas.license,
    changeOf: (lines, { facts }) => ({
      ...recordImport(facts, { licenses: importedRows(lines), appointments: [] }, lines.command),
      actions: [],
    }),
  });

/** Appointments of organizations of either kind. */
export const appointmentImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  registryRecordImport(dependencies, {
    type: 'appointment',
    record: recordSchemas.appointment,
    changeOf: (lines, { facts }) => ({
      ...recordImport(facts, { licenses: [], appointments: importedRows(lines) }, lines.command),
      actions: [],
    }),
  });

/** Regulatory actions of organizations of either kind; the daily reconciliation alone emits events of them. */
export const regulatoryActionImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  registryRecordImport(dependencies, {
    type: 'regulatory-action',
    record: recordSchemas['regulatory-action'],
    changeOf({ owner, lines, registryDataSubscriptionId, command, at }, { items }) {
      // Of several lines of one action the last one counts.
      const last = new Map(lines.map((line) => [registryKeys.action(owner, line).sk, line]));
      const actions = Array.from(last).flatMap(([sk, line]): ActionToRecord[] => {
        const { type: _type, upstreamEntityId: _owner, isDeleted, ...own } = line;
        const { stateCode, actionId } = own;
        const known = parseIfStored(regulatoryAction, items.get(sk));
        const fact = { stateCode, actionId, ...command };
        if (isDeleted === true) return known === undefined ? [] : [{ what: 'retracted', ...fact }];
        const action = {
          ...own,
          _id: own._id ?? known?._id ?? regulatoryActionIdOf(owner, own),
          registryDataSubscriptionId,
          createdAt: own.createdAt ?? known?.createdAt ?? at,
          updatedAt: own.updatedAt ?? at,
        };
        const updatedAt = own.updatedAt ?? known?.updatedAt;
        return isDeepStrictEqual({ ...action, updatedAt }, known)
          ? []
          : [{ what: 'stated', action, ...fact }];
      });
      return { ...noChange, actions };
    },
    idOf: (owner: string, line, items) =>
      parseIfStored(regulatoryAction, items.get(registryKeys.action(owner, line).sk))?._id ??
      line._id ??
      regulatoryActionIdOf(owner, line),
  });
