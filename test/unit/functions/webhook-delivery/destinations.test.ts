import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { createDestinations } from '../../../../functions/webhook-delivery/destinations.ts';
import { inGroups } from '../../../../functions/webhook-delivery/destined-events.ts';
import { callBytes, entryBytes } from '../../../../shared/domain/events/event.ts';
import type { Destination } from '../../../../shared/domain/webhooks/resource.ts';
import { memoryRoles } from '../../../support/roles.ts';
import { until } from '../../../support/until.ts';

const [carrier, other] = ['a'.repeat(24), 'b'.repeat(24)];
const roleArn = 'arn:aws:iam::111122223333:role/insurance-compliance-webhooks-a';
const queue: Destination = { type: 'sqs', arn: 'arn:aws:sqs:eu-west-1:111122223333:events', roleArn };
const bus: Destination = {
  type: 'eventbridge',
  arn: 'arn:aws:events:eu-west-1:111122223333:event-bus/a',
  roleArn,
};

const event = {
  type: 'CONTRACT_SIGNED',
  occurredAt: '2026-06-01T00:00:00.000Z',
  detail: '{}',
  headers: { 'webhook-id': 'e' },
  groupId: 'entity',
  deduplicationId: 'e-1',
};

const sqs = mockClient(SQSClient);
const eventBridge = mockClient(EventBridgeClient);

let time = 0;
let { roles, calls, allow, withdraw } = memoryRoles();
let send = createDestinations(roles, () => new Date(time));

beforeEach(() => {
  time = 0;
  ({ roles, calls, allow, withdraw } = memoryRoles(() => new Date(time)));
  send = createDestinations(roles, () => new Date(time));
  allow(roleArn, carrier);
  sqs.reset();
  eventBridge.reset();
  sqs.on(SendMessageCommand).resolves({ MessageId: 'm' });
});

test('a role is assumed once in fourteen minutes for an organization, with its id', async () => {
  const answers = await Promise.all([send(carrier, queue, event), send(carrier, queue, event)]);
  for (const answer of answers) {
    expect(answer).toMatchObject({ statusCode: 200, error: null, responseBody: 'm' });
  }
  time = 14 * 60_000 - 1;
  await send(carrier, queue, event);
  expect(calls).toMatchObject([{ roleArn, externalId: carrier }]);
  time += 1;
  await send(carrier, queue, event);
  expect(calls).toHaveLength(2);
});

test('what is kept for one organization is not used for another', async () => {
  await send(carrier, queue, event);
  expect(await send(other, queue, event)).toMatchObject({
    statusCode: 403,
    error: 'refused',
    // What STS says names the service's own role.
    responseBody: 'AssumeRole: AccessDenied',
  });
  expect(sqs.commandCalls(SendMessageCommand)).toHaveLength(1);
});

test('after a refusal the role is assumed anew', async () => {
  await send(carrier, queue, event);
  const denied = Object.assign(new Error('not on this queue'), {
    name: 'AccessDenied',
    $metadata: { httpStatusCode: 403 },
  });
  sqs.reset();
  sqs.on(SendMessageCommand).rejectsOnce(denied).resolves({ MessageId: 'm' });
  expect(await send(carrier, queue, event)).toMatchObject({
    statusCode: 403,
    error: 'refused',
    responseBody: 'AccessDenied: not on this queue',
  });
  withdraw(roleArn);
  expect(await send(carrier, queue, event)).toMatchObject({ responseBody: 'AssumeRole: AccessDenied' });
  allow(roleArn, carrier);
  expect(await send(carrier, queue, event)).toMatchObject({ statusCode: 200 });
});

test('a service that cannot be reached is recorded, too', async () => {
  sqs
    .on(SendMessageCommand)
    .rejectsOnce(new Error('connect ECONNREFUSED'))
    .rejects(Object.assign(new Error(), { name: 'TimeoutError' }));
  expect(await send(carrier, queue, event)).toMatchObject({ statusCode: null, error: 'connection failed' });
  expect(await send(carrier, queue, event)).toMatchObject({ statusCode: null, error: 'timeout' });
});

test('of a long refusal the first 2,048 characters are recorded', async () => {
  const refusal = { name: 'E', message: 'x'.repeat(5_000), $metadata: { httpStatusCode: 400 } };
  sqs.on(SendMessageCommand).rejects(Object.assign(new Error(), refusal));
  eventBridge.on(PutEventsCommand).rejects(Object.assign(new Error(), refusal));
  for (const destination of [queue, bus]) {
    expect((await send(carrier, destination, event)).responseBody).toBe(`E: ${'x'.repeat(2_045)}`);
  }
});

