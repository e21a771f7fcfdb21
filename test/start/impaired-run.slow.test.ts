import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localCapacity } from '../../infra/capacity.ts';
import { type LocalRun, startLocalRun } from '../../infra/local/local-run.ts';
import { newDatabase } from '../support/engine.ts';
import { longerTimeouts } from '../support/fast-clock/fast-worker.ts';
import { withoutAction } from '../support/grants.ts';

// A local run of its own that lacks a permission and capacity.

let run: LocalRun;
let logDirectory: string;
let bearer: Record<string, string>;
const errors: string[] = [];

async function get(path: string) {
  const response = await fetch(`${run.baseUrl}/v2/upstream/${path}`, { headers: bearer });
  return { status: response.status, text: await response.text() };
}

beforeAll(async () => {
  logDirectory = await mkdtemp(join(tmpdir(), 'impaired-run-'));
  run = await startLocalRun({
    seed: true,
    logDirectory,
    engines: { dynamoDbLocal: newDatabase() },
    onError: (line) => errors.push(line),
    ...(await longerTimeouts(logDirectory)),
    statementsFor: (functionName, statements) =>
      functionName === 'policies' ? withoutAction(statements, 'dynamodb:Query') : statements,
    environment: { capacity: { ...localCapacity, reserved: { compliance: 1 } } },
  });
  const { clientId = '', clientSecret = '' } = run.demo?.upstream ?? {};
  const response = await fetch(`${run.baseUrl}/v2/auth/jwt`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  const { data } = (await response.json()) as { data: { accessToken: string } };
  bearer = { authorization: `Bearer ${data.accessToken}` };
});

afterAll(async () => {
  await run.stop();
  await rm(logDirectory, { recursive: true });
});

it('a missing permission fails the function, of which the caller learns nothing, and leaves what the role allows', async () => {
  const { status, text } = await get('policies');
  expect(status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ errorType: 'internal_server_error' });
  expect(text).not.toMatch(/dynamodb|denied|arn:/i);
  expect(errors.join()).toContain('policies is not authorized to perform: dynamodb:Query');
  expect(await get(`policies/${run.demo?.policyId}`)).toMatchObject({ status: 200 });
});

it('while all executions of a function are busy it answers 500, and recovers', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => get('compliance-configs')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 500]));
  const refused = answers.find(({ status }) => status === 500);
  expect(JSON.parse(refused?.text ?? '')).toMatchObject({ errorType: 'internal_server_error' });
  expect(await get('compliance-configs')).toMatchObject({ status: 200 });
});
