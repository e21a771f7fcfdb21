import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '../../../infra/local/aws/call.ts';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { eventBridgeService } from '../../../infra/local/aws/event-bridge-service.ts';
import { sqsService } from '../../../infra/local/aws/sqs-service.ts';
import { type Fauxqs, startFauxqs } from '../../../infra/local/engines/fauxqs.ts';
import { type Listener, openListener } from '../../../infra/local/listener.ts';
import { type Deployment, readTemplates } from '../../../infra/local/template/template.ts';
import { createEventBuses, type EventBuses } from '../../../infra/local/triggers/event-bus.ts';
import { queueMessages } from '../../../infra/local/triggers/queue-messages.ts';
import { MB } from '../../../shared/platform/aws/limits.ts';
import { longestMs } from '../../support/until.ts';

const arn = (rest: string): string => `arn:aws:${rest}`;
const queueArn = arn('sqs:us-east-1:000000000000:fanout');
const busArn = arn('events:us-east-1:000000000000:event-bus/events');

/** A bus with one rule that puts events into the queue `fanout`. */
function deployment(
  changes: { readonly rule?: object; readonly policy?: object; readonly queueName?: string } = {},
): Deployment {
  const Queue = { Type: 'AWS::SQS::Queue', Properties: { QueueName: changes.queueName ?? 'fanout' } };
  const Bus = { Type: 'AWS::Events::EventBus', Properties: { Name: 'events' } };
  const Rule = {
    Type: 'AWS::Events::Rule',
    Properties: {
      Name: 'fanout',
      EventBusName: { Ref: 'Bus' },
      EventPattern: { source: ['shop'], 'detail-type': ['ORDERED'] },
      State: 'ENABLED',
      Targets: [{ Id: 'Target0', Arn: { 'Fn::GetAtt': ['Queue', 'Arn'] } }],
      ...changes.rule,
    },
  };
  const Policy = {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: 'Queue' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 'sqs:*',
            Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
          {
            Effect: 'Allow',
            Principal: { Service: 'events.amazonaws.com' },
            Action: ['sqs:SendMessage', 'sqs:GetQueueUrl'],
            Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] },
            Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': ['Rule', 'Arn'] } } },
            ...changes.policy,
          },
        ],
      },
    },
  };
  return readTemplates(
    { service: { Resources: { Queue, Bus, Rule, Policy } } },
    { awsEndpoint: listener.address },
  );
}

let fauxqs: Fauxqs;
let listener: Listener;
let buses: EventBuses;
const operator = () => ({ endpoint: listener.address, accessKeyId: 'OPERATOR' });
const faults: string[] = [];

beforeAll(async () => {
  fauxqs = await startFauxqs();
  listener = await openListener(0);
  buses = createEventBuses(deployment(), { operator: operator(), onFault: (fault) => faults.push(fault) });
  const statements = [
    { effect: 'Allow' as const, actions: ['events:PutEvents'], resources: [busArn], conditions: [] },
  ];
  listener.serve(
    createAwsEndpoint({
      callers: new Map([
        ['OPERATOR', { name: 'operator', statements: 'everything' }],
        ['PUBLISHER', { name: 'publisher', statements }],
      ]),
      services: { sqs: sqsService(fauxqs.port), events: eventBridgeService(buses) },
      onGrantUsed: () => undefined,
      onRefusal: () => undefined,
    }),
  );
  await new SQSClient(clientSettings(operator())).send(new CreateQueueCommand({ QueueName: 'fanout' }));
});
afterAll(async () => {
  await listener.close();
  await fauxqs.stop();
});

const put = (...Entries: PutEventsRequestEntry[]) =>
  new EventBridgeClient({
    endpoint: listener.address,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'PUBLISHER', secretAccessKey: 'local' },
  }).send(new PutEventsCommand({ Entries }));

/** What is in the queue, taken out of it. */
async function delivered(): Promise<unknown[]> {
  while (!(await buses.idle())) await new Promise((resolve) => setTimeout(resolve, 5));
  const queue = queueMessages('fanout', operator());
  const messages = await queue.receive(10, 0, AbortSignal.timeout(longestMs));
  await queue.delete(messages);
  return messages.map(({ Body }) => JSON.parse(Body ?? '') as unknown);
}

const ordered = {
  EventBusName: 'events',
  Source: 'shop',
  DetailType: 'ORDERED',
  Time: new Date('2026-03-04T05:06:07.890Z'),
  Detail: '{"order":1}',
};

it('an event reaches the queue of the rule that it matches, as EventBridge delivers it', async () => {
  const { FailedEntryCount, Entries } = await put(ordered);
  expect(FailedEntryCount).toBe(0);
  expect(await delivered()).toEqual([
    {
      version: '0',
      id: Entries?.[0]?.EventId,
      'detail-type': 'ORDERED',
      source: 'shop',
      account: '000000000000',
      time: '2026-03-04T05:06:07Z',
      region: 'us-east-1',
      resources: [],
      detail: { order: 1 },
    },
  ]);
});