test('an AssumeRole that fails for reasons of AWS or of this service fails the worker, and is no refusal', async () => {
  const throttled = Object.assign(new Error('Rate exceeded'), {
    name: 'Throttling',
    $metadata: { httpStatusCode: 400 },
  });
  let failures = [throttled, new Error('', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })];
  const busy: typeof roles = {
    assume: async (...role) => {
      const [failure, ...others] = failures;
      failures = others;
      if (failure !== undefined) throw failure;
      return roles.assume(...role);
    },
  };
  send = createDestinations(busy, () => new Date(time));
  await expect(send(carrier, queue, event)).rejects.toBe(throttled);
  await expect(send(carrier, queue, event)).rejects.toThrow();
  expect(await send(carrier, queue, event)).toMatchObject({ statusCode: 200, error: null });
  // The queue's own throttling is the receiver's.
  sqs.reset();
  sqs.on(SendMessageCommand).rejects(throttled);
  expect(await send(carrier, queue, event)).toMatchObject({ statusCode: 400, error: 'refused' });
});

/** The region that a client asks, and the credentials by which it does. */
const askedBy = async ({ config }: SQSClient | EventBridgeClient) => [
  await config.region(),
  (await config.credentials()).accessKeyId,
];

test('a queue gets the event in the role’s account and region', async () => {
  await send(carrier, queue, event);
  await send(carrier, { ...queue, arn: `${queue.arn}.fifo` }, event);
  const [plain, fifo] = sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input);
  expect(plain).toEqual({
    QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/111122223333/events',
    MessageBody: '{}',
    MessageAttributes: { 'webhook-id': { DataType: 'String', StringValue: 'e' } },
  });
  expect(fifo).toMatchObject({ MessageGroupId: 'entity', MessageDeduplicationId: 'e-1' });
  const [call] = sqs.commandCalls(SendMessageCommand);
  expect(await askedBy(call?.thisValue as SQSClient)).toEqual(['eu-west-1', 'ASIA1']);
});

test('a bus gets the event in its region, by the role, and refuses one that it does not answer for', async () => {
  eventBridge.on(PutEventsCommand).resolves({ Entries: [{}] });
  expect(await send(carrier, bus, event)).toMatchObject({
    statusCode: 200,
    error: 'refused',
    responseBody: 'NoAnswer: ',
  });
  const [call] = eventBridge.commandCalls(PutEventsCommand);
  expect(await askedBy(call?.thisValue as EventBridgeClient)).toEqual(['eu-west-1', 'ASIA1']);
});

test('events of a bus go in calls that fit, and each is answered for itself', async () => {
  const sizes: number[] = [];
  eventBridge.on(PutEventsCommand).callsFake(({ Entries }: { Entries: readonly { Detail: string }[] }) => {
    const bytes = ({ Detail }: { Detail: string }) => entryBytes({ ...event, detail: Detail });
    sizes.push(Entries.reduce((sum, one) => sum + bytes(one), 0));
    return {
      Entries: Entries.map(({ Detail }) =>
        Detail.startsWith('"7')
          ? { ErrorCode: 'InternalFailure', ErrorMessage: '' }
          : { EventId: Detail.slice(0, 3) },
      ),
    };
  });
  const large = Array.from({ length: 20 }, (_, index) => ({
    ...event,
    detail: JSON.stringify(`${index}.${'x'.repeat(200_000)}`),
  }));
  const answers = await Promise.all(large.map((one) => send(carrier, bus, one)));
  expect(answers.map(({ responseBody }) => responseBody)).toEqual(
    large.map(({ detail }, index) => (index === 7 ? 'InternalFailure: ' : detail.slice(0, 3))),
  );
  expect(answers[7]).toMatchObject({ statusCode: 200, error: 'refused' });
  expect(sizes).toHaveLength(4);
  for (const size of sizes) expect(size).toBeLessThanOrEqual(callBytes);
});

test('fifty small events of a bus take five calls', async () => {
  eventBridge.on(PutEventsCommand).callsFake(({ Entries }: { Entries: readonly object[] }) => ({
    Entries: Entries.map(() => ({ EventId: 'i' })),
  }));
  await Promise.all(Array.from({ length: 50 }, () => send(carrier, bus, event)));
  expect(eventBridge.commandCalls(PutEventsCommand)).toHaveLength(5);
});

describe('in groups', () => {
  const limits = { count: 2, size: { bytes: 100, of: () => 1 } };

  test('one group is under way at a time, and what is asked for meanwhile is in the next ones', async () => {
    const begun: (readonly string[])[] = [];
    let end: () => void = () => undefined;
    const work = inGroups(limits, async (items: readonly string[]) => {
      begun.push(items);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return items.map((item) => `done: ${item}`);
    });
    const first = work('a');
    await until(() => begun.length === 1);
    const others = ['b', 'c', 'd'].map(work);
    // Twice as long as a group gathers: another one would have begun.
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(begun).toEqual([['a']]);
    end();
    expect(await first).toBe('done: a');
    for (const groups of [2, 3]) {
      await until(() => begun.length === groups);
      end();
    }
    expect(await Promise.all(others)).toEqual(['done: b', 'done: c', 'done: d']);
    expect(begun).toEqual([['a'], ['b', 'c'], ['d']]);

    const later = work('e');
    await until(() => begun.length === 4);
    end();
    expect(await later).toBe('done: e');
  });

  test('an item that is not answered fails', async () => {
    const work = inGroups(limits, () => Promise.resolve([]));
    await expect(work('a')).rejects.toThrow('not answered for one of its items');
  });
});
