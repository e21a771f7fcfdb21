// What is recorded of an NPN, for tests: polls of a registry that says what they are given, and the items that they leave.

import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { evidenceKey } from '../../shared/domain/associations/match-evidence.ts';
import { changeKey } from '../../shared/domain/decision/appointment-identity.ts';
import { coverageOf, nextChangeOf } from '../../shared/domain/decision/coverage.ts';
import { never } from '../../shared/domain/decision/dates.ts';
import { type Fact, noFacts, termKey } from '../../shared/domain/decision/facts.ts';
import type { RegistryReport } from '../../shared/domain/registry/registry.ts';
import type { Appointment, License } from '../../shared/domain/registry/resources.ts';
import { homeItem } from '../../shared/domain/registry-records/home.ts';
import { presentItems } from '../../shared/domain/registry-records/present-items.ts';
import {
  nextChangeItem,
  partitionOf,
  subscriptionIdOf,
} from '../../shared/domain/registry-records/stored.ts';
import { factKeys, type Recorder } from '../../shared/domain/registry-records/stored-facts.ts';
import { createSubscriberRecords } from '../../shared/domain/registry-records/subscriber-records.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { anyItem } from '../../shared/platform/data/stored.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { newYorkDate } from '../../shared/platform/dates/dates.ts';
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
  actions = [],
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
 * The items of an owner's licenses and appointments as a command has recorded them, for tests that only read: each is a fact, and
 * what is held.
 */
export function recordedItems(
  owner: string,
  records: { readonly licenses?: readonly License[]; readonly appointments?: readonly Appointment[] },
  commandAt = '2026-01-01T00:00:00.000Z',
): Record<string, unknown>[] {
  const { licenses = [], appointments = [] } = records;
  const recorder = { by: 'import', isSilent: true } as const;
  const fact = <Row extends License | Appointment>(row: Row, key: string): Fact<Row> => ({
    ...recorder,
    commandId: 'recorded',
    commandAt,
    recordedAt: commandAt,
    what: 'stated',
    stateCode: row.stateCode,
    key,
    rows: [row],
    validFrom: null,
  });
  const npns = new Set([...licenses, ...appointments].map(({ npn }) => npn));
  return Array.from(npns, (npn) => {
    const facts = {
      ...noFacts,
      licenses: licenses.filter((row) => row.npn === npn).map((row) => fact(row, termKey(row))),
      appointments: appointments
        .filter((row) => row.npn === npn)
        .map((row) => fact(row, changeKey(row, null))),
    };
    const next = nextChangeOf(coverageOf(facts, never), newYorkDate(new Date(commandAt)));
    const factItems = [
      ...facts.licenses.map((one) => ({ ...factKeys.fact(owner, npn, 'LICENSE', one), ...one })),
      ...facts.appointments.map((one) => ({ ...factKeys.fact(owner, npn, 'APPOINTMENT', one), ...one })),
    ];
    const home = homeItem(owner, npn, factItems);
    return [
      ...factItems,
      ...(home === undefined ? [] : [home]),
      ...presentItems(owner, facts, new Date(commandAt), { items: new Map(), isSilent: false }).values(),
      ...(next === null ? [] : [nextChangeItem(owner, npn, next)]),
    ];
  }).flat();
}

/** The records of a test, in this table. */
export function holdersIn(table: string) {
  const subscriberOf = (dataOwnerId: string, npn: string) => ({
    _id: subscriptionIdOf(dataOwnerId, npn),
    dataOwnerId,
    dataOwnerModel: 'upstreamEntity' as const,
    npn,
  });
  return {
    /** Records what a poll finds, at a time, or by a clock. */
    async poll(
      owner: string,
      npn: string,
      at: string | (() => Date),
      report: RegistryReport,
      { by = 'reconciliation', isSilent = false }: Partial<Recorder> = {},
    ): Promise<boolean> {
      const now = typeof at === 'string' ? () => new Date(at) : at;
      const records = createSubscriberRecords(tableOf(registryRecordsTable, dynamo, table), now);
      const application = { by, isSilent, last: () => [] };
      return (await records.apply(subscriberOf(owner, npn), report, application)).isChanged;
    },

    /** The items of an owner's NPN, by sort key. */
    async itemsOf(owner: string, npn: string): Promise<Map<string, Record<string, unknown>>> {
      const partition = partitionOf(owner, npn);
      const found = await collect(
        tableOf(registryRecordsTable, dynamo, table).query(anyItem, partition, { consistent: true }),
      );
      return new Map(found.map((item) => [String(item['sk']), item]));
    },
  };
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
