import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../../package.json';
import { eventually, until } from '../support/until.ts';

const runFile = promisify(execFile);

interface StartedProcess {
  readonly process: ChildProcess;
  /** Standard output and standard error so far. */
  readonly output: () => string;
}

/** Runs what `npm start` runs once everything is built. */
function start(environment: NodeJS.ProcessEnv): StartedProcess {
  let text = '';
  // As npm does, which puts the packages' own programs first: there Node is one of them.
  const PATH = `${join(process.cwd(), 'node_modules', '.bin')}${delimiter}${process.env['PATH']}`;
  const child = spawn('node', [join('dist', 'infra', 'local', 'main.mjs')], {
    env: { ...process.env, PATH, LOCAL_DIRECTORY: undefined, ...environment },
  });
  const collect = (chunk: Buffer) => {
    text += chunk.toString('utf8');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { process: child, output: () => text };
}

/** Waits for the end of a process. `code` is null when a signal ended it. */
async function exited({ process: child, output }: StartedProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, output: output() };
}

/** A run that is ready. */
interface ReadyRun extends StartedProcess {
  readonly port: string;
  /** Where it keeps its files, apart from a developer's own run. The test file removes it. */
  readonly directory: string;
}

/** Starts a run on a free port and waits until it is ready. */
async function readyRun(): Promise<ReadyRun> {
  const run = start({ PORT: '0' });
  await until(() => run.output().includes('Ready') || run.process.exitCode !== null, 50);
  const port = /^API +http:\/\/127\.0\.0\.1:(\d+)$/m.exec(run.output())?.[1] ?? '';
  return { ...run, port, directory: join('.local', port) };
}

/** Runs a shell script and returns its standard output. */
const outputOf = async (script: string): Promise<string> => (await runFile('/bin/sh', ['-c', script])).stdout;

/** Runs the operators' command against the run that the environment names. */
const adminOf = (
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> =>
  runFile(process.execPath, [join('dist', 'infra', 'admin', 'admin-cli.mjs'), ...args], {
    env: { ...process.env, LOCAL_DIRECTORY: undefined, ...environment },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );

/** Ids of the Java processes of DynamoDB Local that descend from a process. */
async function enginesOf(pid: number): Promise<string[]> {
  const { stdout } = await runFile('ps', ['-eo', 'pid=,ppid=,args=']);
  const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/));
  const descendants = new Set([String(pid)]);
  for (let grown = true; grown; ) {
    const found = rows.filter(([id = '', parent = '']) => descendants.has(parent) && !descendants.has(id));
    for (const [id = ''] of found) descendants.add(id);
    grown = found.length > 0;
  }
  return rows.flatMap(([id = '', , ...args]) =>
    descendants.has(id) && args.join(' ').includes('DynamoDBLocal.jar') ? [id] : [],
  );
}

const isAlive = (pid: string): boolean => {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
};

