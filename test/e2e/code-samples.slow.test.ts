import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pdf } from '../support/files.ts';
import { call, newSellingCarrier } from '../support/local-api.ts';
import { document } from '../support/openapi.ts';
import { startReceiver } from '../support/receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// The commands of the quickstarts as a reader pastes them, and the programs for integrators.

const run = promisify(execFile);
const inDirectory = temporaryFolder('samples-');

/** The commands and programs of a chapter. */
const samplesOf = (heading: string): readonly string[] => {
  const [, chapter = ''] =
    new RegExp(`^## ${heading}\n(.*?)\n## `, 'ms').exec(document.info.description) ?? [];
  return [...chapter.matchAll(/```(?:sh|js)\n(.*?)```/gs)].map(([, source = '']) => source);
};

type Credentials = Readonly<Record<'clientId' | 'clientSecret', string>>;

const demo = (): Readonly<Record<'upstream' | 'downstream', Credentials>> =>
  JSON.parse(process.env['TEST_DEMO'] ?? '');

/** What the commands and programs find around them. */
const environmentOf = ({ clientId, clientSecret }: Credentials) => ({
  PATH: process.env['PATH'],
  BASE_URL: process.env['TEST_BASE_URL'],
  CLIENT_ID: clientId,
  CLIENT_SECRET: clientSecret,
});

const bearerOf = async ({ clientId, clientSecret }: Credentials) => {
  const exchange = await call('POST', '/v2/auth/jwt', { body: { clientId, clientSecret } });
  const { accessToken } = exchange.json['data'] as { accessToken: string };
  return { authorization: `Bearer ${accessToken}` };
};

/** An address of a receiver, whose port is free once another one has left it. */
const freeUrl = async (): Promise<string> => {
  const before = await startReceiver(() => 204);
  const url = before.url('/hooks');
  before.close();
  return url;
};

it('the quickstart of agencies finds what is due, who may sell, and changes a contact of the demo', async () => {
  const { downstream } = demo();
  const headers = await bearerOf(downstream);
  const entities = await call('GET', '/v2/downstream/entities', { headers });
  const [entity] = (entities.json['data'] as { items: { _id: string }[] }).items;
  const body = {
    downstreamEntityId: entity?._id,
    firstName: 'Maria',
    lastName: 'Delgado',
    email: 'quickstart@lonestar.example',
  };
  const added = await call('POST', '/v2/downstream/contacts', { headers, body });
  const { contactId } = added.json['data'] as { contactId: string };
  await writeFile(inDirectory('w9.pdf'), pdf());
  const marked = samplesOf('Quickstart for agencies').join('\necho; echo ---\n');
  const { stdout } = await run('sh', ['-ec', marked], {
    cwd: inDirectory(),
    env: { ...environmentOf(downstream), CONTACT_ID: contactId },
  });
  const [, due = '', sellers = '', contact = '', file = ''] = stdout.split('---\n');
  expect(due).toMatch(/^\d{4}-\d{2}-\d{2}\t\d+\t[A-Z]{2}\t\S+\tnot requested$/m);
  expect(sellers).toMatch(/^\d+\t(yes|no|unknown)/m);
  expect(JSON.parse(contact)).toMatchObject({
    statusCode: 200,
    data: { contactId, lastName: 'Delgado-Reyes' },
  });
  expect(JSON.parse(file)).toMatchObject({
    statusCode: 201,
    data: { category: 'W9', upstreamDownstreamAssociationId: expect.any(String) },
  });
});

it('the quickstart checks a sale of the demo, and verifies what its webhook receives', async () => {
  const [token = '', check = '', register = '', receiver = '', test = ''] = samplesOf('Quickstart');
  const url = await freeUrl();
  const env = { ...environmentOf(demo().upstream), RECEIVER_URL: url };
  const shell = async (source: string, more: object = {}) =>
    (await run('sh', ['-ec', source], { env: { ...env, ...more } })).stdout.trim().split('\n');
  const printed = 'echo; echo "$UPSTREAM_ACCESS_TOKEN"; echo "$WEBHOOK"; echo "$WEBHOOK_SECRET"';
  const [checked = '', bearer, WEBHOOK = '', secret] = await shell(
    [token, check, register, printed].join('\n'),
  );
  expect(JSON.parse(checked)).toMatchObject({ statusCode: 200, data: { checks: [{ answer: 'yes' }] } });

  const started = spawn(process.execPath, ['--input-type=module', '-e', receiver], {
    env: { ...env, PORT: new URL(url).port, WEBHOOK_SECRET: secret },
  });
  try {
    let received = '';
    started.stdout.on('data', (text) => {
      received += text;
    });
    const forged = () => fetch(url, { method: 'POST', body: '{}' });
    await until(() =>
      forged().then(
        ({ status }) => status === 401,
        () => false,
      ),
    );
    await shell(test, { UPSTREAM_ACCESS_TOKEN: bearer, WEBHOOK });
    await until(() => received.includes('AGENT_COMPLIANCE_STATUS_CHANGE'));
  } finally {
    started.kill();
    const { _id } = JSON.parse(WEBHOOK).data;
    const headers = { authorization: `Bearer ${bearer}` };
    await call('DELETE', `/v2/upstream/webhooks/${_id}`, { headers });
  }
});

