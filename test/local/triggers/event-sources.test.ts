import type { Grant, Statement } from '../../../infra/local/aws/policy-evaluation.ts';
import type { LocalFunction } from '../../../infra/local/functions/local-function.ts';
import { openListener } from '../../../infra/local/listener.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';
import { startEventSources } from '../../../infra/local/triggers/event-sources.ts';

/** Statements that allow actions on a resource, one for each. */
const allowing = (resource: string, ...actions: string[]): Statement[] =>
  actions.map((action) => ({ effect: 'Allow', actions: [action], resources: [resource], conditions: [] }));

/** A function that does nothing. */
const worker: LocalFunction = {
  settings: {
    module: '',
    handler: '',
    functionName: 'worker',
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:worker',
    memoryLimitInMB: 1_024,
    timeoutMs: 60_000,
    environment: {},
  },
  invoke: async () => undefined,
  stream: () => {
    throw new Error('A worker does not stream.');
  },
  crash: async () => undefined,
  stop: async () => undefined,
};

describe('event sources', () => {
  const queue = 'arn:aws:sqs:us-east-1:000000000000:jobs';
  const dead = 'arn:aws:sqs:us-east-1:000000000000:dead';
  const stream = 'arn:aws:dynamodb:us-east-1:000000000000:table/outbox/stream/local';

  /** What the services answer to Lambda: an empty queue, and a stream of one empty shard. */
  const answers: Readonly<Record<string, object>> = {
    DescribeStream: { StreamDescription: { Shards: [{ ShardId: 'shard' }] } },
    GetShardIterator: { ShardIterator: 'start' },
    GetRecords: { Records: [], NextShardIterator: 'next' },
  };

  /** Starts one mapping for a function with this role; answers the grants that were used. */
  async function start(options: {
    readonly statements: Statement[];
    readonly visibilitySeconds?: number;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly others?: Readonly<Record<string, object>>;
  }): Promise<Grant[]> {
    const listener = await openListener(0);
    listener.serve(async (request, response) => {
      const asked = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
      response.end(JSON.stringify(answers[asked] ?? {}));
    });
    const Jobs = {
      Type: 'AWS::SQS::Queue',
      Properties: { QueueName: 'jobs', VisibilityTimeout: options.visibilitySeconds ?? 360 },
    };
    const Messages = {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { FunctionName: 'worker', ...options.properties },
    };
    const used: Grant[] = [];
    try {
      const sources = await startEventSources({
        deployment: readTemplates(
          { service: { Resources: { Jobs, Messages, ...options.others } } },
          { awsEndpoint: listener.address },
        ),
        fleet: {
          memberOf: () => ({
            target: worker,
            name: 'worker',
            statements: options.statements,
            accessKeyId: 'KEY',
          }),
          report: () => undefined,
        },
        awsEndpoint: listener.address,
        onGrantUsed: (_, grant) => used.push(grant),
      });
      while (!(await sources.idle())) await new Promise((resolve) => setTimeout(resolve, 5));
      await sources.stop();
      return used;
    } finally {
      await listener.close();
    }
  }

  const common = { BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] };
  const ofQueue = { ...common, EventSourceArn: queue, ScalingConfig: { MaximumConcurrency: 2 } };
  const ofStream = {
    ...common,
    EventSourceArn: stream,
    StartingPosition: 'TRIM_HORIZON',
    FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
    BisectBatchOnFunctionError: true,
    MaximumRecordAgeInSeconds: 3_600,
    DestinationConfig: { OnFailure: { Destination: dead } },
  };
  const queueActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  const streamActions = ['DescribeStream', 'GetShardIterator', 'GetRecords', 'ListStreams'].map(
    (action) => `dynamodb:${action}`,
  );
  const ofReader = [...allowing(stream, ...streamActions), ...allowing(dead, 'sqs:SendMessage')];

  it.each([
    ['a queue', ofQueue, allowing(queue, ...queueActions)],
    ['a stream', ofStream, ofReader],
  ])(
    'a mapping of %s starts with a role that allows what Lambda needs, and uses all of it',
    async (_, properties, statements) => {
      const used = await start({ properties, statements });
      expect(used).toEqual(
        statements.map(({ actions: [action], resources: [resource] }) => ({ action, resource })),
      );
    },
  );

  it.each([
    ...queueActions.map((missing) => [missing, ofQueue, allowing(queue, ...queueActions)] as const),
    ...[...streamActions, 'sqs:SendMessage'].map((missing) => [missing, ofStream, ofReader] as const),
  ])(
    'a role without %s stops the start, as Lambda would refuse the mapping',
    async (missing, properties, all) => {
      const statements = all.filter(({ actions }) => !actions.includes(missing));
      await expect(start({ statements, properties })).rejects.toThrow(
        `The role of worker may not ${missing} on`,
      );
    },
  );

  it('a visibility timeout shorter than the worker’s timeout stops the start', async () => {
    const statements = allowing(queue, ...queueActions);
    const started = start({ statements, properties: ofQueue, visibilitySeconds: 59 });
    await expect(started).rejects.toThrow('become visible again before worker times out');
  });

  it('a second mapping of a source to the same function stops the start, whatever its filter', async () => {
    const others = {
      Removals: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          ...{ ...ofStream, FunctionName: 'worker' },
          FilterCriteria: { Filters: [{ Pattern: '{"eventName":["REMOVE"]}' }] },
        },
      },
    };
    await expect(start({ statements: ofReader, properties: ofStream, others })).rejects.toThrow(
      `There is a mapping of ${stream} and worker already.`,
    );
  });

  it.each([
    [
      'a filter on a queue',
      { ...ofQueue, FilterCriteria: { Filters: [] } },
      'does not support AWS::Lambda::EventSourceMapping Messages',
    ],
    ['batches that are not bisected', { ...ofStream, BisectBatchOnFunctionError: false }, 'does not support'],
    [
      'a filter that is not evaluated',
      { ...ofStream, FilterCriteria: { Filters: [{ Pattern: '{"a":[{"cidr":"10.0.0.0/8"}]}' }] } },
      'does not support {"cidr":"10.0.0.0/8"}',
    ],
  ])('%s stops the start', async (_, properties, told) => {
    await expect(start({ statements: [], properties })).rejects.toThrow(told);
  });

  it('a role that may not send failed calls to the queue of its function stops the start', async () => {
    const Failures = {
      Type: 'AWS::Lambda::EventInvokeConfig',
      Properties: {
        FunctionName: 'worker',
        Qualifier: 'live',
        DestinationConfig: { OnFailure: { Destination: dead } },
      },
    };
    const started = start({
      statements: allowing(queue, ...queueActions),
      properties: ofQueue,
      others: { Failures },
    });
    await expect(started).rejects.toThrow(`The role of worker may not sqs:SendMessage on ${dead}.`);
  });
});
