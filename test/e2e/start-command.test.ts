import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  admin,
  demoDescription,
  enginesOf,
  exited,
  isAlive,
  outputOf,
  readyRun,
  runDirectory,
  type StartedProcess,
  start,
} from '../support/start-command.ts';
import { until } from '../support/until.ts';

afterAll(() => rm(runDirectory, { recursive: true }));

/** Ends a run as a terminal or a process manager does; no DynamoDB Local may be left behind. */
async function endCleanly(run: StartedProcess, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const engines = await enginesOf(run.process.pid ?? 0);
  expect(engines.length).toBeGreaterThan(0);
  run.process.kill(signal);
  expect((await exited(run)).code).toBe(0);
  await until(() => !engines.some(isAlive));
}

// One run serves these tests, and the last of them ends it.
describe('npm start', () => {
  let run: StartedProcess;
  let folder: string;

  beforeAll(async () => {
    run = await readyRun();
    folder = await mkdtemp(join(tmpdir(), 'operator-'));
  }, 60_000);

  afterAll(async () => {
    run.process.kill('SIGTERM');
    await exited(run);
    await rm(folder, { recursive: true });
  });

  it('prints curl commands that work, and writes the demo data', async () => {
    const lines = run.output().split('\n');
    const commands = lines.filter((line) => /^(TOKEN=|FILE=|curl )/.test(line));
    const script = commands.map((line) => (line.startsWith('curl ') ? `${line}; echo` : line)).join('\n');
    const [policies, replied, filing] = (await outputOf(script))
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

    const organization = {
      organizationId: expect.any(String),
      clientId: expect.any(String),
      clientSecret: expect.any(String),
      restrictedToken: expect.any(String),
    };
    expect(await demoDescription()).toMatchObject({
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
  });

  it('lets an operator import a file despite invalid lines; importing it again changes nothing', async () => {
    const file = join(folder, 'policies.ndjson');
    const record = (number: number) =>
      JSON.stringify({
        type: 'policy-transaction',
        policyNumber: `P-${number}`,
        policyTransactionType: 'New',
        policyTransactionDate: '2026-01-01',
        riskStateCode: 'TX',
      });
    // An empty line ends what one call of the import function takes; the lines keep their numbers in the file.
    await writeFile(file, [record(1), '{', record(2), '', record(3), '}'].join('\n'));
    const created = await admin(
      'create-organization',
      JSON.stringify({ name: 'Acme', category: 'upstreamEntity' }),
    );
    expect(created.code).toBe(0);
    const { organizationId } = JSON.parse(created.stdout) as { organizationId: string };
    const expected = {
      imported: 3,
      rejected: [2, 6].map((line) => ({ line, issues: [{ path: '', message: 'is not valid JSON' }] })),
    };
    for (const time of ['first', 'second']) {
      const { code, stdout } = await admin('import', JSON.stringify({ organizationId, file }));
      const answer: unknown = JSON.parse(stdout);
      expect({ time, code, answer }).toEqual({ time, code: 0, answer: expected });
    }
    const refused = await admin('create-organization', '{"name":"Acme","category":"boat"}');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      errorType: 'validation_error',
      errorMessage: [expect.any(String)],
    });
  }, 60_000);

  it('lets an operator take a filing through to completion with a 10 MiB file', async () => {
    const done = async (command: string, input: object): Promise<Record<string, unknown>> => {
      const { code, stdout } = await admin(command, JSON.stringify(input));
      const answer = JSON.parse(stdout) as Record<string, unknown>;
      expect({ command, code, answer }).toMatchObject({ code: 0 });
      return answer;
    };
    const { filingWithOpenEscalation } = (await demoDescription()) as {
      filingWithOpenEscalation: { filingId: string };
    };
    const { filingId } = filingWithOpenEscalation;
    expect(await done('resolve-escalation', filingWithOpenEscalation)).toMatchObject({
      actionRequired: false,
      escalations: [{ status: 'resolved' }],
    });
    for (const status of ['ready to file', 'filed']) await done('set-filing-status', { filingId, status });
    const early = await admin('set-filing-status', JSON.stringify({ filingId, status: 'completed' }));
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
    const refused = await admin(
      'add-completion-artifact',
      JSON.stringify({ filingId, type: 'receipt', file }),
    );
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      errorType: 'validation_error',
      errorMessage: [expect.stringContaining('PDF')],
    });
  }, 60_000);

  it('exits cleanly on SIGINT and leaves nothing behind', () => endCleanly(run, 'SIGINT'));
});

describe('npm start on its own', () => {
  it('exits cleanly on SIGTERM and leaves nothing behind', async () => {
    await endCleanly(await readyRun(), 'SIGTERM');
  }, 60_000);

  it('says in one sentence that its port is in use', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, output } = await exited(start({ PORT: String(port) }));
    await new Promise((resolve) => holder.close(resolve));
    expect(code).toBe(1);
    expect(output.trim()).toMatch(new RegExp(`^Port ${port} is in use: [^\\n]+$`));
  });

  it('says in one sentence that Java is missing', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'no-java-'));
    const { code, output } = await exited(start({ PORT: '0', PATH: empty }));
    await rm(empty, { recursive: true });
    expect(code).toBe(1);
    expect(output.trim()).toMatch(/^DynamoDB Local needs Java 17 or newer[^\n]+$/);
  });
});
