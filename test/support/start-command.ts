import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

const runFile = promisify(execFile);

interface StartedProcess {
  readonly process: ChildProcess;
  /** Standard output and standard error so far. */
  readonly output: () => string;
}

/** Runs what `npm start` runs once everything is built. */
export function start(environment: NodeJS.ProcessEnv): StartedProcess {
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
export async function exited({ process: child, output }: StartedProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, output: output() };
}

/** A run that is ready. */
export interface ReadyRun extends StartedProcess {
  readonly port: string;
  /** Where it keeps its files, apart from a developer's own run. The test file removes it. */
  readonly directory: string;
}

/** Starts a run on a free port and waits until it is ready. */
export async function readyRun(): Promise<ReadyRun> {
  const run = start({ PORT: '0' });
  await until(() => run.output().includes('Ready') || run.process.exitCode !== null, 50);
  const port = /^API +http:\/\/127\.0\.0\.1:(\d+)$/m.exec(run.output())?.[1] ?? '';
  return { ...run, port, directory: join('.local', port) };
}

/** Runs a shell script and returns its standard output. */
export const outputOf = async (script: string): Promise<string> =>
  (await runFile('/bin/sh', ['-c', script])).stdout;

/** Runs the operators' command against the run that the environment names. */
export const admin = (
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
export async function enginesOf(pid: number): Promise<string[]> {
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

export const isAlive = (pid: string): boolean => {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
};
