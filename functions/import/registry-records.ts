import type * as z from 'zod/mini';
import { recordsChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import { subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { ensureSubscriptions } from '../../shared/domain/registry-records/subscriptions.ts';
import type { VersionedKind } from '../../shared/domain/registry-records/versioned-kinds.ts';
import {
  expiryOfDeleted,
  historyOf,
  type RecordHistory,
  versionAttributes,
  withChange,
} from '../../shared/domain/registry-records/versions.ts';
import { parseStored, StoredItemError } from '../../shared/platform/data/stored.ts';
import { calendarDate } from '../../shared/platform/dates/calendar.ts';
import { type ImportDependencies, type ImportType, ownedRecords, ownersOfEitherKind } from './import-type.ts';
import { type ChangedRecord, putRecords, type RecordItem } from './put-records.ts';
import type { RecordType } from './record-schemas.ts';

/** The attributes of an item that its record does not have. */
interface RecordContext {
  readonly owner: string;
  readonly registryDataSubscriptionId: string;
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

/** A record whose versions are kept. */
interface DatedRecord extends RegistryRecord {
  readonly validFrom?: string | undefined;
}

/**
 * Records of the registry, of an organization of either kind, identified by their content, not by an id. The subscription
 * for their NPN is created first if it is missing. The event of a record on which compliance depends says that the
 * compliance of its NPN may have changed.
 */
export const registryRecordImport = <Schema extends z.core.$ZodType<RegistryRecord>>(
  { client, tables: { registryRecords: table }, organizations, now }: ImportDependencies<'registryRecords'>,
  kind: {
    readonly type: RecordType;
    readonly record: Schema;
    readonly itemOf: (record: z.output<Schema>, context: RecordContext) => RecordItem;
    /** What an item records of its versions; left out for records without them, on which no compliance depends. */
    readonly versionsOf?: (
      changed: ChangedRecord<z.output<Schema>>,
      registryDataSubscriptionId: string,
      at: Date,
    ) => Readonly<Record<string, unknown>>;
  },
): ImportType =>
  ownedRecords(organizations, {
    types: [kind.type],
    record: kind.record,
    owners: ownersOfEitherKind,
    async importLines({ organizationId: owner, category }, lines, events) {
      const dataOwnerModel = category === 'upstreamEntity' ? category : 'downstreamEntity';
      const npns = lines.map((line) => line.record.npn);
      await ensureSubscriptions(
        client,
        table,
        { dataOwnerId: owner, dataOwnerModel },
        npns,
        { entityModel: null },
        now(),
      );
      const at = now().toISOString();
      const { versionsOf } = kind;
      const accompaniment = versionsOf && {
        groupOf: ({ npn }: RegistryRecord) => npn,
        kept: (changed: ChangedRecord<z.output<Schema>>, time: Date) =>
          versionsOf(changed, subscriptionIdOf(owner, changed.record.npn), time),
        itemsFor: ({ record: { npn } }: ChangedRecord<RegistryRecord>, time: Date) =>
          events && category === 'upstreamEntity' ? events([recordsChanged(owner, npn)], time) : [],
      };
      const itemOf = (one: z.output<Schema>) =>
        kind.itemOf(one, { owner, at, registryDataSubscriptionId: subscriptionIdOf(owner, one.npn) });
      await putRecords(client, table, now, lines, itemOf, accompaniment);
      return [];
    },
  });

/** The members of a line that its stored record does not have. */
type LineField = 'validFrom' | '_id' | 'type' | 'upstreamEntityId' | 'createdAt' | 'updatedAt' | 'isDeleted';

/** A license or an appointment as it is stored. */
type ComplianceRecord<Line> = Omit<Line, LineField> & {
  readonly registryDataSubscriptionId: string;
  readonly updatedAt: string;
};

/** Licenses or appointments: records without an id, on which compliance depends. A deleted one leaves the indexes. */
export const complianceRecordImport = <
  Schema extends z.core.$ZodType<DatedRecord>,
  Stored extends ComplianceRecord<z.output<Schema>>,
>(
  dependencies: ImportDependencies<'registryRecords'>,
  kind: {
    readonly type: RecordType;
    readonly record: Schema;
    readonly versioned: VersionedKind<Stored>;
    readonly keyOf: (owner: string, record: ComplianceRecord<z.output<Schema>>) => RecordItem['key'];
    /** The item of a live record, with its index keys. */
    readonly itemOf: (owner: string, record: ComplianceRecord<z.output<Schema>>) => RecordItem['values'];
  },
): ImportType => {
  /** The record of a line as it is stored. */
  const recordOf = (
    {
      type: _type,
      _id,
      upstreamEntityId: _owner,
      createdAt: _createdAt,
      updatedAt,
      isDeleted: _isDeleted,
      validFrom: _validFrom,
      ...own
    }: z.output<Schema>,
    registryDataSubscriptionId: string,
    at: string,
  ) => ({ ...own, registryDataSubscriptionId, updatedAt: updatedAt ?? at });

  return registryRecordImport(dependencies, {
    type: kind.type,
    record: kind.record,
    itemOf(line, { owner, registryDataSubscriptionId, at }) {
      const values = recordOf(line, registryDataSubscriptionId, at);
      return {
        key: kind.keyOf(owner, values),
        values: line.isDeleted === true ? values : kind.itemOf(owner, values),
      };
    },
    // Every line of a record is a version of it, whichever is stored as the record.
    versionsOf({ record, earlier, before }, registryDataSubscriptionId, at) {
      const known = readableHistory(kind.versioned, before);
      const history = [...earlier, record].reduce(
        (versions, line) =>
          withChange(kind.versioned, versions, {
            record: parseStored(
              kind.versioned.schema,
              recordOf(line, registryDataSubscriptionId, at.toISOString()),
            ),
            isDeleted: line.isDeleted === true,
            validFrom: line.validFrom === undefined ? undefined : calendarDate(line.validFrom),
            by: 'import',
            at,
          }),
        known,
      );
      return {
        ...versionAttributes(history, before),
        ...(record.isDeleted === true ? { expiresAt: expiryOfDeleted(at) } : {}),
      };
    },
  });
};

/** The versions of a stored record; none of one that cannot be read, which an import mends. */
function readableHistory<Stored>(
  kind: VersionedKind<Stored>,
  stored: Readonly<Record<string, unknown>> | undefined,
): RecordHistory<Stored> {
  if (stored === undefined) return [];
  try {
    return historyOf(kind, stored);
  } catch (error) {
    if (error instanceof StoredItemError) return [];
    throw error;
  }
}
