// Tools that are installed on demand, because no test of `npm test` needs them, and the run of this API that they call.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Says that something was not tried, and why. */
export function skip(what, why) {
  process.stdout.write(`SKIP   ${what}: ${why.trim().split('\n').at(-1)}\n`);
}

/** Runs a program. @throws Error with all that it wrote, if it fails. */
export function run(program, words, options = {}) {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 28, ...options });
  } catch (error) {
    throw Object.assign(new Error(`${error.stdout ?? ''}${error.stderr ?? ''}` || error.message), {
      stdout: error.stdout,
    });
  }
}

/**
 * The folder of the programs of packages of npm, which are installed into `folder`. @throws Error where npm's registry cannot be
 * reached.
 */
export function npmTools(folder, ...packages) {
  mkdirSync(folder, { recursive: true });
  run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages]);
  return join(folder, 'node_modules', '.bin');
}

/**
 * The folder of the programs of Python packages, which are installed into `folder` if the requirements, lines of pip, changed.
 * @throws Error where there is no Python, or its registry cannot be reached.
 */
export function pythonTools(folder, requirements) {
  const installed = join(folder, 'requirements.txt');
  const programs = join(folder, 'bin');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === requirements) return programs;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run('python3', ['-m', 'venv', folder]);
  run(join(programs, 'pip'), ['install', '--quiet', ...requirements.trim().split('\n')]);
  writeFileSync(installed, requirements);
  return programs;
}

/** Starts the API on this machine, on a port of its own; `demo` is what it prints of its demo data. It expects a build. */
export async function startRun(root) {
  const node = join(root, 'node_modules', '.bin', 'node');
  const child = spawn(
    existsSync(node) ? node : process.execPath,
    [join('dist', 'infra', 'local', 'main.mjs')],
    {
      cwd: root,
      env: { ...process.env, PORT: '0', LOCAL_DIRECTORY: undefined },
    },
  );
  let output = '';
  await new Promise((ready, failed) => {
    child.once('exit', () => failed(new Error(output)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (/^Ready/m.test(output)) ready();
      });
    }
  });
  const demo = JSON.parse(readFileSync(join(root, /^Demo data +(.*)$/m.exec(output)?.[1] ?? ''), 'utf8'));
  const ended = new Promise((done) => child.once('exit', done));
  const stop = () => {
    child.kill('SIGINT');
    return ended;
  };
  return { demo, stop };
}

/** Whether a tool cannot be had: a program is not installed, or a registry cannot be reached. */
export const isUnavailable = ({ message }) =>
  /spawnSync \S+ ENOENT|ENOTFOUND|EAI_AGAIN|Could not transfer|Could not resolve|Connection|No matching distribution|ensurepip/.test(
    message,
  );
