import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import {
  AwsError,
  type AwsService,
  answerJson,
  refuseAsJson,
  targetOf,
} from '../../../infra/local/aws/service.ts';
import { type FunctionLog, openFunctionLog } from '../../../infra/local/functions/function-log.ts';
import { createLocalFunction, type LocalFunction } from '../../../infra/local/functions/local-function.ts';
import { type Listener, openListener } from '../../../infra/local/listener.ts';
import {
  type FaultableCall,
  type Faults,
  injectedFaults,
  refusalOf,
} from '../../support/aws-faults/faults.ts';
import { bundleWorker } from '../../support/function-worker.ts';
import { longestMs } from '../../support/until.ts';

/** A function that calls AWS once for each name it is given, and says what became of each call. */
const bundle = `
let instance = 0;
export const handler = async ({ operations }) => {
  instance += 1;
  const outcomes = [];
  for (const operation of operations) {
    try {
      const answer = await fetch(process.env.AWS_ENDPOINT_URL, {
        method: 'POST',
        headers: {
          'x-amz-target': 'DynamoDB_20120810.' + operation,
          authorization: 'AWS4-HMAC-SHA256 Credential=CODE/20200101/us-east-1/dynamodb/aws4_request',
        },
        body: '{}',
      });
      outcomes.push(answer.status + ' ' + (answer.headers.get('x-amzn-errortype') ?? (await answer.text())));
    } catch (error) {
      outcomes.push(error.cause?.code ?? error.message);
    }
  }
  return { instance, outcomes };
};
`;

let folder: string;
let log: FunctionLog;
let listener: Listener;
let target: LocalFunction;

/** What the service has done. */
const done: string[] = [];
const asked: FaultableCall[] = [];
let decide: Faults = () => 'none';

const service: AwsService = {
  accesses: (request) => {
    const { operation } = targetOf(request);
    return [
      { action: `dynamodb:${operation === 'TransactWriteItems' ? 'PutItem' : operation}`, resource: '*' },
    ];
  },
  async answer(request, response) {
    const { operation } = targetOf(request);
    if (operation === 'Broken') throw new AwsError('ValidationException', 'no');
    done.push(operation);
    answerJson(response, 'ok');
  },
  refuse: refuseAsJson,
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-'));
  const bootstrap = await bundleWorker(folder);
  await writeFile(join(folder, 'index.mjs'), bundle);
  log = openFunctionLog(folder, 'sample', () => undefined);
  listener = await openListener(0);
  target = createLocalFunction(
    {
      module: join(folder, 'index.mjs'),
      handler: 'handler',
      functionName: 'sample',
      functionArn: 'arn',
      memoryLimitInMB: 256,
      timeoutMs: longestMs,
      environment: { AWS_ENDPOINT_URL: listener.address },
    },
    { bootstrap, log },
  );
  const statements = [
    {
      effect: 'Allow' as const,
      actions: ['dynamodb:PutItem', 'dynamodb:Broken'],
      resources: ['*'],
      conditions: [],
    },
  ];
  listener.serve(
    createAwsEndpoint({
      callers: new Map([
        ['CODE', { name: 'sample', statements, isCode: true }],
        ['LAMBDA', { name: 'sample', statements }],
      ]),
      services: { dynamodb: service },
      onGrantUsed: () => undefined,
      onRefusal: () => undefined,
      middleware: injectedFaults(
        (call) => {
          asked.push(call);
          return decide(call);
        },
        {
          operator: { endpoint: listener.address, accessKeyId: 'LAMBDA' },
          crash: () => target.crash(),
        },
      ),
    }),
  );
});

afterAll(async () => {
  await target.stop();
  await log.close();
  await listener.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  done.length = 0;
  asked.length = 0;
});

const run = (...operations: string[]) => target.invoke({ operations });

it('each allowed call of a function’s code is decided by its operation and its count', async () => {
  decide = () => 'none';
  const outcome = await run('PutItem', 'TransactWriteItems', 'PutItem', 'DeleteItem');
  expect(outcome).toMatchObject({
    outcomes: ['200 "ok"', '200 "ok"', '200 "ok"', '400 AccessDeniedException'],
  });
  expect(asked).toEqual([
    { functionName: 'sample', action: 'dynamodb:PutItem', resources: ['*'], count: 1 },
    { functionName: 'sample', action: 'dynamodb:TransactWriteItems', resources: ['*'], count: 1 },
    { functionName: 'sample', action: 'dynamodb:PutItem', resources: ['*'], count: 2 },
  ]);
});

