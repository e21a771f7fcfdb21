// `npm run rehearse:restore`: writes through the API of the local run, notes a time, writes more, damages tables, restores all
// of them as of the time, deploys the service onto the restored tables, and checks what callers and receivers see then.
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DeleteItemCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { TableName } from '#domain/tables.ts';
import { queueWaitSeconds } from '#platform/aws/limits.ts';
import { environments } from '../../infra/environments.ts';
import { clientSettings } from '../../infra/local/aws/service.ts';
import { startDynamoDbLocal } from '../../infra/local/engines/dynamodb-local.ts';
import { startFauxqs } from '../../infra/local/engines/queues-and-buckets.ts';
import { startLocalRun } from '../../infra/local/local-run.ts';
import { readAccount, restoreTables, tablePlans } from '../../infra/restore/restore.ts';
import { startEventReceiver } from '../support/event-receiver.ts';
import { pdf } from '../support/files.ts';
import { waitUntilIdle } from '../support/idle.ts';
import { call } from '../support/local-api.ts';
import { startRecoverableDynamo } from '../support/recoverable-dynamo.ts';
import { change, download, feedAfter, listen, upload } from './events.ts';
import { answersTo, differences, readsOfDemo, signIn } from './reads.ts';

const began = performance.now();
const elapsed = (): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
const say = (line: string): void => void process.stdout.write(`${elapsed().padStart(7)}  ${line}\n`);
let failures = 0;
function check(holds: boolean, what: string, otherwise: unknown = ''): void {
  if (!holds) failures += 1;
  say(`${holds ? 'ok  ' : 'FAIL'} ${what}${holds ? '' : `: ${String(otherwise)}`}`);
}

/** Tries to read everything twice alike. */
const mostTries = 10;

const { local } = environments;
const engines = { dynamoDbLocal: await startDynamoDbLocal(), fauxqs: await startFauxqs() };
const deployed = tablePlans(local, new Date(0));
const isBusiness = (table: string): boolean =>
  deployed.some(({ isRestored, isSource }) => isRestored && isSource(table));
const recoverable = await startRecoverableDynamo(engines.dynamoDbLocal.access, isBusiness);
const client = new DynamoDBClient(
  clientSettings({ endpoint: recoverable.endpoint, accessKeyId: 'operator' }),
);
const receiver = await startEventReceiver();
const logDirectory = await mkdtemp(join(tmpdir(), 'rehearsed-restore-'));

async function start(environment: Partial<typeof local>, seed: boolean) {
  const run = await startLocalRun({ seed, engines, environment, logDirectory, onError: () => undefined });
  process.env['TEST_BASE_URL'] = run.baseUrl;
  process.env['TEST_AWS_ENDPOINT'] = run.operator.endpoint;
  process.env['TEST_OPERATOR_KEY'] = run.operator.accessKeyId;
  return run;
}

/** Deletes all items of a table, as a release with a defect may. */
async function empty(TableName: string, keys: readonly string[]): Promise<void> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    for (const item of Items) {
      const Key = Object.fromEntries(Object.entries(item).filter(([name]) => keys.includes(name)));
      await client.send(new DeleteItemCommand({ TableName, Key }));
    }
  }
}

