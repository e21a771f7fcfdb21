import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { invokerOf } from '../admin/functions.ts';
import { deployedEnvironments, type EnvironmentName, environments } from '../environments.ts';
import { Refusal } from '../operator-tool.ts';
import { canaryOf } from './canary.ts';
import { type DeploymentOptions, deploy, type Tools } from './deployment.ts';

/** How `npm run deploy` is called. */
export const usage = `Usage: npm run deploy -- --environment <${deployedEnvironments.join('|')}> [--skip-tests] [--yes] [-- <arguments of cdk deploy>]`;

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      environment: { type: 'string' },
      'skip-tests': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const name = deployedEnvironments.find((candidate) => candidate === values.environment);
  if (name === undefined) throw new Refusal(usage);
  return {
    environment: environments[name],
    skipTests: values['skip-tests'],
    yes: values.yes,
    cdkArguments: positionals,
  } satisfies DeploymentOptions;
}

async function run(command: string, commandArguments: readonly string[]): Promise<number> {
  const [code] = await once(spawn(command, commandArguments, { stdio: 'inherit' }), 'exit');
  return typeof code === 'number' ? code : 1;
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

const toolsFor = (environment: EnvironmentName): Tools => ({
  run,
  say: (line) => void process.stdout.write(`${line}\n`),
  ask: process.stdin.isTTY ? ask : undefined,
  // Nothing waits for a pause when the deployment has ended.
  pause: (ms) => pause(ms, undefined, { ref: false }),
  lambda: (region) => new LambdaClient({ region }),
  cloudFormation: (region) => new CloudFormationClient({ region }),
  canary: async (region) =>
    canaryOf({
      environment,
      lambda: new LambdaClient({ region }),
      secrets: new SecretsManagerClient({ region }),
      invoke: await invokerOf(environment),
    }),
});

/** Deploys as the arguments of `npm run deploy` say. @throws Refusal */
export async function deployAs(args: readonly string[], toolsOf = toolsFor): Promise<void> {
  const options = readArguments(args);
  await deploy(options, toolsOf(options.environment.name));
}
