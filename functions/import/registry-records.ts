// The imports of licenses, appointments, and regulatory actions: the lines of an NPN become facts of its holder.
import type * as z from 'zod/mini';
import type { StoredAssociation } from '../../shared/domain/associations/stored.ts';
import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { recordsChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import type { ClassKindVersion } from '../../shared/domain/decision/classes.ts';
import { writtenDate } from '../../shared/domain/decision/dates.ts';
import { type HolderFacts, inFixedOrder, noFacts } from '../../shared/domain/decision/facts.ts';
import { type Command, type ImportedRow, recordImport } from '../../shared/domain/decision/record.ts';
import { appointmentReading, licenseReading } from '../../shared/domain/registry/read-rows.ts';
import type { UnreadRow } from '../../shared/domain/registry/registry.ts';
import { regulatoryAction } from '../../shared/domain/registry/resources.ts';
import {
  createHolderFacts,
  factsWith,
  type HolderChange,
  importTime,
  noChange,
  type StoredHolder,
} from '../../shared/domain/registry-records/holder-facts.ts';
import type { StoredItem } from '../../shared/domain/registry-records/present-items.ts';
import { setAsideItems, unreadRows } from '../../shared/domain/registry-records/set-aside.ts';
import {
  registryKeys,
  regulatoryActionIdOf,
  subscriptionIdOf,
} from '../../shared/domain/registry-records/stored.ts';
import type { ActionToRecord } from '../../shared/domain/registry-records/stored-facts.ts';
import {
  dataOwnerOf,
  ensureSubscriptions,
  firstPollItem,
  firstPollOfAgency,
  requestPoll,
} from '../../shared/domain/registry-records/subscriptions.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/json.ts';
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
import { lineReader, separated, type UnreadLine } from './unread-lines.ts';

type RegistryDependencies = ImportDependencies<'registryRecords' | 'compliance'>;

/** Registry records that an import needs, by NPN. */
interface LinesOfHolder<Line> {
  readonly owner: string;
  readonly npn: string;
  readonly registryDataSubscriptionId: string;
  readonly lines: readonly Line[];
  /** What of rows is not understood, by state. */
  readonly unread: readonly UnreadRow[];
  /** Its time is the import's among the commands that concern the holder. */
  readonly command: Command;
  /** ISO time of the attempt, for records that have no other. */
  readonly at: string;
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
    onSetAside,
  }: RegistryDependencies,
  kind: {
    readonly type: RecordType;
    /** Its schema, where a line that cannot be read is rejected; else how its line is read. */
    readonly record: z.core.$ZodType<Item> | ((line: ReadLine<unknown>) => Item | UnreadLine);
    readonly changeOf: (lines: LinesOfHolder<Item>, stored: StoredHolder) => HolderChange;
    /** Tells of the lines of a holder; left out for records of which there is nothing to tell. */
    readonly noteLines?: (
      lines: readonly ReadLine<Item>[],
      facts: HolderFacts,
      classKinds: readonly ClassKindVersion[],
    ) => void;
    /** Whether only the next poll of the NPN reports what its lines say. */
    readonly isReportedByPoll?: boolean;
    /** The id under which a line is stored; left out for records without. */
    readonly idOf?: (owner: string, line: Item, items: ReadonlyMap<string, StoredItem>) => string;
  },
): ImportType => {
  const holderFacts = createHolderFacts(table, now);
  const classKindsOf = createClassKindsOf(compliance);

  return ownedRecords<Item | UnreadLine>(organizations, {
    types: [kind.type],
    record: kind.record,
    owners: ownersOfEitherKind,
    async importLines(organization, lines) {
      const { organizationId: owner, category } = organization;
      const byNpn = Map.groupBy(lines, ({ record }) => record.npn);
      const use = { entityModel: null };
      await ensureSubscriptions(table, dataOwnerOf(organization), byNpn.keys(), use, now());
      const isReported = category === 'upstreamEntity';
      const { noteLines, idOf } = kind;
      const classKinds = noteLines === undefined ? [] : await classKindsOf(owner);

      await concurrently(
        byNpn,
        concurrency,
        async ([npn, ofHolder]: [string, ReadLine<Item | UnreadLine>[]]) => {
          const { read, setAside } = separated(ofHolder);
          const stated = read.map(({ record }) => record);
          let facts: HolderFacts = noFacts;
          let isSetAside = false;
          // Of a command that is done again, also what it recorded before.
          let isStated = false;
          const decide = (stored: StoredHolder): HolderChange => {
            const at = now();
            const change = kind.changeOf(
              {
                owner,
                npn,
                registryDataSubscriptionId: subscriptionIdOf(owner, npn),
                lines: stated,
                unread: unreadRows(setAside, stored.facts, stated),
                command: { ...command, commandAt: importTime(stored.facts, command) },
                at: at.toISOString(),
              },
              stored,
            );
            facts = factsWith(stored.facts, change, 'import', at);
            isSetAside = change.unread.length > 0;
            isStated ||=
              change.actions.length > 0 ||
              stored.facts.actions.some((action) => action.commandId === command.commandId);
            const recorder = { by: 'import', at } as const;
            return isSetAside
              ? { ...change, setAside: setAsideItems({ owner, npn }, setAside, recorder) }
              : change;
          };
          const { items } = await holderFacts.record({ owner, npn }, { by: 'import', isSilent }, decide, {
            last: ({ isJudged }) =>
              isJudged && isReported ? events([recordsChanged(owner, npn)], now()) : [],
          });
          if (kind.isReportedByPoll === true && isStated) await requestPoll(table, npn, now());
          if (isSetAside)
            onSetAside(
              setAside.length,
              setAside.flatMap(({ faults }) => faults),
            );
          noteLines?.(read, facts, classKinds);
          if (idOf === undefined) return;
          for (const { record, identify } of read) identify(idOf(owner, record, items));
        },
      );
      return [];
    },
  });
};

