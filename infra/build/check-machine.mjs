// Checks that this machine can run the tests or, with --port, the local run, before anything is installed, built, or deleted.
// What is wrong is printed in one sentence. The syntax is plain, because the versions of Node that it rejects must read it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const oldestJava = 17;

/** The port of the local run without PORT; `infra/local/run-directory.ts` has it too. */
const defaultPort = 3000;

/** The oldest Node without a packaged one, which then runs everything. */
const oldestWithoutPackage = 22;

/** Where npm has Lambda's Node as a package, the Node of this machine only installs it. */
function nodeProblem() {
  const { engines, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { platform, arch } = process;
  const packaged = optionalDependencies[`node-${platform === 'win32' ? 'win' : platform}-${arch}`];
  const oldest = packaged === undefined ? oldestWithoutPackage : Number(/\d+/.exec(engines.node));
  const found = process.versions.node;
  return Number.parseInt(found, 10) >= oldest
    ? undefined
    : `Node ${oldest} or later is required, and this is Node ${found}.`;
}

function javaProblem() {
  const { error, status, stdout, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const required = `DynamoDB Local needs Java ${oldestJava} or later`;
  if (error) return `${required}, and there is no "java" on the PATH.`;
  const version = /version "(?:1\.)?(\d+)/.exec(`${stderr}${stdout}`);
  if (status !== 0 || version === null) {
    return `${required}, and the "java" on the PATH is not a Java runtime.`;
  }
  return Number(version[1]) >= oldestJava
    ? undefined
    : `${required}, and the "java" on the PATH is Java ${version[1]}.`;
}

/** Resolves to the code of the error that keeps a server from listening on a port of this machine. */
const listeningError = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }) => resolve(code));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });

async function portProblem() {
  const given = process.env.PORT;
  const port = Number(given === undefined ? defaultPort : given);
  if (given === '' || !Number.isInteger(port) || port < 0 || port > 65535) {
    return `PORT must be a number from 0 to 65535, not "${given}".`;
  }
  const code = await listeningError(port);
  if (code === undefined) return undefined;
  if (code === 'EACCES') return `Port ${port} requires more privileges: choose one above 1023 with PORT.`;
  if (code !== 'EADDRINUSE') return `Nothing can listen on port ${port} (${code}): choose another with PORT.`;
  let free = port + 1;
  while (free < 65535 && (await listeningError(free)) !== undefined) free += 1;
  return `Port ${port} is in use: stop the process that listens on it, or choose another port, such as "PORT=${free} npm start".`;
}

async function firstProblem() {
  return nodeProblem() || javaProblem() || (process.argv.includes('--port') && (await portProblem()));
}

const problem = await firstProblem();
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
