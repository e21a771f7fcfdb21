import { GetFunctionUrlConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { setUpDeployed, smokeTest } from '../../../infra/canary/set-up.ts';

describe('set up', () => {
  const lambda = mockClient(LambdaClient);
  const secrets = mockClient(SecretsManagerClient);
  const receiver = 'https://abc.lambda-url.us-east-1.on.aws/';

  /** What was called, as `METHOD address`, and its body. */
  const called: [string, unknown][] = [];
  const commands: unknown[] = [];
  /** Responses of the API by the end of the address; `webhooks/w` is read. */
  const data: Record<string, object> = {};
  let tokenStatus = 201;

  const setUp = () =>
    setUpDeployed({
      environment: 'sandbox',
      apiAddress: 'https://api.test',
      invoke: async (_, payload) => {
        commands.push(Object(payload)['command']);
        return { ok: true, result: { organizationId: 'o', clientId: 'c', clientSecret: 's' } };
      },
    });

  const credentials = {
    clientId: 'before',
    clientSecret: 'before',
    downstreamEntityAssociationId: 'a',
    webhookId: 'w',
    webhookSecret: 'whsec_w',
  };

  beforeEach(() => {
    for (const list of [called, commands]) list.length = 0;
    tokenStatus = 201;
    Object.assign(data, {
      '/v2/auth/jwt': { accessToken: 't' },
      '/webhooks/w': { url: receiver, isActive: true },
      '/webhooks': { _id: 'w2', secret: 'whsec_2' },
      '/add': { _id: 'a2' },
    });
    lambda.reset();
    lambda
      .on(GetFunctionUrlConfigCommand, { FunctionName: 'insurance-compliance-sandbox-canary-receiver' })
      .resolves({ FunctionUrl: receiver });
    secrets.reset();
    secrets
      .on(GetSecretValueCommand, { SecretId: 'insurance-compliance-sandbox-canary' })
      .resolves({ SecretString: JSON.stringify(credentials) });
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (address, { method, body } = {}) => {
      called.push([
        `${method} ${String(address)}`,
        body === undefined ? undefined : JSON.parse(String(body)),
      ]);
      const [, found] = Object.entries(data).find(([end]) => String(address).endsWith(end)) ?? [];
      const isRefused =
        String(address).endsWith('jwt') && tokenStatus !== 201 && String(body).includes('before');
      return isRefused
        ? Response.json({ errorType: 'unauthorized', requestId: 'r' }, { status: tokenStatus })
        : Response.json({ data: found }, { status: 200 });
    });
  });

  afterEach(() => jest.restoreAllMocks());

  it('keeps credentials that the API accepts, and a webhook that points to the receiver', async () => {
    expect(await setUp()).toBe('kept');
    expect(called.map(([call]) => call)).toEqual([
      'POST https://api.test/v2/auth/jwt',
      'GET https://api.test/v2/upstream/webhooks/w',
    ]);
    expect(commands).toEqual([]);
    expect(secrets.commandCalls(PutSecretValueCommand)).toEqual([]);
  });

  it.each([
    ['points elsewhere', { url: 'https://before.test/', isActive: true }],
    ['was disabled', { url: receiver, isActive: false }],
  ])('mends a webhook that %s', async (_, webhook) => {
    data['/webhooks/w'] = webhook;
    expect(await setUp()).toBe('kept');
    expect(called.at(-1)).toEqual([
      'PATCH https://api.test/v2/upstream/webhooks/w',
      { url: receiver, isActive: true },
    ]);
  });

  it('makes everything anew, and stores it, when the secret has no credentials', async () => {
    secrets.on(GetSecretValueCommand).resolves({ SecretString: 'aRandomPassword' });
    expect(await setUp()).toBe('made');
    expect(commands).toEqual(['create-organization', 'create-api-client']);
    const [stored] = secrets.commandCalls(PutSecretValueCommand);
    expect(JSON.parse(stored?.args[0].input.SecretString ?? '')).toEqual({
      clientId: 'c',
      clientSecret: 's',
      downstreamEntityAssociationId: 'a2',
      webhookId: 'w2',
      webhookSecret: 'whsec_2',
    });
  });

  it('makes everything anew when the client was revoked, and nothing when the API fails', async () => {
    tokenStatus = 401;
    expect(await setUp()).toBe('made');
    tokenStatus = 500;
    await expect(setUp()).rejects.toThrow('The response was 500');
  });
});

describe('smoke', () => {
  const apiAddress = 'https://api.test';
  const passed = {
    apiAddress,
    passed: true,
    steps: [
      { step: 'credentials', ms: 12 },
      { step: 'token', status: 201, ms: 87 },
    ],
  };
  const failed = {
    apiAddress,
    passed: false,
    steps: [{ step: 'token', status: 500, ms: 1_250, reason: 'The response was 500.', requestId: 'dev-1' }],
  };

  const setUp = jest.fn<Promise<'kept' | 'made'>, [string]>();

  beforeEach(() => {
    setUp.mockReset().mockResolvedValue('kept');
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => Response.json({ info: { version: '2.0.0+1e6d030f3ea7' } }));
  });

  afterEach(() => jest.restoreAllMocks());

  /** What a smoke test finds and says when the canary answers so, in turn. */
  async function smoked(...answers: readonly object[]) {
    const lines: string[] = [];
    const invoked: string[] = [];
    const isPassed = await smokeTest({
      invoke: async (name) => {
        invoked.push(name);
        return answers[invoked.length - 1];
      },
      setUp,
      say: (line) => lines.push(line),
    });
    return { isPassed, lines, invoked };
  }

  it('says what each step felt like, and which release is live', async () => {
    const { isPassed, lines, invoked } = await smoked(passed);
    expect(isPassed).toBe(true);
    expect(lines).toEqual([
      '  credentials          12 ms',
      '  token       201      87 ms',
      'The canary passed. Live: 2.0.0+1e6d030f3ea7, its reference at https://api.test/docs: 200',
    ]);
    expect(fetch).toHaveBeenCalledWith('https://api.test/v2/openapi.json', expect.anything());
    expect(invoked).toEqual(['canary']);
    expect(setUp).not.toHaveBeenCalled();
  });

  it('sets up the canary after a failure, and has it run once more', async () => {
    setUp.mockResolvedValue('made');
    const { isPassed, lines } = await smoked(failed, passed);
    expect(isPassed).toBe(true);
    expect(setUp).toHaveBeenCalledWith(apiAddress);
    expect(lines.slice(0, 3)).toEqual([
      '  token       500    1250 ms  The response was 500. (dev-1)',
      'Made the organization, client, and webhook of the canary.',
      'The canary runs once more.',
    ]);
  });

  it('fails after two failures, and says what is live all the same', async () => {
    const { isPassed, lines, invoked } = await smoked(failed, failed);
    expect(isPassed).toBe(false);
    expect(lines.at(-1)).toBe(
      'The canary failed. Live: 2.0.0+1e6d030f3ea7, its reference at https://api.test/docs: 200',
    );
    expect(invoked).toHaveLength(2);
  });

  it('says what it could not do', async () => {
    setUp.mockRejectedValue(new Error('The response was 500.'));
    jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
    const { isPassed, lines, invoked } = await smoked(failed, failed);
    expect(isPassed).toBe(false);
    expect(lines).toContain('The canary cannot be set up: The response was 500.');
    expect(lines.at(-1)).toBe('The canary failed. What is live cannot be read: fetch failed');
    expect(invoked).toHaveLength(2);
  });
});
