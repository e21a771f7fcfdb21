// `npm run smoke-test -- [--environment <name>]`: has the canary of an environment, or of the local run, call the API as callers
// do, and prints how it went and which release is live. Exits with 1 if the canary failed.
import { parseArgs } from 'node:util';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientOf, invokerOf } from './admin/functions.ts';
import { smokeTest } from './canary.ts';
import { deployedEnvironments, resourceName } from './environments.ts';
import { runTool, WrongArguments } from './operator-tool.ts';

const usage = `Usage: npm run smoke-test -- [--environment <${deployedEnvironments.join('|')}>]; without one, of the local run`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { environment: { type: 'string', default: 'local' } } });
  const environment = (['local', ...deployedEnvironments] as const).find(
    (name) => name === values.environment,
  );
  if (environment === undefined) {
    throw new WrongArguments(`Unknown environment "${values.environment}".`);
  }
  const hasPassed = await smokeTest({
    invoke: await invokerOf(environment),
    secrets: new SecretsManagerClient(await clientOf(environment)),
    secretId: resourceName(environment, 'canary'),
    say: (line) => void process.stdout.write(`${line}\n`),
  });
  process.exitCode = hasPassed ? 0 : 1;
}

runTool(usage, main);