try {
  let run = await start({}, true);
  const { demo } = run;
  if (demo === undefined) throw new Error('The demo data is missing.');
  process.env['TEST_DEMO'] = JSON.stringify(demo);
  let callers = await signIn(demo);
  const associationId = demo.downstreamEntityAssociationId;
  await listen(callers.upstream, receiver, '/events');
  await change(callers.upstream, associationId, 'before');
  const keptFile = await upload(callers.upstream, 'kept.pdf', randomUUID());
  await receiver.until('/events', () => true, { count: 2 });
  await waitUntilIdle(run);

  const reads = await readsOfDemo();
  const isOwnStory = (title: string): boolean => title.startsWith('listEvents');
  let before = await answersTo(reads, callers);
  const feedBefore = await feedAfter(callers.upstream, 0);
  const names = (await readAccount(client)).tables;
  let to = await recoverable.copyTables(names);
  // The demo's registry may still be polled: of that time is what is answered alike before and after it.
  for (let tries = 1; ; tries += 1) {
    const again = await answersTo(reads, callers);
    const changing = differences(before, again).filter((difference) => !isOwnStory(difference));
    if (changing.length === 0) break;
    say(`Answered differently at once: ${changing.join(', ')}`);
    if (tries === mostTries) throw new Error(`What is read never stands still, in ${tries} tries.`);
    before = again;
    to = await recoverable.copyTables(names);
  }
  say(
    `The time to restore to is ${to.toISOString()}: ${reads.length} reads, ${feedBefore.items.length} events.`,
  );

  const lostKey = randomUUID();
  await change(callers.upstream, associationId, 'lost');
  const lostFile = await upload(callers.upstream, 'lost.pdf', lostKey);
  await receiver.until('/events', () => true, { count: 4 });
  await waitUntilIdle(run);
  const feedLost = await feedAfter(callers.upstream, 0);
  const seen = receiver.deliveredTo('/events').map(({ event }) => event);
  await run.stop();
  // The engine keeps the calls of pollers that are gone, and would give them messages until these calls end.
  await pause(queueWaitSeconds * 1_000);
  const lost: readonly TableName[] = ['policies', 'associations', 'organizations', 'registry-records'];
  const plans = tablePlans(local, to);
  for (const { isSource, properties } of plans.filter(({ name }) => lost.includes(name))) {
    const [table = ''] = names.filter(isSource);
    await empty(
      table,
      properties.KeySchema.map(({ AttributeName }) => AttributeName),
    );
  }
  say(`Two more events were published and received; then the items of ${lost.join(', ')} are gone.`);

  const restoring = performance.now();
  const tools = { client, say: () => undefined, now: () => new Date(), wait: () => pause(20) };
  const { restoredTables } = await restoreTables({ plans, to }, tools);
  const repeated = await restoreTables({ plans, to }, tools);
  check(
    JSON.stringify(repeated.restoredTables) === JSON.stringify(restoredTables),
    'a repeat of the script changes nothing',
  );
  say(`${Object.keys(restoredTables).length} tables restored.`);
  run = await start({ restoredTables }, false);
  callers = await signIn(demo);
  say(
    `The service uses them: ${((performance.now() - restoring) / 1_000).toFixed(1)} s since the restore began, on this machine.`,
  );

  const after = await answersTo(reads, callers);
  const changed = differences(before, after).filter((title) => !isOwnStory(title));
  check(changed.length === 0, `${reads.length} reads are answered as at that time`, changed.join(', '));
  const query = { updatedSince: to.toISOString() };
  const followed = await call('GET', '/v2/upstream/policies', { headers: callers.upstream, query });
  check(
    followed.status === 400,
    'who follows a list is told to read it whole again',
    `${followed.status} ${followed.text.slice(0, 200)}`,
  );

  const kept = await download(callers.upstream, keptFile);
  check(kept.equals(pdf('kept.pdf')), 'a file has its content', kept.length);
  const ids = ({ items }: typeof feedBefore): string => items.map(({ eventId }) => eventId).join();
  check(
    ids(await feedAfter(callers.upstream, 0)) === ids(feedBefore),
    'the feed has the events of that time',
  );
  const late = await feedAfter(callers.upstream, feedLost.next);
  check(
    late.items.length === 0,
    'a reader whose position was lost is served, and there is nothing new',
    late.items.length,
  );

  await change(callers.upstream, associationId, 'after');
  const again = await upload(callers.upstream, 'lost.pdf', lostKey);
  check(again !== lostFile, 'a lost request is done again under its idempotency key');
  const known = new Set(seen.map(({ eventId }) => eventId));
  const fresh = await receiver.until('/events', ({ eventId }) => !known.has(eventId), { count: 2 });
  check(
    fresh.length === 2,
    'the webhook receives the new events, signed with the secret of before',
    fresh.length,
  );
  for (const { event } of fresh) {
    const highest = Math.max(
      ...seen.filter(({ webhookType }) => webhookType === event.webhookType).map(({ sequence }) => sequence),
    );
    const number = `${event.webhookType} has the sequence ${event.sequence}, above the highest that was issued, ${highest}`;
    check(event.sequence > highest, number);
  }
  for (const [reader, position] of [
    ['with a lost position', feedLost.next],
    ['with the position of that time', feedBefore.next],
  ] as const) {
    const { items, next } = await feedAfter(callers.upstream, position);
    const found = new Set(items.map(({ eventId }) => eventId));
    const hasBoth = fresh.every(({ event }) => found.has(event.eventId));
    check(
      hasBoth && items.length === 2,
      `a reader ${reader} gets the new events and nothing else`,
      items.length,
    );
    check(next > feedLost.next, `and goes on at ${next}, above ${feedLost.next}`);
  }
  await waitUntilIdle(run);
  await run.stop();
} finally {
  receiver.close();
  await recoverable.stop();
  await engines.fauxqs.stop();
  await engines.dynamoDbLocal.stop();
}
say(failures === 0 ? 'The restore was rehearsed.' : `${failures} checks failed.`);
process.exitCode = failures === 0 ? 0 : 1;
