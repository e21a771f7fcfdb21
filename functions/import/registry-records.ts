import type * as z from 'zod/mini';
import { recordsChanged } from '../../shared/compliance/inputs-changed.ts';
import { subscriptionIdOf } from '../../shared/registry-records/stored.ts';
import { ensureSubscriptions } from '../../shared/registry-records/subscriptions.ts';
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
    /** Whether compliance depends on these records. */
    readonly isOfCompliance: boolean;
    readonly itemOf: (record: z.output<Schema>, context: RecordContext) => RecordItem;
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
      const isEmitted = category === 'upstreamEntity' && kind.isOfCompliance;
      const emission =
        events && isEmitted
          ? {
              groupOf: ({ npn }: RegistryRecord) => npn,
              itemsFor: ({ record: { npn } }: ChangedRecord<RegistryRecord>, time: Date) =>
                events([recordsChanged(owner, npn)], time),
            }
          : undefined;
      await putRecords(
        client,
        table,
        now,
        lines,
        (one) =>
          kind.itemOf(one, { owner, at, registryDataSubscriptionId: subscriptionIdOf(owner, one.npn) }),
        emission,
      );
      return [];
    },
  });

/** The members of a line that its stored record does not have. */
type LineField = '_id' | 'type' | 'upstreamEntityId' | 'createdAt' | 'updatedAt' | 'isDeleted';

/** A license or an appointment as it is stored. */
type ComplianceRecord<Line> = Omit<Line, LineField> & {
  readonly registryDataSubscriptionId: string;
  readonly updatedAt: string;
};

/** Licenses or appointments: records without an id, on which compliance depends. A deleted one leaves the indexes. */
export const complianceRecordImport = <Schema extends z.core.$ZodType<RegistryRecord>>(
  dependencies: ImportDependencies<'registryRecords'>,
  kind: {
    readonly type: RecordType;
    readonly record: Schema;
    readonly keyOf: (owner: string, record: ComplianceRecord<z.output<Schema>>) => RecordItem['key'];
    /** The item of a live record, with its index keys. */
    readonly itemOf: (owner: string, record: ComplianceRecord<z.output<Schema>>) => RecordItem['values'];
  },
): ImportType =>
  registryRecordImport(dependencies, {
    type: kind.type,
    record: kind.record,
    isOfCompliance: true,
    itemOf(line, { owner, registryDataSubscriptionId, at }) {
      const {
        type: _type,
        _id,
        upstreamEntityId: _owner,
        createdAt: _createdAt,
        updatedAt = at,
        isDeleted,
        ...own
      } = line;
      const values = { ...own, registryDataSubscriptionId, updatedAt };
      return {
        key: kind.keyOf(owner, values),
        values: isDeleted === true ? values : kind.itemOf(owner, values),
      };
    },
  });