it('an event that no rule matches is accepted and not delivered', async () => {
  const answer = await put({ ...ordered, DetailType: 'PAID' }, { ...ordered, Source: 'other' });
  expect(answer.FailedEntryCount).toBe(0);
  expect(await delivered()).toEqual([]);
});

it('invalid entries are refused individually', async () => {
  const { FailedEntryCount, Entries } = await put(
    { ...ordered, Detail: '[]' },
    ordered,
    { ...ordered, Detail: '{' },
    { ...ordered, DetailType: '' },
    { ...ordered, Source: undefined },
  );
  expect(FailedEntryCount).toBe(4);
  expect(Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
    'MalformedDetail',
    undefined,
    'MalformedDetail',
    'InvalidArgument',
    'InvalidArgument',
  ]);
  expect(await delivered()).toHaveLength(1);
});

it('a call may have ten entries', async () => {
  await expect(put(...Array.from({ length: 11 }, () => ordered))).rejects.toMatchObject({
    name: 'ValidationException',
  });
});

it('a call may have 1 MB, counting 14 bytes for the time of an entry and the bytes of its resources', async () => {
  const { Time, ...timeless } = ordered;
  const counted = Buffer.byteLength(timeless.Source + timeless.DetailType);
  const ofBytes = (bytes: number) => ({
    ...timeless,
    Detail: JSON.stringify('a'.repeat(bytes - counted - 2)),
  });
  // The detail is no object, so nothing is delivered: what counts is whether the call is looked at at all.
  expect((await put(ofBytes(MB))).FailedEntryCount).toBe(1);
  expect((await put({ ...ofBytes(MB - 14), Time })).FailedEntryCount).toBe(1);
  expect((await put({ ...ofBytes(MB - 3), Resources: ['abc'] })).FailedEntryCount).toBe(1);
  const tooLarge = { name: 'ValidationException', message: expect.stringContaining('Total size') };
  await expect(put(ofBytes(MB + 1))).rejects.toMatchObject(tooLarge);
  await expect(put({ ...ofBytes(MB - 13), Time })).rejects.toMatchObject(tooLarge);
  await expect(put({ ...ofBytes(MB - 2), Resources: ['abc'] })).rejects.toMatchObject(tooLarge);
  await expect(put(ofBytes(MB / 2), ofBytes(MB / 2 + 1))).rejects.toMatchObject(tooLarge);
});

it('an authorized caller puts events on a bus by its name or ARN', async () => {
  expect((await put({ ...ordered, EventBusName: busArn })).FailedEntryCount).toBe(0);
  expect(await delivered()).toHaveLength(1);
  await expect(put({ ...ordered, EventBusName: 'default' })).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringContaining('publisher is not authorized to perform: events:PutEvents'),
  });
});

it('a missing queue is reported and delays no other target', async () => {
  const lost = createEventBuses(deployment({ queueName: 'nowhere' }), {
    operator: operator(),
    onFault: (fault) => faults.push(fault),
  });
  lost.put({
    busName: 'events',
    source: 'shop',
    detailType: 'ORDERED',
    detail: {},
    resources: [],
    time: new Date(),
  });
  while (!(await lost.idle())) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(faults).toEqual([expect.stringContaining('An event did not reach')]);
});

describe('the start stops where a rule', () => {
  const start = (changes: Parameters<typeof deployment>[0]) => () =>
    createEventBuses(deployment(changes), { operator: operator(), onFault: () => undefined });

  it.each([
    [
      'has a target that is no queue',
      { Targets: [{ Id: 'a', Arn: arn('lambda:us-east-1:000000000000:function:x') }] },
    ],
    ['changes what the target gets', { Targets: [{ Id: 'a', Arn: queueArn, InputPath: '$.detail' }] }],
    ['has a pattern that is not evaluated', { EventPattern: { source: [{ wildcard: 's*' }] } }],
    ['is a schedule', { ScheduleExpression: 'rate(1 day)' }],
    ['is disabled', { State: 'DISABLED' }],
    [
      'has retries of its own',
      { Targets: [{ Id: 'a', Arn: queueArn, RetryPolicy: { MaximumRetryAttempts: 1 } }] },
    ],
  ])('%s', (_, rule) => {
    expect(start({ rule })).toThrow();
  });

  it.each([
    ['no permission at all', { Principal: { Service: 'sns.amazonaws.com' } }],
    ['a permission for another rule', { Condition: { ArnEquals: { 'aws:SourceArn': 'arn:aws:events:x' } } }],
    ['a permission for another action', { Action: 'sqs:ReceiveMessage' }],
  ])('has %s to send to its queue', (_, policy) => {
    expect(start({ policy })).toThrow('may not send to arn:aws:sqs:us-east-1:000000000000:fanout');
  });
});
