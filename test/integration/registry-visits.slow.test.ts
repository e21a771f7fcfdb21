import { setTimeout as pause } from 'node:timers/promises';
import { inShort } from '../support/extent.ts';
import { randomOf } from '../support/random.ts';
import { carrier, otherCarrier, subscribe } from '../support/registry-records-tests.ts';
import { count } from '../support/registry-sync-tests.ts';
import { held, listOf, npn, poll, shownOf, synchronize } from '../support/registry-visits.ts';
import { dynamo } from '../support/tables.ts';

beforeEach(() => subscribe(npn));

/** Opens once. */
function gate() {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), isOpen };
}

test('an older answer of which a part is recorded when a newer one is found to change nothing does not stay', async () => {
  const length = 60;
  await poll(async () => listOf('active', length));
  const [newerIsThere, partIsThere] = [gate(), gate()];
  let transactions = 0;
  let newer: ReturnType<typeof poll> | undefined;
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'TransactWriteItemsCommand') return next(args);
        transactions += 1;
        if (transactions === 1) {
          newer = poll(async () => listOf('active', length));
          await newerIsThere.isOpen;
          return next(args).finally(partIsThere.open);
        }
        newerIsThere.open();
        await partIsThere.isOpen;
        return next(args);
      },
    { step: 'initialize', name: 'meeting' },
  );
  let status = 'inactive';
  try {
    await poll(async () => {
      const answer = listOf(status, length);
      status = 'active';
      return answer;
    });
    expect(await newer).toMatchObject({ failed: 0 });
  } finally {
    dynamo.middlewareStack.remove('meeting');
  }
  expect(transactions).toBeGreaterThan(2);
  expect(await held()).toEqual(['active']);
});

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
