import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { openListener } from '../../../infra/local/listener.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';
import { failedInvocations } from '../../../infra/local/triggers/failed-invocations.ts';
import { allowing, worker } from '../../support/event-source-worker.ts';

const dead = 'arn:aws:sqs:us-east-1:000000000000:dead';

/** What keeps failures of a function whose role has these statements, and the messages that it sends. */
async function keeper(statements: ReturnType<typeof allowing>) {
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
      Qualifier: '$LATEST',
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
    await keep(worker.settings.functionArn, { task: 'dispatch' }, new Error('It is broken.'));
    await keep('arn:aws:lambda:us-east-1:000000000000:function:other', {}, new Error('No one keeps it.'));
    return sent;
  } finally {
    await listener.close();
  }
}

it('a call that failed for good is sent to the queue of its function, with its input and the error', async () => {
  const sent = await keeper(allowing(dead, 'sqs:SendMessage'));
  expect(sent).toEqual([expect.objectContaining({ QueueUrl: expect.stringMatching(/dead$/) })]);
  expect(sent).toEqual([
    expect.objectContaining({
      MessageBody: expect.stringMatching(/"requestPayload":\{"task":"dispatch"\}.*It is broken\./),
    }),
  ]);
});

it('a role that may not send there stops the start', async () => {
  await expect(keeper([])).rejects.toThrow(`The role of worker may not sqs:SendMessage on ${dead}.`);
});
