import * as z from 'zod/mini';
import {
  createSimulatedRecords,
  type SimulatedRecord,
  simulatedKeys,
  simulatedRecordDays,
} from '#domain/registry/simulated-record.ts';
import {
  createNightlyRuns,
  type NightlyRun,
  type NightlyRunJob,
  type NightlyRuns,
  statusOfRun,
} from '#domain/sandbox/nightly-runs.ts';
import { apiFunction } from '#function/api-function.ts';
import { ApiError, existing, notFound } from '#platform/contract/errors.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import { createSendMessages } from '#platform/queue/send.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { mostRecords, type ownRegistryRecord } from './routes.ts';
import { uses } from './uses.ts';

// What customers of a sandbox do: put records of the registry, and have nights run.

/** Seconds after which a caller may ask again for a run while one is under way. */
const retryAfterSeconds = 10;

/** The run to be sent: a new one, or the latest one if that is broken off. @throws ApiError `conflict` while that runs. */
const beginRun = (owner: string, runs: NightlyRuns, now: Date): Promise<NightlyRun> =>
  retryOnConflict(async () => {
    const latest = await runs.latest(owner);
    if (latest !== undefined && statusOfRun(latest, now) === 'running') {
      const { runId } = latest;
      throw new ApiError('conflict', {
        message: 'A nightly run is under way.',
        details: { runId },
        retryAfterSeconds,
      });
    }
    return runs.begin(owner, latest, now);
  });

type ShownRecord = z.output<typeof ownRegistryRecord>;

/** A record as its customer sees it. @throws ApiError `not_found` for one that is not there, or was taken back. */
function shownRecord(npn: string, record: SimulatedRecord | undefined): ShownRecord {
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

/** The NPNs of which an organization has put records, each with when it expires, in seconds since 1970. */
const recordsPut = storedItem('registry-records/sandbox-records', {
  npns: z.record(z.string(), z.int()),
  revision: z.int(),
});

/** Records that customers put over the simulated registry, each for itself. */
export const createOwnRecords = (table: Table) => ({
  find: createSimulatedRecords(table).ownOf,

  /**
   * Puts a record, or takes one back, which the next night's visit reads.
   * @param more items that are written with it.
   * @throws ApiError `conflict` for one record more than an organization may have.
   */
  put: (owner: string, npn: string, record: SimulatedRecord, now: Date, more: readonly TransactionItem[]) =>
    retryOnConflict(async () => {
      const listKey = simulatedKeys.ownRecords(owner);
      const list = await table.get(recordsPut, listKey);
      const expiresAt = expiresAfterDays(now, simulatedRecordDays);
      const otherRecords = Object.entries(list?.npns ?? {}).filter(
        ([otherNpn, until]) => otherNpn !== npn && until * 1_000 > now.getTime(),
      );
      const isPut = record.isTakenBack !== true;
      if (isPut && otherRecords.length >= mostRecords) {
        throw new ApiError('conflict', {
          message: `An organization has at most ${mostRecords} records.`,
          details: { limit: mostRecords },
        });
      }
      const npns = Object.fromEntries([...otherRecords, ...(isPut ? [[npn, expiresAt] as const] : [])]);
      await table.transact([
        table.items.put({ ...simulatedKeys.ownRecord(owner, npn), ...record, expiresAt }),
        table.items.put(
          { ...listKey, npns, revision: (list?.revision ?? 0) + 1 },
          { revision: list?.revision },
        ),
        ...more,
      ]);
    }),
});

/** Serves the routes of a sandbox. */
export const sandboxFunction = apiFunction({
  uses,
  resources: ({ queues }) => ({ send: createSendMessages(queues['sandbox-nightly-run']) }),
  operations: ({ tables: { registryRecords }, send }) => {
    const records = createOwnRecords(registryRecords);
    const runs = createNightlyRuns(registryRecords);
    return {
      /**
       * Has a night run for the organization (OpenAPI, "createSandboxNightlyRun"). 202 means that the queue has accepted it.
       * @throws ApiError `conflict` while one runs; `service_unavailable` when the queue does not accept it.
       */
      async createSandboxNightlyRun({ identity: { organizationId }, now, recordResponse }) {
        const run = await beginRun(organizationId, runs, now);
        const { runId, startedAt } = run;
        try {
          await send([{ organizationId, runId, startedAt } satisfies NightlyRunJob]);
        } catch (error) {
          throw new ApiError('service_unavailable', { cause: error });
        }
        await runs.sent(organizationId, run, recordResponse({ runId }));
        return { runId };
      },

      /** @throws ApiError `not_found` for a run that the organization does not have. */
      async getSandboxNightlyRun({ identity, params: { runId }, now }) {
        const run = existing(await runs.find(identity.organizationId, runId));
        return { status: statusOfRun(run, now), events: run.events };
      },

      /** @throws ApiError `not_found` where the caller put none. */
      async getSandboxRegistryRecord({ identity, params: { npn }, now }) {
        return shownRecord(npn, await records.find(identity.organizationId, npn, now));
      },

      /** Puts a record in place of an earlier one as a whole (OpenAPI, "replaceSandboxRegistryRecord"). */
      async replaceSandboxRegistryRecord({ identity, params: { npn }, body, now, recordResponse }) {
        const { isNotFound, entity, licenses, appointments, regulatoryActions } = body;
        const lists = { entity, licenses, appointments, regulatoryActions };
        const record = isNotFound === true ? { entity: null } : lists;
        const answer = shownRecord(npn, record);
        await records.put(identity.organizationId, npn, record, now, recordResponse(answer));
        return answer;
      },

      /** @throws ApiError `not_found` where the caller put none. */
      async deleteSandboxRegistryRecord({ identity, params: { npn }, now, recordResponse }) {
        const answer = shownRecord(npn, await records.find(identity.organizationId, npn, now));
        await records.put(identity.organizationId, npn, { isTakenBack: true }, now, recordResponse(answer));
        return answer;
      },
    };
  },
  services: writeServices,
});
