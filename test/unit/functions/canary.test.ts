import { check } from '../../../functions/canary/function.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

const client = { clientId: 'client', clientSecret: 'secret_of-the-client' };
const apiAddress = 'https://api.test';
const tokenPath = '/v2/auth/jwt';
const listPath = '/v2/upstream/downstream-entity-associations';

/** What the API answers, by path. */
const answers = new Map<string, () => Response>();

beforeEach(() => {
  answers.set(tokenPath, () => Response.json({ data: { accessToken: 'a token' } }, { status: 201 }));
  answers.set(listPath, () => Response.json({ data: [] }));
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    const answer = answers.get(String(address).slice(apiAddress.length));
    if (answer === undefined) throw new Error(`The canary should not call ${String(address)}.`);
    return answer();
  });
});

afterEach(() => jest.restoreAllMocks());

async function run(readSecret = async () => JSON.stringify(client)) {
  const logger = recordingLogger();
  return { result: await check({ apiAddress, readSecret, logger }), lines: logger.lines };
}

it('takes a token, reads a list with it, and logs that it passed', async () => {
  const { result, lines } = await run();
  expect(result).toEqual({ passed: true, ms: expect.any(Number) });
  expect(lines).toMatchObject([{ level: 'info', event: 'canary_passed', ms: result.ms }]);
  const userAgent = 'insurance-compliance-canary';
  expect(jest.mocked(fetch).mock.calls).toMatchObject([
    [
      apiAddress + tokenPath,
      { method: 'POST', headers: { 'user-agent': userAgent }, body: JSON.stringify(client) },
    ],
    [apiAddress + listPath, { headers: { 'user-agent': userAgent, authorization: 'Bearer a token' } }],
  ]);
});

const fails = (cause: unknown) => (): never => {
  throw cause;
};
const refused = () =>
  Response.json({ errorType: 'internal_server_error', requestId: 'dev-1' }, { status: 500 });
const unreachable = new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });

it.each([
  ['a token is refused', 'token', tokenPath, refused, { status: 500, requestId: 'dev-1' }],
  [
    'the list is refused',
    'list',
    listPath,
    refused,
    { reason: 'The response was 500, internal_server_error.' },
  ],
  [
    'the list is none',
    'list',
    listPath,
    () => Response.json({ data: null }),
    { status: 200, reason: 'The response, 200, has other data than expected.' },
  ],
  [
    'something else than the API answers',
    'list',
    listPath,
    () => new Response('<html>', { status: 502 }),
    { status: 502, reason: 'The response was 502, no error of the API.' },
  ],
  [
    'nothing answers',
    'token',
    tokenPath,
    fails(unreachable),
    { reason: 'The address cannot be reached: ENOTFOUND.' },
  ],
  [
    'an answer takes too long',
    'list',
    listPath,
    fails(Object.assign(new Error(), { name: 'TimeoutError' })),
    { reason: 'There was no response within 10 seconds.' },
  ],
])('fails with the step where %s', async (_, step, path, answer, expected) => {
  answers.set(path, answer);
  const { result, lines } = await run();
  expect(result).toMatchObject({ passed: false, step, ...expected });
  expect(lines).toMatchObject([{ level: 'error', event: 'canary_failed', step, ...expected }]);
  expect(JSON.stringify([result, lines])).not.toMatch(/secret_of-the-client|a token/);
});

it('says how to make the client that it lacks', async () => {
  const { result, lines } = await run(async () => 'a random password');
  expect(result).toMatchObject({
    passed: false,
    step: 'client',
    reason: expect.stringContaining('npm run smoke-test'),
  });
  // Not a failed run, which would roll back the deployment after which the client is made.
  expect(lines).toMatchObject([{ level: 'warn', event: 'canary_not_set_up' }]);
});

it('logs the name of an unexpected error and not its text', async () => {
  const { result } = await run(() => Promise.reject(new RangeError('secret_of-the-client')));
  expect(result).toMatchObject({ passed: false, step: 'client', reason: 'RangeError' });
});
