import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { smokeTest } from '../../../infra/canary.ts';

const secrets = mockClient(SecretsManagerClient);
const apiAddress = 'https://api.test';
const passed = { apiAddress, passed: true, ms: 87 };
const failed = {
  ...{ apiAddress, passed: false, ms: 1_250, step: 'list', status: 500 },
  ...{ reason: 'The response was 500.', requestId: 'dev-1' },
};
const live = 'Live: 2.0.0+1e6d030f3ea7, its reference at https://api.test/docs: 200';

beforeEach(() => {
  secrets.reset();
  secrets.on(PutSecretValueCommand).resolves({});
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ info: { version: '2.0.0+1e6d030f3ea7' } }));
});

afterEach(() => jest.restoreAllMocks());

/** What a smoke test finds, says, and invokes when the canary answers so, in turn. */
async function smoked(...answers: readonly object[]) {
  const lines: string[] = [];
  const invoked: unknown[] = [];
  const left = [...answers];
  const isPassed = await smokeTest({
    invoke: async (name, payload) => {
      invoked.push(name === 'canary' ? name : Object(payload)['command']);
      if (name === 'canary') return left.shift();
      return { ok: true, result: { organizationId: 'o', clientId: 'c', clientSecret: 's' } };
    },
    secrets: new SecretsManagerClient({ region: 'us-east-1' }),
    secretId: 'insurance-compliance-sandbox-canary',
    say: (line) => lines.push(line),
  });
  return { isPassed, lines, invoked };
}

it('says how the canary did, and which release is live', async () => {
  expect(await smoked(passed)).toEqual({
    isPassed: true,
    lines: ['The canary passed in 87 ms.', live],
    invoked: ['canary'],
  });
  expect(fetch).toHaveBeenCalledWith('https://api.test/v2/openapi.json', expect.anything());
});

it.each([
  ['has none yet', { step: 'client', status: undefined }],
  ['has one that was revoked', { step: 'token', status: 401 }],
])(
  'makes the canary’s client, stores it, and has the canary run once more when it %s',
  async (_, lacking) => {
    const { isPassed, lines, invoked } = await smoked({ ...failed, ...lacking }, passed);
    expect(isPassed).toBe(true);
    expect(lines.slice(1)).toEqual(['Made a client for the canary.', 'The canary passed in 87 ms.', live]);
    expect(invoked).toEqual(['canary', 'create-organization', 'create-api-client', 'canary']);
    expect(secrets.commandCalls(PutSecretValueCommand).map(({ args: [{ input }] }) => input)).toEqual([
      {
        SecretId: 'insurance-compliance-sandbox-canary',
        SecretString: JSON.stringify({ clientId: 'c', clientSecret: 's' }),
        VersionStages: ['AWSCURRENT'],
      },
    ]);
  },
);

it('fails where the API does, makes nothing, and says what is live all the same', async () => {
  expect(await smoked(failed)).toEqual({
    isPassed: false,
    lines: ['The canary failed after 1250 ms, at "list": The response was 500. (dev-1)', live],
    invoked: ['canary'],
  });
});

it('says that it cannot read what is live', async () => {
  jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
  expect((await smoked(failed)).lines.at(-1)).toBe('What is live cannot be read: fetch failed');
});