// One run serves these tests, and the last of them ends it.
describe('npm start', () => {
  let run: ReadyRun;
  let folder: string;

  /** Runs an operator's command, and answers its JSON. */
  async function admin(command: string, input: string) {
    const { code, stdout } = await adminOf([command, input], { LOCAL_DIRECTORY: run.directory });
    return { code, answer: JSON.parse(stdout) as Readonly<Record<string, unknown>> };
  }

  beforeAll(async () => {
    run = await readyRun();
    folder = await mkdtemp(join(tmpdir(), 'operator-'));
  });

  afterAll(async () => {
    run.process.kill('SIGTERM');
    await exited(run);
    await rm(run.directory, { recursive: true });
    await rm(folder, { recursive: true });
  });

  it('says when each step is done, and runs on the Node that Lambda runs, where npm has it', () => {
    const [steps = ''] = run.output().split('Ready after');
    expect(steps.match(/^Done after [\d.]+ s: .+$/gm)?.length).toBeGreaterThan(4);
    const [, version] = /^Node {7}(.+)$/m.exec(run.output()) ?? [];
    const installed = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
    const packaged: Readonly<Record<string, string>> = manifest.optionalDependencies;
    expect(version).toBe(packaged[installed] ?? process.versions.node);
  });

  it('writes a tour that runs as a whole, shows what the README says, and says at its end what to open', async () => {
    const output = await outputOf(join(run.directory, 'tour.sh'));
    const answers = new Map(
      output.split(/^# /m).map((part) => {
        const lines = part.split('\n').filter((line) => line.startsWith('{"statusCode"'));
        return [part.slice(0, part.indexOf(':')), lines.map((line) => JSON.parse(line))] as const;
      }),
    );
    expect([...answers.values()].flat().filter(({ statusCode }) => statusCode >= 300)).toEqual([]);
    const checks = [
      { answer: 'yes', reasons: [] },
      {
        answer: 'no',
        reasons: expect.arrayContaining([expect.objectContaining({ code: 'appointment_missing' })]),
      },
      { answer: 'unknown', reasons: [{ code: 'seller_unknown' }] },
      { answer: 'no', reasons: [{ code: 'license_class_wrong' }] },
    ];
    const lapsed = { complianceStatus: 'NOT_COMPLIANT', licenseStatus: { statusName: 'Expired License' } };
    const notAppointed = {
      complianceStatus: 'NOT_COMPLIANT',
      appointmentStatus: { statusName: 'Not Appointed' },
    };
    const replied = { authorType: 'customer', attachments: [{ fileName: 'affidavit.pdf' }] };
    expect(Object.fromEntries(answers)).toMatchObject({
      'sale check': [{ data: { checks } }],
      lapse: [{ data: [{ complianceStatus: 'COMPLIANT', atEffectiveDate: lapsed }] }, { data: [lapsed] }, {}],
      appointment: [{ data: [{ complianceStatus: 'COMPLIANT' }] }, { data: [notAppointed] }],
      sale: [{ data: [{ licenseStatus: { statusName: 'Wrong License Class' } }] }, {}],
      filing: [
        { statusCode: 201 },
        {
          data: { actionRequired: false, escalations: [{ messages: [{ authorType: 'service' }, replied] }] },
        },
      ],
      registry: [{ statusCode: 202 }],
      night: [{}, { data: { status: 'done' } }, {}],
      agency: [{ data: { items: expect.any(Array) } }],
    });
    expect(output.match(/"rejected":\s*\[\]/g)).toHaveLength(2);
    expect(output.trim().split('\n').at(-1)).toMatch(/^Next, open http:\S+\/docs /);
  });

  it('lets an operator import a file again without a change, and says what is wrong with a command', async () => {
    const file = join(folder, 'policies.ndjson');
    const record = { type: 'policy', policyNumber: 'P-1', riskStateCode: 'TX' };
    await writeFile(file, [JSON.stringify(record), '{'].join('\n'));
    const created = await admin('create-organization', '{"name":"Acme","category":"upstreamEntity"}');
    const input = JSON.stringify({ organizationId: created.answer['organizationId'], file });
    const first = await admin('import', input);
    expect(first).toMatchObject({ code: 0, answer: { imported: 1, rejected: [{ line: 2 }] } });
    expect(await admin('import', input)).toEqual(first);
    for (const [command, given, message] of [
      ['boat', '{}', "unknown command 'boat'"],
      ['redrive', '{queue', 'The argument is not valid JSON; put it in single quotes.'],
      ['redrive', '[]', 'must be an object'],
    ] as const) {
      const refused = { errorType: 'validation_error', errorMessage: [message] };
      expect(await admin(command, given)).toMatchObject({ code: 1, answer: refused });
    }
  });

  it('lets an operator complete a filing with a file of 10 MiB', async () => {
    const { filingWithOpenEscalation: item } = JSON.parse(
      await readFile(join(run.directory, 'demo.json'), 'utf8'),
    );
    const { filingId } = item;
    await admin('resolve-escalation', JSON.stringify(item));
    for (const status of ['ready to file', 'filed'])
      await admin('set-filing-status', JSON.stringify({ filingId, status }));
    const file = join(folder, 'stamped.pdf');
    const bytes = Buffer.alloc(10 * 2 ** 20, 'x');
    bytes.write('%PDF-1.4\n');
    await writeFile(file, bytes);
    const artifact = JSON.stringify({ filingId, type: 'accepted stamped', file });
    const { answer } = await admin('add-completion-artifact', artifact);
    const [added] = answer['completionArtifacts'] as { downloadUrl: string }[];
    const downloaded = await fetch(added?.downloadUrl ?? '');
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true);
    const completed = await admin('set-filing-status', JSON.stringify({ filingId, status: 'completed' }));
    expect(completed).toMatchObject({ code: 0, answer: { status: 'completed' } });
  });

  describe('a second one beside the first', () => {
    const filesOfFirst = async () => (await readdir(run.directory, { recursive: true })).toSorted();

    it('that fails leaves the files of the first untouched', async () => {
      const before = await filesOfFirst();
      const { port, directory } = run;
      for (const [environment, sentence] of [
        [{ PORT: port }, new RegExp(`^Port ${port} is in use: [^\\n]+\\n$`)],
        [{ PORT: '0', LOCAL_DIRECTORY: directory }, /^Another local run keeps its files in [^\n]+\n$/],
      ] as const) {
        const { code, output } = await exited(start(environment));
        expect(code).toBe(1);
        expect(output).toMatch(sentence);
      }
      expect(await filesOfFirst()).toEqual(before);
    });

    it('that Ctrl-C ends while it starts exits cleanly and leaves nothing behind', async () => {
      const TMPDIR = join(folder, 'temporary');
      await mkdir(TMPDIR);
      const second = start({ PORT: '0', LOCAL_DIRECTORY: join(folder, 'second'), TMPDIR });
      const engines = await eventually(async () => {
        const found = await enginesOf(second.process.pid ?? 0);
        return found.length > 0 ? found : undefined;
      });
      second.process.kill('SIGINT');
      const output = expect.stringMatching(/^(?:Done after [^\n]+\n)*$/);
      expect(await exited(second)).toEqual({ code: 0, output });
      await until(() => !engines.some(isAlive));
      expect(await readdir(TMPDIR)).toEqual([]);
    });
  });

  it('ends with one sentence when its database ends', async () => {
    const printed = run.output().length;
    for (const engine of await enginesOf(run.process.pid ?? 0)) process.kill(Number(engine), 'SIGKILL');
    const { code, output } = await exited(run);
    expect(code).toBe(1);
    expect(output.slice(printed).trim().split('\n').at(-1)).toMatch(
      /^DynamoDB Local (was killed|ended with code 137), and with it all data: [^\n]+$/,
    );
    expect(await readdir(run.directory)).not.toContain('run.json');
  });
});
