import { type BatchExecuteStatementCommandOutput, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { deliveryIdOf, rememberedAttempts } from '../../shared/domain/webhooks/deliveries.ts';
import { webhookKeys } from '../../shared/domain/webhooks/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { withFaults } from '../support/faults.ts';
import { dynamo } from '../support/tables.ts';
import { newContext, tables } from '../support/webhooks-tests.ts';

const together = 6;

/** A webhook with events that wait; its receiver answers each when all are under way, and `during` has happened. */
async function newWaiting(during: (eventId: string) => Promise<void> = async () => undefined) {
  const context = newContext();
  const webhook = await context.webhook('/together');
  const events = await Promise.all(Array.from({ length: together }, () => context.event()));
  await context.fanOut(events);
  const made: string[] = [];
  let release = (): void => undefined;
  const allUnderWay = new Promise<void>((resolve) => {
    release = resolve;
  });
  const exchange = async ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
    const eventId = headers['webhook-id'] ?? '';
    made.push(eventId);
    await during(eventId);
    if (made.length === together) release();
    await allUnderWay;
    return { statusCode: 200, error: null, durationMs: 1, responseBody: '', retryAfter: null };
  };
  const connect = () => ({ exchange, close: () => undefined });
  return { context, webhook, events, made, work: () => context.workOnce({ connect }), connect };
}

type Waiting = Awaited<ReturnType<typeof newWaiting>>;

/** The calls that some work makes of the database, by command. */
async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const commands: string[] = [];
  await withFaults((command) => {
    commands.push(command);
    return 'none';
  }, work);
  return commands;
}

/** Every event was attempted once, and its attempt is recorded. */
async function expectEachOnce({ context, webhook, events, made }: Waiting): Promise<void> {
  expect(made.toSorted()).toEqual(events.map(({ eventId }) => eventId).sort());
  for (const { eventId } of events) {
    expect(await context.delivery(eventId, webhook)).toMatchObject({
      status: 'succeeded',
      nextAttemptAt: null,
      attempt: 2,
      attempts: [{ statusCode: 200 }],
    });
  }
  expect(await context.entries(webhook)).toEqual([]);
  expect(await context.drainItem(webhook)).not.toHaveProperty('nextDrainAt');
}

test('attempts that are over together are recorded in one call', async () => {
  const waiting = await newWaiting();
  const commands = await commandsOf(waiting.work);
  expect(commands.filter((command) => command === 'BatchExecuteStatementCommand')).toHaveLength(1);
  // Of the lease: it is taken and given back.
  expect(commands.filter((command) => command === 'UpdateItemCommand')).toHaveLength(2);
  await expectEachOnce(waiting);
});

test('each has a condition of its own: a redelivery requested meanwhile is kept', async () => {
  let isFirst = true;
  const waiting = await newWaiting(async (eventId) => {
    if (!isFirst) return;
    isFirst = false;
    await waiting.context.redeliver(eventId, waiting.webhook);
  });
  const { context, webhook, events, made, work, connect } = waiting;
  await work();
  await context.drain({ connect });
  const [redelivered = ''] = made;
  expect(made).toHaveLength(together + 1);
  expect(made.filter((eventId) => eventId === redelivered)).toHaveLength(2);
  for (const { eventId } of events) {
    const isTwice = eventId === redelivered;
    expect(await context.delivery(eventId, webhook)).toMatchObject({
      status: 'succeeded',
      attempt: isTwice ? 3 : 2,
      attempts: isTwice ? [{ statusCode: 200 }, { statusCode: 200 }] : [{ statusCode: 200 }],
    });
  }
});

test('a full log loses its oldest attempt', async () => {
  const { context, webhook, events, work } = await newWaiting();
  const [{ eventId } = { eventId: '' }] = events;
  const old = (index: number) => ({
    attemptedAt: new Date(index).toISOString(),
    statusCode: 500,
    durationMs: index,
    error: null,
    responseBody: '',
  });
  const attempts = Array.from({ length: rememberedAttempts }, (_, index) => old(index));
  await dynamo.send(
    new UpdateItemCommand({
      TableName: tables.webhooks,
      Key: toItem(webhookKeys.delivery(context.owner, webhook._id, deliveryIdOf(eventId, webhook._id))),
      UpdateExpression: 'SET attempts = :attempts',
      ExpressionAttributeValues: toItem({ ':attempts': attempts }),
    }),
  );
  await work();
  const logged = (await context.delivery(eventId, webhook))?.attempts ?? [];
  expect(logged).toHaveLength(rememberedAttempts);
  expect(logged.slice(0, -1)).toEqual(attempts.slice(1));
  expect(logged.at(-1)).toMatchObject({ statusCode: 200 });
});

test.each(['before', 'after'] as const)(
  'a call that breaks off %s it took effect loses no attempt, and repeats none',
  async (fault) => {
    const waiting = await newWaiting();
    await withFaults(
      (command) => (command === 'BatchExecuteStatementCommand' ? fault : 'none'),
      waiting.work,
    );
    await expectEachOnce(waiting);
  },
);

test('neither does a call of which some statements are throttled', async () => {
  const waiting = await newWaiting();
  const throttled = { Error: { Code: 'ThrottlingError' as const, Message: 'Rate exceeded.' } };
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { Statements } = args.input as { Statements?: unknown[] };
        if (commandName !== 'BatchExecuteStatementCommand' || Statements === undefined) return next(args);
        const [, , ...executed] = Statements;
        const answer = await next({ ...args, input: { ...args.input, Statements: executed } });
        const { Responses = [], ...output } = answer.output as BatchExecuteStatementCommandOutput;
        return { ...answer, output: { ...output, Responses: [throttled, throttled, ...Responses] } };
      },
    { step: 'initialize', name: 'throttled' },
  );
  try {
    await waiting.work();
  } finally {
    dynamo.middlewareStack.remove('throttled');
  }
  await expectEachOnce(waiting);
});
