import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { openListener } from '../../../infra/local/listener.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';
import { failedInvocations } from '../../../infra/local/triggers/failed-invocations.ts';
import { allowing, worker } from '../../support/event-source-worker.ts';

const dead = 'arn:aws:sqs:us-east-1:000000000000:dead';

/** What keeps failures of a function whose role has these statements, and the messages that it sends. */
async function keeper(statements: ReturnType<typeof allowing>, Qualifier = '$LATEST') {
  const listener = await openListener(0);
  const sent: unknown[] = [];
  listener.serve(async (request, response) => {
    const message = z.parse(z.looseObject({ MessageBody: z.string() }), JSON.parse(await text(request)));
    sent.push(message);
    response.end(
      JSON.stringify({ MD5OfMessageBody: createHash('md5').update(message.MessageBody).digest('hex') }),
    );
  });
  const Failures = {
    Type: 'AWS::Lambda::EventInvokeConfig',
    Properties: {
      FunctionName: 'worker',
      Qualifier,
      DestinationConfig: { OnFailure: { Destination: dead } },
    },
  };
  const options = { awsEndpoint: listener.address };
  try {
    const keep = failedInvocations({
      ...options,
      deployment: readTemplates({ service: { Resources: { Failures } } }, options),
      fleet: {
        memberOf: () => ({ target: worker, name: 'worker', statements, accessKeyId: 'KEY' }),
        report: () => undefined,
      },
      onGrantUsed: () => undefined,
    });
    const { functionArn } = worker.settings;
    const called = Qualifier === '$LATEST' ? functionArn : `${functionArn}:${Qualifier}`;
    await keep(called, { task: 'dispatch' }, new Error('It is broken.'));
    await keep(`${functionArn}:other`, {}, new Error('No one keeps it.'));
    await keep('arn:aws:lambda:us-east-1:000000000000:function:other', {}, new Error('No one keeps it.'));
    return sent;
  } finally {
    await listener.close();
  }
}

it.each([
  ['a function', '$LATEST'],
  ['an alias', 'live'],
])(
  'a call of %s that failed for good is sent to its queue, with its input and the error',
  async (_, qualifier) => {
    const sent = await keeper(allowing(dead, 'sqs:SendMessage'), qualifier);
    expect(sent).toEqual([expect.objectContaining({ QueueUrl: expect.stringMatching(/dead$/) })]);
    expect(sent).toEqual([
      expect.objectContaining({
        MessageBody: expect.stringMatching(/"requestPayload":\{"task":"dispatch"\}.*It is broken\./),
      }),
    ]);
  },
);

it('a role that may not send there stops the start', async () => {
  await expect(keeper([])).rejects.toThrow(`The role of worker may not sqs:SendMessage on ${dead}.`);
});
