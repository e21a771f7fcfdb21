import type { SQSEvent } from 'aws-lambda';
import type { Resource } from '../../../infra/local/template/template.ts';
import { readQueueMapping } from '../../../infra/local/triggers/mapping.ts';
import { doneMessages } from '../../../infra/local/triggers/queue-source.ts';
import { MB } from '../../../shared/platform/aws/limits.ts';
import { arnOf, bodies, newQueue, sendTraced, startSource } from '../../support/queue-sources.ts';
import { until } from '../../support/until.ts';

it('an invocation and its function receive the trace headers of its messages', async () => {
  const queue = await newQueue(30);
  await sendTraced(queue.url, 'a', 'Root=1;Lineage=f:1');
  await sendTraced(queue.url, 'b', 'Root=2;Lineage=f:2');
  await queue.send('c');
  const heard: unknown[] = [];
  const { source } = startSource(queue, async (event, causes) => {
    const { Records } = event as SQSEvent;
    heard.push(
      causes,
      Records.map(({ body, attributes }) => [body, attributes.AWSTraceHeader]),
    );
  });
  await until(() => source.idle());
  expect(heard).toEqual([
    ['Root=1;Lineage=f:1', 'Root=2;Lineage=f:2'],
    [
      ['a', 'Root=1;Lineage=f:1'],
      ['b', 'Root=2;Lineage=f:2'],
      ['c', undefined],
    ],
  ]);
});

describe('SQS refuses', () => {
  const invalid = String.fromCharCode(1);
  it.each([
    [
      'a message of more than 1 MiB',
      'a'.repeat(MB + 1),
      {},
      /InvalidParameterValue.*shorter than 1048576 bytes/,
    ],
    ['a delay of more than 15 minutes', 'a', { DelaySeconds: 901 }, /InvalidParameterValue.*DelaySeconds/],
    ['a negative delay', 'a', { DelaySeconds: -1 }, /InvalidParameterValue.*DelaySeconds/],
    ['a character that XML does not allow', invalid, {}, /InvalidMessageContents/],
  ])('%s', async (_, body, more, refusal) => {
    const queue = await newQueue(30);
    await expect(queue.send(body, more)).rejects.toThrow(refusal);
  });

  it('a batch of more than 1 MiB', async () => {
    const queue = await newQueue(30);
    const Entries = ['0', '1'].map((Id) => ({ Id, MessageBody: 'a'.repeat(MB / 2 + 1) }));
    await expect(queue.sendBatch(Entries)).rejects.toThrow(/BatchRequestTooLong/);
  });

  it('only the invalid messages of a batch', async () => {
    const queue = await newQueue(30);
    const answer = await queue.sendBatch([
      { Id: 'late', MessageBody: 'a', DelaySeconds: 901 },
      { Id: 'good', MessageBody: 'b', DelaySeconds: 0 },
      { Id: 'odd', MessageBody: invalid },
    ]);
    expect(answer).toMatchObject({
      Successful: [{ Id: 'good' }],
      Failed: [
        { Id: 'odd', Code: 'InvalidMessageContents', SenderFault: true },
        { Id: 'late', Code: 'InvalidParameterValue', SenderFault: true },
      ],
    });
    expect(await queue.sendBatch([{ Id: 'late', MessageBody: 'a', DelaySeconds: 901 }])).toMatchObject({
      Successful: [],
      Failed: [{ Id: 'late' }],
    });
  });
});

it('a message may contain Unicode characters beyond the basic plane', async () => {
  const queue = await newQueue(30);
  const seen: string[] = [];
  const { source } = startSource(queue, async (event) => void seen.push(...bodies(event)));
  await queue.send('{"name":"Ana \u{1F600}"}');
  await until(() => source.idle());
  expect(seen).toEqual(['{"name":"Ana \u{1F600}"}']);
});

describe('the response of a function', () => {
  const messages = ['1', '2'].map((MessageId) => ({
    MessageId,
    ReceiptHandle: '',
    Body: '',
    MD5OfBody: '',
    Attributes: {},
  }));
  it.each([
    ['nothing', null, 2],
    ['an empty object', {}, 2],
    ['no failures', { batchItemFailures: [] }, 2],
    ['one failure', { batchItemFailures: [{ itemIdentifier: '2' }] }, 1],
    ['a message of another batch', { batchItemFailures: [{ itemIdentifier: '3' }] }, 0],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }, 0],
    ['another type', { batchItemFailures: 'all' }, 0],
    ['a string', 'done', 0],
  ])('with %s is read as Lambda reads it', (_, answer, done) => {
    expect(doneMessages(messages, answer)).toHaveLength(done);
  });
});

describe('a mapping in the template', () => {
  const mapping = (properties: Record<string, unknown>): Resource => ({
    stackName: 'service',
    logicalId: 'Messages',
    type: 'AWS::Lambda::EventSourceMapping',
    ref: '',
    attributes: {},
    properties: () => properties,
  });
  const least = {
    EventSourceArn: arnOf('jobs'),
    FunctionName: 'worker',
    BatchSize: 10,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 2 },
  };

  it('is read', () => {
    expect(readQueueMapping(mapping(least))).toMatchObject({ batchSize: 10, maximumConcurrency: 2 });
  });

  it.each([
    ['an unsupported property', { FilterCriteria: {} }],
    ['a batching window', { MaximumBatchingWindowInSeconds: 1 }],
    ['batches that fail as a whole', { FunctionResponseTypes: [] }],
    ['more messages than SQS hands out at once', { BatchSize: 11 }],
    ['no limit of its own', { ScalingConfig: undefined }],
    ['fewer than two concurrent invocations', { ScalingConfig: { MaximumConcurrency: 1 } }],
  ])('with %s stops the start', (_, property) => {
    expect(() => readQueueMapping(mapping({ ...least, ...property }))).toThrow(/Messages/);
  });
});