it('the quickstart rehearses a lapse', async () => {
  const [token = ''] = samplesOf('Quickstart');
  // Without a token, the rehearsal would wait for ever.
  expect(token).not.toBe('');
  const [registry = '', night = '', feed = '', check = ''] = samplesOf('Rehearse a lapse');
  // The publisher may still be at work when the night is done, on a machine that does much else.
  const published = `until {\n${feed}} | grep -q AGENT_COMPLIANCE_STATUS_CHANGE; do sleep 1; done`;
  const steps = [token, registry, `${night}\n${published}`, feed, check];
  const { stdout } = await run('sh', ['-ec', steps.join('\necho; echo ---\n')], {
    env: environmentOf(await newSellingCarrier()),
  });
  const [, put = '', done = '', events = '', checked = ''] = stdout.split('---\n');
  expect(JSON.parse(put)).toMatchObject({ statusCode: 200 });
  expect(JSON.parse(done)).toMatchObject({ data: { status: 'done' } });
  expect(events).toContain('\tAGENT_LICENSE_EXPIRED');
  expect(JSON.parse(checked)).toMatchObject({
    data: { checks: [{ answer: 'no', reasons: [{ party: 'seller', code: 'license_expired' }] }] },
  });
});

/** Whether a program of this machine runs. */
function runs(program: string, ...options: readonly string[]): boolean {
  try {
    execFileSync(program, options, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const folder = join('infra', 'openapi', 'samples');

/** An address of the API that closes its first connection without an answer. */
async function unsteadyAddress() {
  const { hostname, port } = new URL(process.env['TEST_BASE_URL'] ?? '');
  let connections = 0;
  const door = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    if (connections === 1) socket.once('data', () => socket.destroy());
    else socket.pipe(connect(Number(port), hostname)).pipe(socket);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return { door, baseUrl: `http://127.0.0.1:${(door.address() as AddressInfo).port}` };
}

describe('the programs for integrators, where this machine has their language', () => {
  const programs = [
    ['node', [process.execPath], 'client.mjs', true],
    ['python', ['python3', '-u'], 'client.py', runs('python3', '-c', 'import cryptography')],
    ['java', ['java'], 'Client.java', runs('java', '--version')],
  ] as const;
  const named = ([language, , , isThere]: (typeof programs)[number]) =>
    `${language}${isThere ? '' : ' (not run: this machine lacks what it needs)'}`;

  it.each(programs)('%s is served, and named in the quickstart', async (_language, _command, file) => {
    const served = await fetch(`${process.env['TEST_BASE_URL']}/docs/${file}`);
    expect(served.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await served.text()).toBe(await readFile(join(folder, file), 'utf8'));
    expect(document.info.description).toContain(`](/docs/${file})`);
  });

  test.each(programs.map((one) => [named(one), ...one] as const))(
    '%s',
    async (_, __, [program, ...options], file, isThere) => {
      if (!isThere) return;
      const { upstream } = demo();
      const url = await freeUrl();
      const headers = await bearerOf(upstream);
      const types = ['AGENT_LICENSE_EXPIRED'];
      const made = await call('POST', '/v2/upstream/webhooks', { headers, body: { url, types } });
      const { _id, secret } = made.json['data'] as { _id: string; secret: string };
      const { door, baseUrl } = await unsteadyAddress();
      const started = spawn(program, [...options, join(folder, file)], {
        env: {
          ...environmentOf(upstream),
          BASE_URL: baseUrl,
          WEBHOOK_SECRET: secret,
          PORT: new URL(url).port,
        },
      });
      let printed = '';
      for (const output of [started.stdout, started.stderr]) {
        output.on('data', (text) => {
          printed += text;
        });
      }
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const forge = (at: string, signature: string) =>
        fetch(url, {
          method: 'POST',
          headers: { 'webhook-id': 'x', 'webhook-timestamp': at, 'webhook-signature': signature },
          body: '{}',
        }).then(({ status }) => status);
      let silent: ReturnType<typeof connect> | undefined;
      try {
        await until(() =>
          forge(timestamp, 'ab').then(
            (status) => status === 401,
            () => started.exitCode !== null,
          ),
        );
        expect(printed).toMatch(/^yes [0-9a-f]{24}$/m);
        silent = connect(Number(new URL(url).port), new URL(url).hostname);
        silent.write('POST / HTTP/1.1\r\nHost: receiver\r\nContent-Length: 10\r\n\r\n');
        expect([await forge('abc', 'ab'), await forge('²', 'ab'), await forge(timestamp, 'é')]).toEqual([
          401, 401, 401,
        ]);
        // The program still has the secret from before the rotation.
        await call('POST', `/v2/upstream/webhooks/${_id}/rotate-secret`, { headers });
        await call('POST', `/v2/upstream/webhooks/${_id}/test`, { headers });
        await until(() => printed.includes('AGENT_LICENSE_EXPIRED'));
      } finally {
        started.kill();
        silent?.destroy();
        door.close();
        await call('DELETE', `/v2/upstream/webhooks/${_id}`, { headers });
      }
    },
  );
});
