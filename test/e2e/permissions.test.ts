import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalRun, startLocalRun } from '../../infra/local/local-run.ts';

/** A local run in which one statement is missing from one role. */
let run: LocalRun;
let logDirectory: string;
const errors: string[] = [];
let bearer: Record<string, string>;

beforeAll(async () => {
  logDirectory = await mkdtemp(join(tmpdir(), 'permissions-'));
  run = await startLocalRun({
    seed: true,
    logDirectory,
    onError: (line) => errors.push(line),
    withoutGrant: (functionName, action) => functionName === 'policies' && action === 'dynamodb:Query',
  });
  const { clientId, clientSecret } = run.demo?.upstream ?? { clientId: '', clientSecret: '' };
  const response = await fetch(`${run.baseUrl}/v2/auth/jwt`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  const { data } = (await response.json()) as { data: { accessToken: string } };
  bearer = { authorization: `Bearer ${data.accessToken}` };
}, 30_000);

afterAll(async () => {
  await run.stop();
  await rm(logDirectory, { recursive: true });
});

const get = async (path: string) => {
  const response = await fetch(`${run.baseUrl}${path}`, { headers: bearer });
  return { status: response.status, text: await response.text() };
};

it('a function without a permission fails, and the caller learns nothing of it', async () => {
  const { status, text } = await get('/v2/upstream/policies');
  expect(status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ errorType: 'internal_server_error' });
  expect(text).not.toMatch(/dynamodb|denied|arn:/i);
  expect(errors.join()).toContain('policies is not authorized to perform: dynamodb:Query');
});

it('what the role still allows goes on working', async () => {
  const { status } = await get(`/v2/upstream/policies/${run.demo?.policyId}`);
  expect(status).toBe(200);
});
