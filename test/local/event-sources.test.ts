import { startEventSources } from '../../infra/local/event-sources/event-sources.ts';
import { openListener } from '../../infra/local/listener.ts';
import type { LocalFunction } from '../../infra/local/local-function.ts';
import type { Statement } from '../../infra/local/policy-evaluation.ts';
import { readTemplates } from '../../infra/local/template.ts';

const arn = 'arn:aws:sqs:us-east-1:000000000000:jobs';
const allowing = (...actions: string[]): Statement[] => [
  { effect: 'Allow', actions, resources: [arn], conditions: [] },
];
const needed = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

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
  warm: async () => undefined,
  invoke: async () => undefined,
  stream: () => {
    throw new Error('A worker does not stream.');
  },
  stop: async () => undefined,
};

/** Starts one mapping over a queue with this visibility timeout, for a function with this role. */
async function start(options: {
  readonly statements: Statement[];
  readonly visibilitySeconds?: number;
  readonly source?: string;
  readonly functionName?: string;
}): Promise<void> {
  const listener = await openListener(0);
  listener.serve(async (request, response) => {
    const asked = String(request.headers['x-amz-target']);
    const Attributes = { VisibilityTimeout: String(options.visibilitySeconds ?? 360) };
    response.end(JSON.stringify(asked.endsWith('GetQueueAttributes') ? { Attributes } : {}));
  });
  const Messages = {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: options.source ?? arn,
      FunctionName: options.functionName ?? 'worker',
    },
  };
  try {
    const sources = await startEventSources({
      deployment: readTemplates({ service: { Resources: { Messages } } }, { awsEndpoint: listener.address }),
      fleet: {
        all: () => [worker],
        identityOf: () => ({ name: 'worker', accessKeyId: 'KEY' }),
        statements: new Map([['worker', options.statements]]),
        report: () => undefined,
      },
      awsEndpoint: listener.address,
    });
    await sources.drained();
    await sources.stop();
  } finally {
    await listener.close();
  }
}

it('a mapping starts with a role that allows what Lambda needs', async () => {
  await start({ statements: allowing(...needed) });
});

it.each(needed)('a role without %s stops the start, as Lambda would refuse the mapping', async (missing) => {
  const statements = allowing(...needed.filter((action) => action !== missing));
  await expect(start({ statements })).rejects.toThrow(`The role of worker may not ${missing} on ${arn}.`);
});

it('a message that would be visible before its worker has run out of time stops the start', async () => {
  const started = start({ statements: allowing(...needed), visibilitySeconds: 59 });
  await expect(started).rejects.toThrow('become visible again before worker runs into its time limit');
});

it('a source that is no queue stops the start', async () => {
  const started = start({ statements: [], source: 'arn:aws:kinesis:us-east-1:000000000000:stream/x' });
  await expect(started).rejects.toThrow('no event sources of kinesis');
});

it('a mapping to a function that does not exist stops the start', async () => {
  const started = start({ statements: [], functionName: 'nobody' });
  await expect(started).rejects.toThrow('no function nobody');
});
