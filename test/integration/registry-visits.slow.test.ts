import { setTimeout as pause } from 'node:timers/promises';
import { inShort } from '../support/extent.ts';
import { carrier, otherCarrier, subscribe } from '../support/registry-records-tests.ts';
import { count } from '../support/registry-sync-tests.ts';
import { listOf, npn, poll, shownOf, synchronize } from '../support/registry-visits.ts';
import { randomOf } from '../support/seeded.ts';

beforeEach(() => subscribe(npn));

test.each(count(inShort(2, 20)))(
  'visits at random are recorded in the order in which they asked: %i',
  async (seed) => {
    const random = randomOf(`visits ${seed}`);
    await subscribe(npn, otherCarrier);
    let version = 0;
    const answer = async () => {
      const asked = listOf('active', 50);
      const statusReason = `version ${version}`;
      await pause(random.below(60));
      return { ...asked, licenses: asked.licenses.map((one) => ({ ...one, statusReason })) };
    };
    const visits = count(10).map(async () => {
      await pause(random.below(200));
      version += 1;
      await (random.chance(50) ? poll(answer) : synchronize(answer));
    });
    await Promise.all(visits);
    // Those that were superseded too often are made again.
    await poll(answer);
    for (const owner of [carrier, otherCarrier]) {
      const licenses = [...(await shownOf(owner))].filter(([sk]) => sk.startsWith('LICENSE#'));
      const reasons = new Set(licenses.map(([, { statusReason }]) => statusReason));
      expect([licenses.length, ...reasons]).toEqual([50, `version ${version}`]);
    }
  },
);
