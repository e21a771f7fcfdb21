// `npm run smoke-test -- [--environment <name>]`: has the canary of an environment, or of the local run, call the API as callers
// do, and prints how it went and which release is live. Exits with 1 if the canary failed.
import { parseArgs } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientOf, invokerOf } from './admin/functions.ts';
import { smokeTest } from './canary.ts';
import { deployedEnvironments, resourceName } from './environments.ts';
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
  const passed = await smokeTest({
    invoke: await invokerOf(environment),
    secrets: new SecretsManagerClient(await clientOf(environment)),
    secretId: resourceName(environment, 'canary'),
    say: (line) => void process.stdout.write(`${line}\n`),
  });
  process.exitCode = passed ? 0 : 1;
}

runTool(undefined, main);
