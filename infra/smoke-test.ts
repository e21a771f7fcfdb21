// `npm run smoke-test -- [--environment <name>]`: has the canary of an environment, or of the local run, do what callers do, and
// prints what each step felt like and which release is live. Exits with 1 if the canary fails twice.
import { parseArgs } from 'node:util';
import { invokerOf } from './admin/functions.ts';
import { setUpDeployed, smokeTest } from './canary/set-up.ts';
import { deployedEnvironments } from './environments.ts';
import { Refusal, runTool } from './operator-tool.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { environment: { type: 'string', default: 'local' } } });
  const environment = (['local', ...deployedEnvironments] as const).find(
    (name) => name === values.environment,
  );
  if (environment === undefined) {
    const names = deployedEnvironments.join(', ');
    throw new Refusal(
      `Unknown environment "${values.environment}". Choose one of ${names}, or none for the local run.`,
    );
  }
  const invoke = await invokerOf(environment);
  const passed = await smokeTest({
    invoke,
    setUp: async (apiAddress) => {
      if (environment === 'local') throw new Refusal('The local run does so when it starts: start it again.');
      return setUpDeployed({ environment, invoke, apiAddress });
    },
    say: (line) => void process.stdout.write(`${line}\n`),
  });
  process.exitCode = passed ? 0 : 1;
}

runTool(undefined, main);
