import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { recordsChanged } from '../../shared/domain/compliance/inputs-changed.ts';
import { npn } from '../../shared/domain/identifiers/npn.ts';
import { reportOf } from '../../shared/domain/registry/read-rows.ts';
import { registryEntity } from '../../shared/domain/registry/registry.ts';
import { createReconciliationStore } from '../../shared/domain/registry-reconciliation/store.ts';
import { nameNpn } from '../../shared/domain/registry-records/poll-items.ts';
import { subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { createSubscriberRecords } from '../../shared/domain/registry-records/subscriber-records.ts';
import { ensureSubscriptions } from '../../shared/domain/registry-records/subscriptions.ts';
import { askAgainIfSuperseded, newVisit } from '../../shared/domain/registry-records/visits.ts';
import { existing, invalidAt } from '../../shared/platform/contract/errors.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import type { Organization } from '../../shared/platform/identity/organization.ts';
import { ownedFields, recordTime } from './common-fields.ts';
import { type ImportDependencies, type ImportType, ownedRecords, ownersOfEitherKind } from './import-type.ts';
import { importInOrder, type RejectedLine } from './lines.ts';

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
  async function record({ organizationId: owner, category }: Organization, given: Report) {
    const { npn: of, askedAt } = given;
    const report = reportOf(given);
    const subscriber = {
      _id: subscriptionIdOf(owner, of),
      dataOwnerId: owner,
      dataOwnerModel: category === 'upstreamEntity' ? category : 'downstreamEntity',
      npn: of,
    } as const;
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
    if (report.actions.length > 0) await nameNpn(table, of, now());
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
      const dataOwnerModel = owner.category === 'upstreamEntity' ? owner.category : 'downstreamEntity';
      const npns = lines.map(({ record: { npn: of } }) => of);
      const dataOwner = { dataOwnerId: owner.organizationId, dataOwnerModel } as const;
      await ensureSubscriptions(table, dataOwner, npns, { entityModel: null }, now());
      await concurrently(
        groupBy(lines, ({ record: { npn: of } }) => of).values(),
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
