import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where these runs leave their files, so that a developer's own run is left alone. */
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'start-command-'));
});

afterAll(() => rm(directory, { recursive: true }));

/** What `npm start` runs once everything is built. */
const main = join('dist', 'infra', 'local', 'main.mjs');

interface Started {
  readonly process: ChildProcess;
  readonly output: () => string;
}

function start(environment: NodeJS.ProcessEnv): Started {
  let text = '';
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, LOCAL_DIRECTORY: directory, ...environment },
  });
  const collect = (chunk: Buffer) => {
    text += chunk.toString('utf8');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { process: child, output: () => text };
}

async function ended({ process: child, output }: Started): Promise<{ code: number | null; output: string }> {
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, output: output() };
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Java processes of DynamoDB Local that descend from a process, by the group that the local run starts them in. */
async function enginesOf(pid: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/));
  const children = new Set([String(pid)]);
  for (let grown = true; grown; ) {
    const found = rows.filter(([id = '', parent = '']) => children.has(parent) && !children.has(id));
    for (const [id = ''] of found) children.add(id);
    grown = found.length > 0;
  }
  return rows.flatMap(([id = '', , ...args]) =>
    children.has(id) && args.join(' ').includes('DynamoDBLocal.jar') ? [id] : [],
  );
}

const alive = (pid: string): boolean => {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
};

describe('the start command', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints curls that work, and ends cleanly on %s with nothing left behind',
    async (signal) => {
      const started = start({ PORT: '0' });
      await until(() => started.output().includes('Ready') || started.process.exitCode !== null);
      const lines = started.output().split('\n');
      const commands = lines.filter((line) => /^(TOKEN=|FILE=|curl )/.test(line));
      const script = commands.map((line) => (line.startsWith('curl ') ? `${line}; echo` : line)).join('\n');
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script]);
      const [policies, replied, filing] = stdout
        .trim()
        .split('\n')
        .map((answer) => JSON.parse(answer) as { statusCode: number; data: unknown });
      expect(policies).toMatchObject({ statusCode: 200, data: expect.arrayContaining([expect.anything()]) });
      expect(replied?.statusCode).toBe(201);
      expect(filing).toMatchObject({
        statusCode: 200,
        data: {
          actionRequired: false,
          escalations: [
            {
              status: 'waiting service input',
              messages: [
                { authorType: 'service' },
                { authorType: 'customer', attachments: [{ fileName: 'affidavit.pdf' }] },
              ],
            },
          ],
        },
      });

      const demo = JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8')) as Record<
        string,
        unknown
      >;
      const organization = {
        organizationId: expect.any(String),
        clientId: expect.any(String),
        clientSecret: expect.any(String),
        restrictedToken: expect.any(String),
      };
      expect(demo).toMatchObject({
        upstream: organization,
        downstream: organization,
        policyId: expect.any(String),
        filingId: expect.any(String),
        filingWithOpenEscalation: {
          filingId: expect.any(String),
          sourceCategoryId: expect.any(String),
          sourceTaskId: expect.any(String),
        },
      });

      const engines = await enginesOf(started.process.pid ?? 0);
      expect(engines.length).toBeGreaterThan(0);
      started.process.kill(signal);
      expect((await ended(started)).code).toBe(0);
      await until(() => !engines.some(alive));
    },
    60_000,
  );

  it('says in one sentence that its port is in use', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, output } = await ended(start({ PORT: String(port) }));
    await new Promise((resolve) => holder.close(resolve));
    expect(code).toBe(1);
    expect(output.trim()).toMatch(new RegExp(`^Port ${port} is in use: [^\\n]+$`));
  }, 30_000);

  it('says in one sentence that Java is missing', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'no-java-'));
    const { code, output } = await ended(start({ PORT: '0', PATH: empty }));
    await rm(empty, { recursive: true });
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^DynamoDB Local needs Java 17 or newer[^\n]+$/);
  }, 30_000);
});

