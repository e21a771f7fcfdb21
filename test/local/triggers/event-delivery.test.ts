import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '../../../infra/local/aws/call.ts';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { AwsError } from '../../../infra/local/aws/service.ts';
import { sqsService } from '../../../infra/local/aws/sqs-service.ts';
import { type Fauxqs, startFauxqs } from '../../../infra/local/engines/fauxqs.ts';
import { type Listener, openListener } from '../../../infra/local/listener.ts';
import { createEventDelivery, type RuleTarget } from '../../../infra/local/triggers/event-bus.ts';
import { queueMessages } from '../../../infra/local/triggers/queue-messages.ts';
import { messageJson } from '../../../shared/platform/queue/message-json.ts';
import { longestMs, until } from '../../support/until.ts';

let fauxqs: Fauxqs;
let listener: Listener;
const operator = () => ({ endpoint: listener.address, accessKeyId: 'OPERATOR' });
/** Calls of SQS that fail before the next one succeeds. */
let failures: AwsError[] = [];

beforeAll(async () => {
  fauxqs = await startFauxqs();
  listener = await openListener(0);
  const sqs = sqsService(fauxqs.port);
  listener.serve(
    createAwsEndpoint({
      callers: new Map([['OPERATOR', { name: 'operator', statements: 'everything' }]]),
      services: {
        sqs: {
          ...sqs,
          answer: (request, response) => {
            const failure = failures.shift();
            if (failure !== undefined) throw failure;
            return sqs.answer(request, response);
          },
        },
      },
      onGrantUsed: () => undefined,
      onRefusal: () => undefined,
    }),
  );
  const client = new SQSClient(clientSettings(operator()));
  for (const QueueName of ['work', 'dead']) await client.send(new CreateQueueCommand({ QueueName }));
});
afterAll(async () => {
  await listener.close();
  await fauxqs.stop();
});
beforeEach(() => {
  failures = [];
});

const queue = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;
const target: RuleTarget = {
  ruleArn: 'arn:aws:events:us-east-1:000000000000:rule/events/work',
  queueArn: queue('work'),
  deadLetterArn: queue('dead'),
  retries: 185,
};

/** What has become of a message: the bodies in both queues, taken out of them, and what was reported. */
async function deliver(body: string, changes: Partial<RuleTarget> = {}) {
  const faults: string[] = [];
  const delivery = createEventDelivery({ operator: operator(), onFault: (fault) => faults.push(fault) });
  delivery.start({ ...target, ...changes }, body);
  await until(() => Promise.resolve(delivery.idle()));
  const taken = async (name: string) => {
    const messages = queueMessages(name, operator());
    const received = await messages.receive(10, 0, AbortSignal.timeout(longestMs));
    await messages.delete(received);
    return received;
  };
  return { work: await taken('work'), dead: await taken('dead'), faults };
}

const unavailable = () => new AwsError('ServiceUnavailable', 'busy', 503);

it('an event with an emoji reaches its queue', async () => {
  const body = messageJson({ name: 'Agency 🏢' });
  expect(await deliver(body)).toMatchObject({ work: [{ Body: body }], dead: [], faults: [] });
});

it('an event reaches its queue after failures that pass', async () => {
  failures = [unavailable(), unavailable()];
  expect(await deliver('a')).toMatchObject({ work: [{ Body: 'a' }], dead: [], faults: [] });
});

it('an event whose retries are used up goes to the dead-letter queue', async () => {
  failures = [unavailable(), unavailable()];
  const { work, dead, faults } = await deliver('a', { retries: 1 });
  expect(work).toEqual([]);
  expect(dead).toMatchObject([{ Body: 'a', MessageAttributes: { RETRY_ATTEMPTS: { StringValue: '1' } } }]);
  expect(faults).toEqual([expect.stringMatching(/An event did not reach .*:work.* It is in .*:dead\./)]);
});

it('an event that its queue refuses goes to the dead-letter queue at once, with the reason', async () => {
  failures = [new AwsError('AccessDenied', 'no')];
  const { dead } = await deliver('a');
  expect(dead).toMatchObject([
    {
      Body: 'a',
      MessageAttributes: {
        ERROR_CODE: { StringValue: 'AccessDenied' },
        RETRY_ATTEMPTS: { StringValue: '0' },
        RULE_ARN: { StringValue: target.ruleArn },
        TARGET_ARN: { StringValue: target.queueArn },
      },
    },
  ]);
});

it.each(['\uFFFE', '\uFFFF'])('text that no message may hold is lost in both queues (%#)', async (text) => {
  const { work, dead, faults } = await deliver(JSON.stringify({ text }));
  expect([work, dead]).toEqual([[], []]);
  expect(faults).toEqual([expect.stringContaining('It is lost')]);
});

it.each(['\uFFFE', '\uFFFF', '\uD83C', '\u{1FFFE}'])(
  'such text arrives where it is written for a message (%#)',
  async (text) => {
    const { work, faults } = await deliver(messageJson({ text: `a${text}b 🏢`, list: [text] }));
    expect(faults).toEqual([]);
    expect(work).toHaveLength(1);
    expect(JSON.parse(work[0]?.Body ?? '')).toMatchObject({ text: expect.stringMatching(/^a.b 🏢$/u) });
  },
);
