import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { createNpnHolders } from '../../shared/domain/npn-holders/holders.ts';
import { createReconciliationDeps } from '../../shared/domain/registry-reconciliation/dependencies.ts';
import { reconcileAll } from '../../shared/domain/registry-reconciliation/reconcile.ts';
import { ensureSubscriptions } from '../../shared/domain/registry-records/subscriptions.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { itemsOf } from '../../shared/platform/data/table-items.ts';
import { writesOf as tableWrites } from '../../shared/platform/data/table-writes.ts';
import { addDays } from '../../shared/platform/dates/calendar.ts';
import { reportOf } from '../support/holders.ts';
import { createTables, dynamo } from '../support/tables.ts';
import { consumed } from './consumed.ts';
import { count, type Row } from './report.ts';

const carrier = '65f0c1d2e3a4b5c6d7e8f900';
const agentId = '65f0c1d2e3a4b5c6d7e8f903';
const npns = Array.from({ length: 1_000 }, (_, index) => String(1_000_000 + index));
const nights = 30;
const firstNight = '2026-06-01';
const states = ['TX', 'OK', 'LA', 'NM'] as const;

/** What the registry says of everybody, every night. */
const report = reportOf({
  licenses: states.map((stateCode) => ({ stateCode, nextRenewalDate: '2028-03-31' })),
  appointments: states.map((stateCode) => ({ stateCode, renewalDate: '2028-03-31' })),
});

const written = z.object({
  Key: z.optional(z.custom<Record<string, { readonly S?: string }>>()),
  TransactItems: z.optional(z.array(z.custom<TransactWriteItem>())),
});

/** What a poll is recorded with, by the partition of its item: the time of the poll, of the synchronization, and of the next slot. */
const kinds = { poll: /^NPN#/, synchronization: /#SUBSCRIPTION$/, slot: /^POLLS$/ };
const kindNames = ['poll', 'synchronization', 'slot'] as const;

/** How many items of each kind some work writes; under `other` what is no poll. */
async function writesOf(work: () => Promise<unknown>): Promise<Record<keyof typeof kinds | 'other', number>> {
  const counts = { poll: 0, synchronization: 0, slot: 0, other: 0 };
  dynamo.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!/^(?:BatchGetItem|GetItem|Query)Command$/.test(commandName)) {
          const { Key, TransactItems } = z.parse(written, args.input);
          for (const key of TransactItems?.map(({ Update }) => Update?.Key) ?? [Key]) {
            const partition = key?.['pk']?.S ?? '';
            counts[kindNames.find((kind) => kinds[kind].test(partition)) ?? 'other'] += 1;
          }
        }
        return next(args);
      },
    { step: 'initialize', name: 'writesOf' },
  );
  try {
    await work();
  } finally {
    dynamo.middlewareStack.remove('writesOf');
  }
  return counts;
}

/** What the nights' polls write where the registry says what is recorded already. */
export async function measureNights(): Promise<Row[]> {
  const tables = await createTables({
    registryRecords: registryRecordsTable,
    outbox: outboxTable,
    agents: agentsTable,
    associations: associationsTable,
  });
  let night = firstNight;
  const now = () => new Date(`${night}T05:00:00.000Z`);
  const deps = createReconciliationDeps({
    tables: tablesOf(dynamo, tables),
    registry: { subscribe: async () => undefined, poll: async () => report },
    holders: createNpnHolders(tablesOf(dynamo, tables)),
    events: createEventItems(itemsOf(tables.outbox)),
    pollsPerSecond: 100_000,
    now,
    onFailure: (_, error) => {
      throw error;
    },
  });
  const owner = { dataOwnerId: carrier, dataOwnerModel: 'upstreamEntity' } as const;
  await ensureSubscriptions(
    tableOf(registryRecordsTable, dynamo, tables.registryRecords),
    owner,
    npns,
    { entityModel: 'agent' },
    now(),
  );
  await tableWrites(dynamo, tables.agents).putAll(
    npns.map((npn) => ({ ...agentKeys.npn(carrier, npn), agentId })),
  );
  const first = await consumed(dynamo, () => reconcileAll(now(), deps));

  let writes: Awaited<ReturnType<typeof writesOf>> | undefined;
  const later = await consumed(dynamo, async () => {
    writes = await writesOf(async () => {
      for (let done = 1; done <= nights; done += 1) {
        night = addDays(firstNight, done);
        const totals = await reconcileAll(now(), deps);
        if (totals.npns !== npns.length || totals.changed !== 0 || totals.failed !== 0) {
          throw new Error(`The polls of the night of ${night} came to ${JSON.stringify(totals)}.`);
        }
      }
    });
  });
  const polls = nights * npns.length;
  return [
    {
      what: `${nights} nights without changes, ${count(npns.length)} NPNs`,
      measured: `${count(later.writeUnits)} write units, ${(later.writeUnits / polls).toFixed(1)} a poll`,
      comparedWith: `first night: ${(first.writeUnits / npns.length).toFixed(1)} a poll`,
    },
    {
      what: 'items that they write',
      measured: `${count(writes?.poll ?? 0)} of polls, ${count(writes?.synchronization ?? 0)} of synchronizations, ${count(writes?.slot ?? 0)} of slots`,
      comparedWith: `others: ${count(writes?.other ?? 0)}`,
      budget: 'polls only',
      isWithin: writes?.other === 0 && writes.poll === polls,
    },
  ];
}
