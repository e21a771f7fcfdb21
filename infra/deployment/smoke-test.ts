// `npm run smoke-test -- [--environment <name>]`: has the canary of an environment, or of the local run, do what callers do,
// and prints what each step felt like. Exits with 1 if it fails twice.
import { parseArgs } from 'node:util';
import { invokerOf } from '../admin/functions.ts';
import { deployedEnvironments } from '../environments.ts';
import { Refusal, runTool } from '../operator-tool.ts';
import { smokeTest } from './smoke.ts';

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
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const result = await smokeTest(await invokerOf(environment), say);
  say(result.passed ? `${environment} passed.` : `${environment} failed: ${result.reason}`);
  process.exitCode = result.passed ? 0 : 1;
}

runTool(undefined, main);
