import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { functionsOf } from '../../../../infra/admin/functions.ts';
import { statedCaller } from '../../../../shared/platform/operator/audit.ts';

const lambda = mockClient(LambdaClient);

const sts = mockClient(STSClient);

beforeEach(() => {
  lambda.reset();
  sts.reset();
  sts.on(GetCallerIdentityCommand).resolves({});
});

const failure = (name: string, more: object = {}) =>
  Object.assign(new Error('The raw message'), { name, ...more });

/** What an operator reads when the invocation of `admin` in `sandbox` fails with this error. */
async function sentenceFor(error: Error): Promise<string> {
  lambda.on(InvokeCommand).rejects(error);
  const invoke = await functionsOf('sandbox');
  return invoke('admin', {}).then(
    () => 'no failure',
    ({ message }: Error) => message,
  );
}

it.each([
  [
    'no credentials',
    failure('CredentialsProviderError'),
    /^There are no AWS credentials, or they have expired: /,
  ],
  [
    'expired credentials',
    failure('ExpiredTokenException'),
    /^There are no AWS credentials, or they have expired: /,
  ],
  [
    'an environment that is not deployed',
    failure('ResourceNotFoundException'),
    /^There is no function insurance-compliance-sandbox-admin .*"npx cdk deploy --all -c environment=sandbox"/,
  ],
  ['no network', failure('Error', { code: 'ENOTFOUND' }), /^AWS Lambda cannot be reached \(ENOTFOUND\): /],
])('%s: an operator reads one sentence about it', async (_, error, sentence) => {
  const read = await sentenceFor(error);
  expect(read).toMatch(sentence);
  expect(read).not.toContain('The raw message');
});

/** What the function learns of its caller when the operator's tool invokes it. */
async function statedContext(): Promise<unknown> {
  await sentenceFor(failure('TooManyRequestsException'));
  const { ClientContext = '' } = lambda.commandCalls(InvokeCommand)[0]?.args[0].input ?? {};
  return JSON.parse(Buffer.from(ClientContext, 'base64').toString('utf8'));
}

it('the function learns who calls, which its log says', async () => {
  const arn = 'arn:aws:sts::123456789012:assumed-role/AWSReservedSSO_Operators_1a2b/jane@acme.example';
  sts.on(GetCallerIdentityCommand).resolves({ Arn: arn });
  const context = await statedContext();
  expect(statedCaller(context)).toBe(arn);
});

it('a command runs without it where AWS cannot say who calls', async () => {
  sts.on(GetCallerIdentityCommand).rejects(failure('Error', { code: 'ETIMEDOUT' }));
  expect(statedCaller(await statedContext())).toBeUndefined();
});

it('another error keeps its message', async () => {
  expect(await sentenceFor(failure('TooManyRequestsException'))).toBe('The raw message');
});
