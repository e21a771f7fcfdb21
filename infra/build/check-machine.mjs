// Checks that this machine can run the tests and the local run, before anything is installed, built, or deleted.
// What is wrong is printed in one sentence. The syntax is plain, because the versions of Node that it rejects must read it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const oldestJava = 17;

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

const problem = nodeProblem() || javaProblem();
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
