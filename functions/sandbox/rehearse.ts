import type * as z from 'zod/mini';
import {
  createSimulatedRecords,
  type SimulatedRecord,
  simulatedKeys,
} from '../../shared/domain/registry/simulated-record.ts';
import { registryKeys } from '../../shared/domain/registry-records/stored.ts';
import { type Clock, lastNightBefore } from '../../shared/domain/sandbox/clocks.ts';
import { ApiError, invalidAt, notFound } from '../../shared/platform/contract/errors.ts';
import { exists } from '../../shared/platform/data/expressions.ts';
import { anyItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '../../shared/platform/data/transact.ts';
import type { SandboxOperation } from './function.ts';
import { mostDaysAhead, type ownRegistryRecord } from './routes.ts';

// How customers rehearse: with a clock that they advance, and registry records that they put.

/** The time of a clock that is so far ahead; the requests of this group are answered by the real time. */
const timeOf = (clock: { readonly aheadMs: number } | undefined, now: Date): Date =>
  new Date(now.getTime() + (clock?.aheadMs ?? 0));

/** Whether a clock is where it is to be, and all that follows from it is done. */
const isReady = (clock: Clock | undefined): boolean => clock?.to === undefined && clock?.isReset !== true;

/** The clock of the caller's organization. */
export const getSandboxClock: SandboxOperation<'getSandboxClock'> = async ({ identity, now }, { clocks }) => {
  const clock = await clocks.find(identity.organizationId);
  return {
    now: timeOf(clock, now).toISOString(),
    status: isReady(clock) ? ('ready' as const) : ('advancing' as const),
  };
};

/** How soon a caller may ask again whether a clock is ready. */
const retryAfterSeconds = 10;

/**
 * Has the clock go to a time; a schedule runs its nights (OpenAPI, "advanceSandboxClock").
 * @throws ApiError `validation_error` for a time that is not ahead of the clock, or too far; `conflict` while it advances.
 */
export const advanceSandboxClock: SandboxOperation<'advanceSandboxClock'> = async (
  { identity, body: { to }, now, recordResponse },
  { clocks },
) => {
  const { organizationId } = identity;
  const before = await clocks.find(organizationId);
  if (!isReady(before)) {
    throw new ApiError('conflict', { message: 'The clock is advancing.', retryAfterSeconds });
  }
  const present = timeOf(before, now);
  if (to <= present) throw invalidAt('to', `must be after ${present.toISOString()}, the time of the clock`);
  const latest = new Date(now.getTime() + mostDaysAhead * 86_400_000);
  if (to > latest)
    throw invalidAt('to', `must not be after ${latest.toISOString()}, in ${mostDaysAhead} days`);
  const answer = { now: present.toISOString(), status: 'advancing' as const };
  const after = {
    aheadMs: before?.aheadMs ?? 0,
    since: before?.since ?? now.toISOString(),
    lastNight: before?.lastNight ?? lastNightBefore(now),
    to: to.toISOString(),
  };
  await clocks.set(organizationId, before, after, recordResponse(answer));
  return answer;
};

/** Sets the clock back to the real time; a schedule takes back what is dated after it (OpenAPI, "resetSandbox"). */
export const resetSandbox: SandboxOperation<'resetSandbox'> = async (
  { identity: { organizationId }, now, recordResponse },
  { clocks },
) => {
  const answer = { now: now.toISOString(), status: 'advancing' as const };
  const after = { aheadMs: 0, lastNight: lastNightBefore(now), isReset: true };
  // A night that ended meanwhile has moved the clock.
  await retryOnConflict(async () =>
    clocks.set(organizationId, await clocks.find(organizationId), after, recordResponse(answer)),
  );
  return answer;
};

type Shown = z.output<typeof ownRegistryRecord>;

/** A record as its customer sees it. @throws ApiError `not_found` for one that is not there, or was taken back. */
function shown(npn: string, record: SimulatedRecord | undefined): Shown {
  if (record === undefined || record.isTakenBack === true) throw notFound();
  const { entity, licenses = null, appointments = null, regulatoryActions = null } = record;
  return {
    npn,
    entity: entity ?? null,
    licenses,
    appointments,
    regulatoryActions,
    isNotFound: entity === null,
  };
}

/** @throws ApiError `not_found` where the caller put none. */
export const getSandboxRegistryRecord: SandboxOperation<'getSandboxRegistryRecord'> = async (
  { identity, params: { npn } },
  { records },
) => shown(npn, await records.find(identity.organizationId, npn));

/** Puts a record in place of an earlier one as a whole (OpenAPI, "replaceSandboxRegistryRecord"). */
export const replaceSandboxRegistryRecord: SandboxOperation<'replaceSandboxRegistryRecord'> = async (
  { identity, params: { npn }, body, now, recordResponse },
  { records },
) => {
  const { isNotFound, entity, licenses, appointments, regulatoryActions } = body;
  const said = { entity, licenses, appointments, regulatoryActions };
  const record = isNotFound === true ? { entity: null } : said;
  const answer = shown(npn, record);
  await records.put(identity.organizationId, npn, record, now, recordResponse(answer));
  return answer;
};

/** @throws ApiError `not_found` where the caller put none. */
export const deleteSandboxRegistryRecord: SandboxOperation<'deleteSandboxRegistryRecord'> = async (
  { identity, params: { npn }, now, recordResponse },
  { records },
) => {
  const answer = shown(npn, await records.find(identity.organizationId, npn));
  await records.put(identity.organizationId, npn, { isTakenBack: true }, now, recordResponse(answer));
  return answer;
};

/** What customers put over the simulated registry, each for itself. */
export const createOwnRecords = (table: Table) => ({
  find: createSimulatedRecords(table).ownOf,

  /**
   * Puts a record, which the next night's visit reads; a clock that is ahead visits all of its owner's NPNs then.
   * @param more items that are written with it.
   */
  put: (owner: string, npn: string, record: SimulatedRecord, now: Date, more: readonly TransactionItem[]) =>
    retryOnConflict(async () => {
      const clock = registryKeys.clock(owner);
      const ahead = await table.get(anyItem, clock);
      const visitAll = { visitedOn: undefined, recordPutAt: now.toISOString() };
      await table.transact([
        table.items.put({ ...simulatedKeys.ownRecord(owner, npn), ...record }),
        ...(ahead === undefined ? [] : [table.items.update(clock, visitAll, exists)]),
        ...more,
      ]);
    }),
});