describe('the admin command', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join('dist', 'infra', 'admin', 'admin-cli.mjs'), ...args], {
      env: { ...process.env, LOCAL_DIRECTORY: directory },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    );

  it('imports a file past its bad lines, and the same file again changes nothing', async () => {
    const started = start({ PORT: '0' });
    await until(() => started.output().includes('Ready') || started.process.exitCode !== null);
    const folder = await mkdtemp(join(tmpdir(), 'import-'));
    const file = join(folder, 'policies.ndjson');
    const record = (number: number) =>
      JSON.stringify({
        type: 'policy-transaction',
        policyNumber: `P-${number}`,
        policyTransactionType: 'New',
        policyTransactionDate: '2026-01-01',
        riskStateCode: 'TX',
      });
    await writeFile(
      file,
      [record(1), '{', ...Array.from({ length: 1_200 }, (_, index) => record(index + 2))].join('\n'),
    );
    try {
      const created = await run(
        'create-organization',
        JSON.stringify({ name: 'Acme', category: 'upstreamEntity' }),
      );
      expect(created.code).toBe(0);
      const { organizationId } = JSON.parse(created.stdout) as { organizationId: string };
      const expected = {
        imported: 1_201,
        rejected: [{ line: 2, issues: [{ path: '', message: 'is not valid JSON' }] }],
      };
      for (const time of ['first', 'second']) {
        const { code, stdout } = await run('import', JSON.stringify({ organizationId, file }));
        expect({ time, code, answer: JSON.parse(stdout) as unknown }).toEqual({
          time,
          code: 0,
          answer: expected,
        });
      }
      const refused = await run('create-organization', '{"name":"Acme","category":"boat"}');
      expect(refused.code).toBe(1);
      expect(JSON.parse(refused.stdout)).toMatchObject({
        errorType: 'validation_error',
        errorMessage: [expect.any(String)],
      });
    } finally {
      await rm(folder, { recursive: true });
      started.process.kill('SIGTERM');
      await ended(started);
    }
  }, 60_000);

  it('works on a filing until it is completed with a file of 10 MiB', async () => {
    const started = start({ PORT: '0' });
    await until(() => started.output().includes('Ready') || started.process.exitCode !== null);
    const folder = await mkdtemp(join(tmpdir(), 'artifact-'));
    const done = async (command: string, input: object): Promise<Record<string, unknown>> => {
      const { code, stdout } = await run(command, JSON.stringify(input));
      const answer = JSON.parse(stdout) as Record<string, unknown>;
      expect({ command, code, answer }).toMatchObject({ code: 0 });
      return answer;
    };
    try {
      const { filingWithOpenEscalation } = JSON.parse(
        await readFile(join(directory, 'demo.json'), 'utf8'),
      ) as { filingWithOpenEscalation: { filingId: string } };
      const { filingId } = filingWithOpenEscalation;
      await done('message-escalation', { ...filingWithOpenEscalation, body: 'A reminder.' });
      expect(await done('resolve-escalation', filingWithOpenEscalation)).toMatchObject({
        actionRequired: false,
        escalations: [{ status: 'resolved' }],
      });
      expect(
        await done('open-escalation', { ...filingWithOpenEscalation, body: 'Once more.' }),
      ).toMatchObject({ actionRequired: true });
      for (const status of ['ready to file', 'filed']) await done('set-filing-status', { filingId, status });
      const early = await run('set-filing-status', JSON.stringify({ filingId, status: 'completed' }));
      expect(early.code).toBe(1);
      expect(JSON.parse(early.stdout)).toMatchObject({ errorType: 'conflict' });

      const file = join(folder, 'stamped.pdf');
      const bytes = Buffer.alloc(10 * 2 ** 20, 'x');
      bytes.write('%PDF-1.4\n');
      await writeFile(file, bytes);
      const added = await done('add-completion-artifact', { filingId, type: 'accepted stamped', file });
      const [artifact] = added['completionArtifacts'] as { fileName: string; downloadUrl: string }[];
      expect(artifact?.fileName).toBe('stamped.pdf');
      const downloaded = await fetch(artifact?.downloadUrl ?? '');
      expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true);
      expect(await done('set-filing-status', { filingId, status: 'completed' })).toMatchObject({
        status: 'completed',
      });

      await writeFile(file, 'no PDF');
      const refused = await run(
        'add-completion-artifact',
        JSON.stringify({ filingId, type: 'receipt', file }),
      );
      expect(refused.code).toBe(1);
      expect(JSON.parse(refused.stdout)).toMatchObject({
        errorType: 'validation_error',
        errorMessage: [expect.stringContaining('PDF')],
      });
    } finally {
      await rm(folder, { recursive: true });
      started.process.kill('SIGTERM');
      await ended(started);
    }
  }, 60_000);
});