/** A license or an appointment, of which an import states a version or a status change. */
export interface DatedLine extends RegistryLine {
  readonly validFrom?: string | undefined;
}

/** The members of a line that its stored record does not have. */
type LineField = 'validFrom' | '_id' | 'type' | 'upstreamEntityId' | 'createdAt' | 'updatedAt' | 'isDeleted';

/** The rows of lines, with our own members. */
export const importedRows = <Line extends DatedLine>({
  lines,
  registryDataSubscriptionId,
  at,
}: Pick<LinesOfHolder<Line>, 'lines' | 'registryDataSubscriptionId' | 'at'>): ImportedRow<
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

export const licenseLine = lineReader(recordSchemas.license, licenseReading);

export const appointmentLine = lineReader(recordSchemas.appointment, appointmentReading);

/** Licenses of organizations of either kind. */
export const licenseImport = (dependencies: RegistryDependencies): ImportType =>
  registryRecordImport(dependencies, {
    type: 'license',
    record: licenseLine,
    noteLines: noteLicenses,
    changeOf: (lines, { facts }) => ({
      ...recordImport(
        facts,
        { licenses: importedRows(lines), appointments: [], unread: lines.unread },
        lines.command,
      ),
      actions: [],
    }),
  });

/** Appointments of organizations of either kind. */
export const appointmentImport = (dependencies: RegistryDependencies): ImportType =>
  registryRecordImport(dependencies, {
    type: 'appointment',
    record: appointmentLine,
    noteLines: noteAppointments,
    changeOf: (lines, { facts }) => ({
      ...recordImport(
        facts,
        { licenses: [], appointments: importedRows(lines), unread: lines.unread },
        lines.command,
      ),
      actions: [],
    }),
  });

/** Regulatory actions of organizations of either kind; the daily reconciliation alone emits events of them. */
export const regulatoryActionImport = (dependencies: RegistryDependencies): ImportType =>
  registryRecordImport(dependencies, {
    type: 'regulatory-action',
    record: recordSchemas['regulatory-action'],
    isReportedByPoll: true,
    changeOf({ owner, lines, registryDataSubscriptionId, command, at }, { items }) {
      const byAction = Map.groupBy(lines, (line) => registryKeys.action(owner, line).sk);
      const actions = Array.from(byAction).flatMap(([sk, ofAction]): ActionToRecord[] => {
        // A line that says that the action never was counts first; of several others, one that is the same in any order.
        const gone = ofAction.find((one) => one.isDeleted === true);
        const [line = gone] = gone === undefined ? inFixedOrder(ofAction) : [gone];
        if (line === undefined) return [];
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
