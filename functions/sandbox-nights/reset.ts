import { reportDeps } from '../../shared/domain/compliance-changes/dependencies.ts';
import { reportNow } from '../../shared/domain/compliance-changes/report.ts';
import { feedKeys } from '../../shared/domain/events/feed.ts';
import type { Resources } from '../../shared/domain/function.ts';
import { simulatedKeys } from '../../shared/domain/registry/simulated-record.ts';
import { shownChanges } from '../../shared/domain/registry-records/shown-changes.ts';
import { registryKeys } from '../../shared/domain/registry-records/stored.ts';
import {
  type VisitedSubscription,
  visitedSubscription,
} from '../../shared/domain/registry-records/visits.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { compare } from '../../shared/platform/data/compare.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { exists } from '../../shared/platform/data/expressions.ts';
import { itemKey } from '../../shared/platform/data/stored.ts';
import { type createNight, npnsAtOnce } from './night.ts';
import { createTakeBackConfigs } from './take-back-configs.ts';
import { createTakeBackRecords } from './take-back-records.ts';
import type { uses } from './uses.ts';

/** What a subscription says that was never synchronized (`newSubscription`). */
const neverVisited = {
  'entityInfo.status': 'not started',
  'entityInfo.message': null,
  pdbAlertsSubscriptionStatus: null,
};

/**
 * Takes back what is dated after the present by an organization whose clock was set back, and what it put over the simulated
 * registry; then visits its NPNs. It may be done any number of times: each step derives what is left to do from what is stored.
 */
export function createReset(
  { tables, context: { logger: log, now } }: Resources<typeof uses>,
  runNight: ReturnType<typeof createNight>,
) {
  const { registryRecords, outbox } = tables;
  const takeBackConfigs = createTakeBackConfigs(tables.compliance);
  const takeBackRecords = createTakeBackRecords(registryRecords, now);
  // What receivers hold is what was answered before the clock was ahead: nothing that is taken back is reported.
  const silently = { ...reportDeps({ tables, now, log }), events: () => [] };

  async function takeBack(
    owner: string,
    subscription: VisitedSubscription,
    own: ReadonlySet<string>,
  ): Promise<void> {
    const { _id, npn, lastSynchronizationDate } = subscription;
    const at = now();
    const isLater = (time: string | null | undefined): boolean => (time ?? '') > at.toISOString();
    const { closings } = await takeBackRecords({ owner, npn });
    const lastVisit = closings
      .flatMap(({ by, commandAt }) => (by === 'import' ? [] : [commandAt]))
      .sort(compare)
      .at(-1);
    if (isLater(lastSynchronizationDate)) {
      const changes = {
        lastSynchronizationDate: lastVisit ?? null,
        ...(lastVisit === undefined ? neverVisited : {}),
      };
      const key = registryKeys.subscription(owner, _id);
      await registryRecords.update(key, shownChanges(subscription, changes, at), exists);
    }
    // What visits before recorded of it stays, and the next one reads the whole default again.
    if (own.has(npn) && lastVisit !== undefined) {
      await registryRecords.put({ ...simulatedKeys.ownRecord(owner, npn), isTakenBack: true });
    } else await registryRecords.delete(simulatedKeys.ownRecord(owner, npn));
    const reported = await silently.changes.reported(owner, npn);
    if (!isLater(reported?.at)) return;
    // Before anything is compared anew, what was decided ends.
    if (reported?.unsent !== undefined) await reportNow(owner, npn, silently);
    await reportNow(owner, npn, silently);
  }

  return async (owner: string): Promise<void> => {
    await outbox.update(feedKeys.counter(owner), { setBackAt: now().toISOString() }, exists);
    await takeBackConfigs(owner, now());
    const [subscriptions, records] = await Promise.all([
      collect(registryRecords.query(visitedSubscription, registryKeys.subscription(owner, '').pk)),
      collect(registryRecords.query(itemKey, simulatedKeys.ownRecord(owner, '').pk)),
    ]);
    const own = new Set(records.map(({ sk }) => sk));
    await concurrently(subscriptions, npnsAtOnce, (one) => takeBack(owner, one, own));
    const subscribed = new Set(subscriptions.map(({ npn }) => npn));
    const others = records.filter(({ sk }) => !subscribed.has(sk));
    await concurrently(others, npnsAtOnce, async (key) => void (await registryRecords.delete(key)));
    await runNight(owner, { visits: true });
  };
}
