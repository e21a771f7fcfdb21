import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { messageJson } from '#platform/data/json.ts';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { clientSettings } from '../../../infra/local/aws/service.ts';
import { sqsService } from '../../../infra/local/aws/sqs-service.ts';
import { type Fauxqs, startFauxqs } from '../../../infra/local/engines/queues-and-buckets.ts';
import { type Listener, openListener } from '../../../infra/local/listener.ts';
import { type Deployment, readTemplates } from '../../../infra/local/template/template.ts';
import {
  createEventBuses,
  type EventBuses,
  eventBridgeService,
} from '../../../infra/local/triggers/event-bus.ts';
import { readEventPattern } from '../../../infra/local/triggers/mapping.ts';
import { queueMessages } from '../../../infra/local/triggers/queue-source.ts';
import { longestMs, until } from '../../support/until.ts';

describe('the bus', () => {
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
            {
              Effect: 'Allow',
              Principal: { Service: 'events.amazonaws.com' },
              Action: 'sqs:SendMessage',
              Resource: queueArn.replace('fanout', 'dead'),
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
    const client = new SQSClient(clientSettings(operator()));
    for (const QueueName of ['fanout', 'dead']) await client.send(new CreateQueueCommand({ QueueName }));
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

  it.each([
    ['a detail that is no object', [{ ...ordered, Detail: '[]' }]],
    ['what is not supported', [{ ...ordered, Resources: ['abc'] }]],
    ['eleven entries', Array.from({ length: 11 }, () => ordered)],
  ])('a call with %s is refused as a whole', async (_, entries) => {
    await expect(put(ordered, ...entries)).rejects.toMatchObject({ name: 'ValidationException' });
    expect(await delivered()).toEqual([]);
  });

  it('only a caller whose role allows it puts events on a bus', async () => {
    await expect(put({ ...ordered, EventBusName: 'others' })).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('publisher is not authorized to perform: events:PutEvents'),
    });
  });

  it('an event that its queue refuses goes to the dead-letter queue, or is lost', async () => {
    const lose = async (Targets: object[]) => {
      faults.length = 0;
      const lost = createEventBuses(deployment({ queueName: 'nowhere', rule: { Targets } }), {
        operator: operator(),
        onFault: (fault) => faults.push(fault),
      });
      lost.put({ EventBusName: 'events', Source: 'shop', DetailType: 'ORDERED', Detail: '{}', Time: 0 }, {});
      await until(() => lost.idle());
    };
    const target = { Id: 'Target0', Arn: { 'Fn::GetAtt': ['Queue', 'Arn'] } };
    await lose([target]);
    expect(faults).toEqual([expect.stringMatching(/An event did not reach .*:nowhere.* It is lost/)]);

    const DeadLetterConfig = { Arn: queueArn.replace('fanout', 'dead') };
    await lose([{ ...target, DeadLetterConfig }]);
    expect(faults).toEqual([expect.stringMatching(/:nowhere.* It is in .*:dead\./)]);
    const [dead] = await queueMessages('dead', operator()).receive(10, 0, AbortSignal.timeout(longestMs));
    expect(dead?.Body).toContain('ORDERED');
  });

  it.each(['\uFFFE', '\uD83C'])(
    'text that no message may hold arrives where it is written for a message (%#)',
    async (text) => {
      await put({ ...ordered, Detail: messageJson({ text: `a${text}b 🏢`, list: [text] }) });
      expect(await delivered()).toMatchObject([{ detail: { text: expect.stringMatching(/^a.b 🏢$/u) } }]);
    },
  );

  const start = (changes: Parameters<typeof deployment>[0]) => () =>
    createEventBuses(deployment(changes), { operator: operator(), onFault: () => undefined });

  it.each([
    [
      'has a target that is no queue',
      { Targets: [{ Id: 'a', Arn: arn('lambda:us-east-1:000000000000:function:x') }] },
    ],
    ['has a pattern that is not evaluated', { EventPattern: { source: [{ wildcard: 's*' }] } }],
    ['is disabled', { State: 'DISABLED' }],
  ])('does not start where a rule %s', (_, rule) => {
    expect(start({ rule })).toThrow();
  });

  it.each([
    ['no permission at all', { Principal: { Service: 'sns.amazonaws.com' } }],
    ['a permission for another rule', { Condition: { ArnEquals: { 'aws:SourceArn': 'arn:aws:events:x' } } }],
  ])('does not start where a rule has %s to send to its queue', (_, policy) => {
    expect(start({ policy })).toThrow('may not send to arn:aws:sqs:us-east-1:000000000000:fanout');
  });
});

describe('event pattern', () => {
  const event = {
    source: 'insurance-compliance',
    'detail-type': 'AGENT_CREATED',
    detail: {
      count: 3,
      note: null,
      tags: ['a', 'b'],
      lines: [{ code: 'x' }, { code: 'y' }],
      name: 'file.pdf',
    },
  };

  describe('an event pattern matches', () => {
    it.each<[string, object, boolean]>([
      ['an exact value', { source: ['insurance-compliance'] }, true],
      [
        'every member that it names',
        { source: ['insurance-compliance'], 'detail-type': ['AGENT_UPDATED'] },
        false,
      ],
      ['null', { detail: { note: [null] } }, true],
      ['a number, but not its text', { detail: { count: ['3'] } }, false],
      ['one element of a list', { detail: { tags: ['b'] } }, true],
      ['one object of a list', { detail: { lines: { code: ['y'] } } }, true],
      ['a beginning', { source: [{ prefix: 'insurance-' }] }, true],
      ['a value that exists', { detail: { count: [{ exists: true }] } }, true],
      ['one of a member that is missing, as absent', { missing: { S: [{ exists: false }] } }, true],
      ['nothing that has to exist', { detail: { missing: [{ exists: true }] } }, false],
    ])('%s', (_, pattern, matched) => {
      expect(readEventPattern(pattern)(event)).toBe(matched);
    });
  });

  it.each([
    ['$or', { $or: [{ source: ['a'] }, { source: ['b'] }] }],
    ['cidr', { source: [{ cidr: '10.0.0.0/8' }] }],
    ['no value', { source: [] }],
    ['a value outside of a list', { source: 'a' }],
  ])('a pattern with %s is refused, since it would be evaluated otherwise', (_, pattern) => {
    expect(() => readEventPattern(pattern)).toThrow();
  });
});
