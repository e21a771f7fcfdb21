import { randomUUID } from 'node:crypto';
import { ApiError } from '#platform/contract/errors.ts';
import { retryOnConflict, VersionConflict } from '#platform/data/transact.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import { ownAssociation } from './list-associations.ts';
import {
  doneMinutes,
  inProgressMinutes,
  queuedMinutes,
  downstreamEntityAssociationRoutes as routes,
} from './routes.ts';
import type { AssociationSources, Synchronization } from './store.ts';

/** Milliseconds of each status that ends so. */
const timeouts: Readonly<Partial<Record<Synchronization['entityInfo']['status'], number>>> = {
  queued: queuedMinutes * 60_000,
  'in progress': inProgressMinutes * 60_000,
};

/** Whether a synchronization is under way: queued, or in progress. */
function isUnderWay({ entityInfo, queuedAt }: Synchronization, now: Date): boolean {
  const limit = timeouts[entityInfo.status];
  return limit !== undefined && queuedAt !== undefined && now.getTime() - Date.parse(queuedAt) < limit;
}

/** A synchronization, and the name under which this request is to send its job; undefined where it is not. */
interface ToSend {
  readonly synchronization: Synchronization;
  readonly sender?: string;
}

/** Whether the registry was visited just now, and nothing was put into a simulated one since. */
async function isDone(
  { dataOwnerId, npn, entityInfo, lastSynchronizationDate }: Synchronization,
  now: Date,
  synchronizations: AssociationSources['synchronizations'],
): Promise<boolean> {
  if (entityInfo.status !== 'success' || lastSynchronizationDate === null) return false;
  const visitedAt = new Date(lastSynchronizationDate);
  const isRecent = now.getTime() - visitedAt.getTime() < doneMinutes * 60_000;
  return isRecent && !(await synchronizations.isPutSince(dataOwnerId, npn, visitedAt));
}

/**
 * The synchronization that is under way or was just done, or one that is queued now.
 * @throws ApiError `rate_limit_exceeded` where the organization's questions of the day are used up.
 */
const findOrQueue = (
  owner: string,
  npn: string,
  { clock, synchronizations, questionBudget }: AssociationSources,
): Promise<ToSend> =>
  retryOnConflict(async () => {
    const before = await synchronizations.find(owner, npn);
    const sender = randomUUID();
    const now = clock();
    if (before === undefined || !isUnderWay(before, now)) {
      if (before !== undefined && (await isDone(before, now, synchronizations))) {
        return { synchronization: before };
      }
      await questionBudget.takeOrRefuse(owner, 1);
      return { synchronization: await synchronizations.queue(owner, npn, before, sender, now), sender };
    }
    const isToBeSent = before.entityInfo.status === 'queued' && before.isSent !== true;
    if (!isToBeSent) return { synchronization: before };
    if (!(await synchronizations.joinSenders(before, sender))) throw new VersionConflict();
    return { synchronization: before, sender };
  });

export const associationSynchronization = operationsOf(routes, (sources: AssociationSources) => ({
  /**
   * Queues a registry synchronization of an association's agency; one that is under way, or was
   * done within five minutes, is returned as it is. 202 means
   * that the queue has accepted the job: it is marked as queued, sent, then marked as sent. A request that finds it marked but
   * not sent, since an earlier one crashed in between or has not sent it yet, sends the same job again, and the worker does a
   * job once. Only when nobody else is sending it, a job that the queue did not accept has failed.
   *
   * @throws ApiError `not_found`; `conflict` for an agency without an NPN; `rate_limit_exceeded`; `service_unavailable` when the
   *   queue does not accept the job.
   */
  async syncAssociation({ identity, params, recordResponse }) {
    const owner = identity.organizationId;
    const { agency } = await ownAssociation(sources, owner, params.downstreamEntityAssociationId);
    const { npn } = agency;
    if (npn === null) {
      throw new ApiError('conflict', { message: 'The agency has no NPN to look up in the registry.' });
    }
    const { synchronization, sender } = await findOrQueue(owner, npn, sources);
    const { _id: registryDataSubscriptionId, entityInfo } = synchronization;
    const answer = { registryDataSubscriptionId, entityInfo };
    const { jobId } = entityInfo;
    const items = [...recordResponse(answer)];
    if (sender !== undefined && jobId !== null) {
      try {
        await sources.sendSyncJob({ jobId, organizationId: owner, registryDataSubscriptionId, npn });
      } catch (error) {
        await sources.synchronizations.sendFailed(synchronization, sender, sources.clock());
        throw new ApiError('service_unavailable', { cause: error });
      }
      items.push(sources.synchronizations.markSent(synchronization));
    }
    await sources.synchronizations.write(items);
    return answer;
  },
}));