it('calls that Lambda makes for the function do not fail', async () => {
  decide = () => 'throttle';
  const answer = await fetch(listener.address, {
    method: 'POST',
    headers: {
      'x-amz-target': 'DynamoDB_20120810.PutItem',
      authorization: 'AWS4-HMAC-SHA256 Credential=LAMBDA/20200101/us-east-1/dynamodb/aws4_request',
    },
  });
  expect(answer.status).toBe(200);
  expect(asked).toEqual([]);
});

it('a throttled call is refused before it takes effect, with each error of the service', async () => {
  decide = ({ action }) => (action === 'dynamodb:PutItem' ? 'throttle' : 'none');
  const { outcomes } = (await run('PutItem', 'PutItem', 'PutItem', 'PutItem', 'TransactWriteItems')) as {
    outcomes: string[];
  };
  expect(outcomes.slice(0, 4).sort()).toEqual([
    '400 ProvisionedThroughputExceededException',
    '400 RequestLimitExceeded',
    '400 ThrottlingException',
    '500 InternalServerError',
  ]);
  expect(done).toEqual(['TransactWriteItems']);
});

it.each([
  ['throttle', ['ThrottlingError', 'ProvisionedThroughputExceeded']],
  ['conflict', ['TransactionConflict']],
] as const)('a transaction is canceled by %s with the reason of one of its writes', (fault, codes) => {
  const refusals = [1, 2, 3, 4].map((count) =>
    refusalOf(fault, { service: 'dynamodb', action: 'dynamodb:TransactWriteItems', items: 3, count }),
  );
  const reasons = refusals
    .filter(({ code }) => code === 'TransactionCanceledException')
    .map(({ details }) => (details as { CancellationReasons: { Code: string }[] }).CancellationReasons);
  expect(reasons.length).toBeGreaterThan(1);
  expect(reasons.every(({ length }) => length === 3)).toBe(true);
  const given = reasons.flat().map(({ Code }) => Code);
  expect(new Set(given)).toEqual(new Set(['None', ...codes]));
});

it.each([
  ['sqs', 'sqs:SendMessage', ['RequestThrottled', 'KmsThrottled']],
  ['lambda', 'lambda:Invoke', ['TooManyRequestsException']],
  ['events', 'events:PutEvents', ['ThrottlingException']],
  ['s3', 's3:GetObject', ['SlowDown']],
])('%s throttles with its own error', (service, action, codes) => {
  const refusals = [1, 2, 3, 4].map((count) => refusalOf('throttle', { service, action, items: 1, count }));
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(codes));
});

it('a single write that conflicts with a transaction gets that error', async () => {
  decide = ({ action }) => (action === 'dynamodb:PutItem' ? 'conflict' : 'none');
  expect(await run('PutItem')).toMatchObject({ outcomes: ['400 TransactionConflictException'] });
});

it('a call whose connection breaks before it has no effect', async () => {
  decide = ({ action }) => (action === 'dynamodb:PutItem' ? 'fail before' : 'none');
  expect(await run('PutItem', 'TransactWriteItems')).toMatchObject({
    outcomes: ['UND_ERR_SOCKET', '200 "ok"'],
  });
  expect(done).toEqual(['TransactWriteItems']);
});

it('a call with a single entry is refused instead of being done in part', async () => {
  decide = () => 'partial';
  const { outcomes } = (await run('PutItem')) as { outcomes: string[] };
  expect(outcomes[0]).toMatch(/^(400|500) /);
  expect(done).toEqual([]);
});

it('a call that fails after it took effect ends with a broken connection', async () => {
  decide = ({ action }) => (action === 'dynamodb:PutItem' ? 'fail after' : 'none');
  expect(await run('PutItem', 'TransactWriteItems')).toMatchObject({
    outcomes: ['UND_ERR_SOCKET', '200 "ok"'],
  });
  expect(done).toEqual(['PutItem', 'TransactWriteItems']);
});

it('a refusal by the service itself is lost in the same way', async () => {
  decide = () => 'fail after';
  expect(await run('Broken')).toMatchObject({ outcomes: ['UND_ERR_SOCKET'] });
});

it('a crash ends the instance after the call took effect, and the next invocation has a new one', async () => {
  decide = ({ action }) => (action === 'dynamodb:PutItem' ? 'crash' : 'none');
  const before = (await run()) as { instance: number };
  expect(before.instance).toBeGreaterThan(1);
  await expect(run('PutItem', 'TransactWriteItems')).rejects.toMatchObject({
    payload: { errorType: 'Runtime.ExitError' },
  });
  expect(done).toEqual(['PutItem']);
  decide = () => 'none';
  expect(await run('PutItem')).toEqual({ instance: 1, outcomes: ['200 "ok"'] });
});
