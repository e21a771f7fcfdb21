// What is recorded of an NPN, for tests: polls of a registry that says what they are given, and the items that they leave.

import { createHash, randomUUID } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { evidenceKey } from '#domain/associations/match-evidence.ts';
import {
  type AppointmentHolding,
  coverageOf,
  type LicenseHolding,
  nextChangeOf,
} from '#domain/decision/coverage.ts';
import type { DatedSource } from '#domain/decision/dated.ts';
import { never } from '#domain/decision/dates.ts';
import { markOn } from '#domain/decision/days.ts';
import { recordOnDay } from '#domain/decision/held.ts';
import type { Holding } from '#domain/decision/holdings.ts';
import { recordImport } from '#domain/decision/record.ts';
import { noRecords, recordKinds, type StatedRow } from '#domain/decision/records.ts';
import type { RegistryReport } from '#domain/registry/registry.ts';
import type { Appointment, License, RegulatoryAction } from '#domain/registry/resources.ts';
import { type AdditionalItems, createHolderRecords } from '#domain/registry-records/holder-records.ts';
import { licenseEntries, licenseIdOf } from '#domain/registry-records/license-entries.ts';
import { createRecordedHolders, createRegistryRecords } from '#domain/registry-records/store.ts';
import { checkDayItem, partitionOf, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import {
  type HolderCoverage,
  headItems,
  holderFields,
  type RecordedRows,
  recordKeys,
  statementItems,
} from '#domain/registry-records/stored-records.ts';
import { createSubscriberRecords } from '#domain/registry-records/subscriber-records.ts';
import { registryRecordsTable } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { anyItem } from '#platform/data/stored.ts';
import { tableOf } from '#platform/data/table.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { sampleAppointment, sampleLicense } from './sample-records.ts';
import { dynamo } from './tables.ts';

interface Our {
  readonly registryDataSubscriptionId: string;
  readonly npn: string;
  readonly updatedAt: string;
}

const asReported = <Row extends Our>({
  registryDataSubscriptionId: _id,
  npn: _npn,
  updatedAt: _at,
  ...row
}: Row) => row;

/** A report of Texas licenses and appointments with these members; a list that is left out says nothing. */
export const reportOf = ({
  licenses,
  appointments,
  actions,
}: {
  readonly licenses?: readonly Partial<License>[];
  readonly appointments?: readonly Partial<Appointment>[];
  readonly actions?: RegistryReport['actions'];
}): RegistryReport => ({
  licenses: licenses?.map((fields) => asReported(sampleLicense(fields))),
  appointments: appointments?.map((fields) => asReported(sampleAppointment(fields))),
  actions,
});

/**
 * The items of an owner's licenses and appointments as a command has recorded them, for tests that only read: statements, and what
 * lists show of them.
 */
export function recordedItems(
  owner: string,
  records: { readonly licenses?: readonly License[]; readonly appointments?: readonly Appointment[] },
  at = '2026-01-01T00:00:00.000Z',
): Record<string, unknown>[] {
  const { licenses = [], appointments = [] } = records;
  const statementsOf = (
    kind: 'license' | 'appointment',
    rows: readonly (License | Appointment)[],
    npn: string,
  ) =>
    Array.from(
      Map.groupBy(
        rows.filter((row) => row.npn === npn),
        ({ stateCode }) => stateCode,
      ),
      ([stateCode, ofState]) => ({
        id: createHash('sha256').update(JSON.stringify(ofState)).digest('hex').slice(0, 12),
        at,
        recordedAt: at,
        by: 'import' as const,
        kind,
        stateCode,
        isComplete: false,
        isPartlyUnread: false,
        rows: ofState,
      }),
    );
  const npns = new Set([...licenses, ...appointments].map(({ npn }) => npn));
  return Array.from(npns, (npn) => {
    const statements = [
      ...statementsOf('license', licenses, npn),
      ...statementsOf('appointment', appointments, npn),
    ];
    const coverage = coverageOf<RecordedRows>({ ...noRecords, statements }, never);
    const next = nextChangeOf(coverage, newYorkDate(new Date(at)));
    return [
      ...statements.map((one) => statementItems(owner, npn, one).item),
      ...[...coverage.keys()].flatMap((stateCode) => {
        const state = coverage.get(stateCode);
        return state === undefined
          ? []
          : [headItems(owner, npn, stateCode, state, newYorkDate(new Date(at))).item];
      }),
      { ...recordKeys.holder(owner, npn), ...holderFields({ reports: [], statements, sales: [] }, coverage) },
      ...[...coverage.values()].flatMap(({ licenses: held }) =>
        held.flatMap((one) =>
          licenseEntries(owner, one, new Date(at), { items: new Map(), isSilent: false }),
        ),
      ),
      ...(next === null ? [] : [checkDayItem(owner, npn, next)]),
    ];
  }).flat();
}

/** The records of a test, in this table. */
export function holdersIn(table: string) {
  const stored = tableOf(registryRecordsTable, dynamo, table);
  const { recordsOf, coveragesOf } = createRecordedHolders(stored);
  const clockOf = (at: string | (() => Date)) => (typeof at === 'string' ? () => new Date(at) : at);
  return {
    recordsOf,
    coveragesOf,
    npnsOfLicense: createRegistryRecords(stored).npnsOfLicense,

    /** The licenses of a holder, each as it is today, without those that a complete statement left out. */
    async licensesOf(owner: string, npn: string): Promise<License[]> {
      const today = newYorkDate(new Date());
      const coverage = coverageOf(await recordsOf(owner, npn), never);
      const held = [...coverage.values()].flatMap(({ licenses }) => licenses);
      return held
        .filter(({ days }) => markOn(days, today)?.is !== 'left out')
        .flatMap((one) => recordOnDay(one, today).map(({ row }) => row));
    },

    /** Records what a visit finds, at a time, or by a clock. @param asked when the registry was asked, where that is not then. */
    async poll(
      owner: string,
      npn: string,
      at: string | (() => Date),
      report: RegistryReport,
      { isSilent = false, asked }: { readonly isSilent?: boolean; readonly asked?: string } = {},
    ): Promise<boolean> {
      const now = clockOf(at);
      const subscriber = {
        _id: subscriptionIdOf(owner, npn),
        dataOwnerId: owner,
        dataOwnerModel: 'upstreamEntity' as const,
        npn,
      };
      const { apply } = createSubscriberRecords(stored, now);
      const recorded = await apply(subscriber, report, {
        isSilent,
        moment: asked === undefined ? now() : { id: asked, at: asked, recordedAt: now().toISOString() },
        last: () => [],
      });
      return recorded.isChanged;
    },

    /** Records rows of an import, at a time, or by a clock. @param id of its command. @param begunAt when that began, if not then. */
    async import(
      owner: string,
      npn: string,
      at: string | (() => Date),
      rows: {
        readonly licenses?: readonly StatedRow<License>[];
        readonly appointments?: readonly StatedRow<Appointment>[];
        readonly actions?: readonly StatedRow<RegulatoryAction>[];
      },
      {
        id = randomUUID(),
        isSilent = true,
        moves,
        begunAt = clockOf(at)(),
      }: { readonly id?: string; readonly isSilent?: boolean; readonly begunAt?: Date } & Pick<
        AdditionalItems,
        'moves'
      > = {},
    ): Promise<boolean> {
      const { licenses = [], appointments = [], actions = [] } = rows;
      const ofKinds = { license: licenses, appointment: appointments, 'regulatory action': actions };
      const now = clockOf(at);
      const time = begunAt.toISOString();
      const recorded = await createHolderRecords(stored, now).record(
        { owner, npn },
        { isSilent },
        ({ records }) => ({
          statements: recordKinds.flatMap((kind) => {
            const command = { id, at: time, recordedAt: time };
            return recordImport(records, { kind, rows: ofKinds[kind] }, command).statements;
          }),
        }),
        { moves, last: () => [] },
      );
      return recorded.isChanged;
    },

    /** What lists show of an owner's NPN on a day, by names of their own. */
    async shownOf(
      owner: string,
      npn: string,
      day = newYorkDate(new Date()),
    ): Promise<Map<string, Record<string, unknown>>> {
      const coverage = await createRecordedHolders(stored).coverageOf(owner, npn, { classKinds: [] });
      return shownRows(coverage, day);
    },

    /** The items of an owner's NPN, by sort key. */
    async itemsOf(owner: string, npn: string): Promise<Map<string, Record<string, unknown>>> {
      const found = await collect(stored.query(anyItem, partitionOf(owner, npn), { consistent: true }));
      return new Map(found.map((item) => [String(item['sk']), item]));
    },
  };
}

/** What lists show of a holder on a day, by names of their own. */
export function shownRows(coverage: HolderCoverage, day: string): Map<string, Record<string, unknown>> {
  const held = (kind: string, holding: LicenseHolding<License> | AppointmentHolding<Appointment>) =>
    recordOnDay<License | Appointment>(holding as Holding<DatedSource<License | Appointment>>, day).map(
      ({ row, isInForce }) =>
        [`${kind}#${row.stateCode}#${licenseIdOf(holding)}`, { ...row, isInForce }] as const,
    );
  return new Map<string, Record<string, unknown>>(
    [...coverage.values()].flatMap(({ licenses, appointments, actions }) => [
      ...licenses.flatMap((one) => held('LICENSE', one)),
      ...appointments.flatMap((one) => held('APPOINTMENT', one)),
      ...actions.map(({ row }) => [`ACTION#${row.stateCode}#${row.actionId}`, row] as const),
    ]),
  );
}

/** Stores that an owner's association is with an agency of this NPN. */
export const putAgencyOfNpn = (
  table: string,
  owner: string,
  { id, npn }: { readonly id: string; readonly npn: string },
) =>
  dynamo.send(
    new UpdateItemCommand({
      TableName: table,
      Key: toItem(evidenceKey(owner, 'NPN', npn)),
      UpdateExpression: 'ADD associationIds :id',
      ExpressionAttributeValues: toItem({ ':id': new Set([id]) }),
    }),
  );
