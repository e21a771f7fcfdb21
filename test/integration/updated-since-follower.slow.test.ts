import type { Route } from '#platform/contract/route.ts';
import { laggingClient } from '../support/aws-faults/lagging-client.ts';
import { inShort } from '../support/extent.ts';
import {
  type FollowedList,
  type FollowedTables,
  followedLists,
  followedTables,
  functionsOn,
  type Item,
} from '../support/followed-lists.ts';
import { followedWriters, type Instance } from '../support/followed-writers.ts';
import { organizationsIn } from '../support/organizations.ts';
import { randomOf } from '../support/seeded.ts';

// UPDATED_SINCE_CHANGES=10000 npx jest test/integration/updated-since-follower.slow.test.ts
const changes = inShort(20, 2_000);
const seed = process.env['UPDATED_SINCE_SEED'] ?? inShort('one', String(Date.now()));

const { below } = randomOf(seed);

/** The time of the whole test; nothing waits for it. Every call of the database takes some, now and then seconds. */
let time = Date.parse('2026-07-01T00:00:00.000Z');
const pass = (): void => {
  time += below(200) === 0 ? 8_000 : 5 + below(100);
};

const longestLagMs = 2_000;
/** Clocks of instances, up to two seconds apart. */
const skewsMs = [-1_000, 0, 1_000];

class Crash extends Error {}

let tables: FollowedTables;
let lagging: Awaited<ReturnType<typeof laggingClient>>;

/** Runs some work on an instance of its own, which may end before or after one of its calls takes effect. */
async function onInstance<Result>(
  options: { readonly crashes: boolean },
  work: (instance: Instance) => Promise<Result>,
): Promise<Result | undefined> {
  const client = lagging.newClient();
  const skewMs = skewsMs[below(skewsMs.length)] ?? 0;
  const lastCall = options.crashes && below(4) === 0 ? 1 + below(12) : Number.POSITIVE_INFINITY;
  const isDone = below(2) === 0;
  let calls = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      pass();
      if (calls > lastCall || (calls === lastCall && !isDone)) throw new Crash();
      const answer = await next(args);
      pass();
      if (calls === lastCall) throw new Crash();
      return answer;
    },
    { step: 'initialize', name: 'instance' },
  );
  try {
    return await work({ client, now: () => new Date(time + skewMs) });
  } catch (error) {
    // Writes of one record at once may be refused, as an operator's command is: what is written of them stays.
    if (calls >= lastCall || String(error).includes('transient_transaction_error')) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

const ask = async (carrier: string, route: Route, query: Record<string, string> = {}) => {
  const answer = await onInstance({ crashes: false }, ({ client, now }) =>
    functionsOn(tables, client, now).ask(carrier, route, { query }),
  );
  expect(answer).toMatchObject({ status: 200 });
  return { items: (answer?.data ?? []) as readonly Item[], headers: answer?.headers ?? {} };
};

/** Somebody who follows a list by what the API documents, and nothing else. */
function followerOf(carrier: string, { name, route, idOf }: FollowedList) {
  const records = new Map<string, Item>();
  let next: string | undefined;
  let isStored = false;

  const stateOf = (entries: Iterable<readonly [string, Item]>) => ({
    name,
    records: Object.fromEntries([...entries].sort()),
  });

  return {
    async poll(): Promise<void> {
      const { items, headers } = await ask(carrier, route, next === undefined ? {} : { updatedSince: next });
      // Now and then a follower ends before it has stored a response.
      isStored = below(20) !== 0;
      if (!isStored) return;
      for (const item of items) {
        if (item['isDeleted'] === true) records.delete(idOf(item));
        else records.set(idOf(item), item);
      }
      next = headers['x-updated-until'];
    },
    hasStored: () => isStored,
    /** What it knows. */
    state: () => stateOf(records),
    /** What the list itself returns. */
    list: async () => stateOf((await ask(carrier, route)).items.map((item) => [idOf(item), item])),
  };
}

beforeAll(async () => {
  tables = await followedTables();
  lagging = await laggingClient(
    () => below(longestLagMs),
    () => time,
  );
});

afterAll(async () => {
  await lagging.close();
});

it('updated-since follower: whoever follows x-updated-until has every change', async () => {
  process.stdout.write(`UPDATED_SINCE_SEED=${seed}\n`);
  const newOrganization = organizationsIn(tables.organizations, undefined, 1_000_000);
  const carriers = [await newOrganization(), await newOrganization()];
  const agencyOrganizations = [
    await newOrganization('downstreamEntity'),
    await newOrganization('downstreamEntity'),
  ];
  const pool = Math.max(8, Math.floor(changes / 25));
  const writers = followedWriters({ tables, carriers, agencyOrganizations, below, pool });
  const followers = carriers.flatMap((carrier) => followedLists.map((list) => followerOf(carrier, list)));

  let made = 0;
  while (made < changes) {
    const writes = [1, 2, 3].map(async () => {
      const write = writers[below(writers.length)];
      made += (write && (await onInstance({ crashes: true }, write))) ?? 0;
    });
    const polls = followers.flatMap((follower) => (below(12) === 0 ? [follower.poll()] : []));
    await Promise.all([...writes, ...polls]);
  }

  time += longestLagMs + 2_000;
  for (const follower of followers) {
    do await follower.poll();
    while (!follower.hasStored());
    expect(follower.state()).toEqual(await follower.list());
  }
}, 14_400_000);
