import { setTimeout as pause } from 'node:timers/promises';
import { inShort } from '../support/extent.ts';
import { randomOf } from '../support/random.ts';
import { carrier, otherCarrier, subscribe } from '../support/registry-records-tests.ts';
import { count } from '../support/registry-sync-tests.ts';
import { held, itemsOf, listOf, npn, poll, synchronize } from '../support/registry-visits.ts';

test.each(count(inShort(2, 20)))(
  'visits at random are recorded in the order in which they asked: %i',
  async (seed) => {
    const random = randomOf(`visits ${seed}`);
    for (const owner of [carrier, otherCarrier]) await subscribe(npn, owner);
    let version = 0;
    const answer = async () => {
      const asked = listOf(`active - ${version}`, 50);
      await pause(random.below(60));
      return asked;
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
      expect(await held(owner)).toEqual([`active - ${version}`]);
      const stated = [...(await itemsOf(owner)).values()].filter(({ what }) => what === 'stated');
      const versions = stated
        .toSorted((one, other) => String(one['recordedAt']).localeCompare(String(other['recordedAt'])))
        .map(({ rows }) => Number((rows as { status: string }[])[0]?.status.slice('active - '.length)));
      expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    }
  },
);
