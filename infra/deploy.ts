// `npm run deploy -- --environment <name> [--skip-tests] [--yes] [-- <arguments of cdk deploy>]`: deploys both stacks of an
// environment after a series of checks. Exits with 1 if a check or a step fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { invokerOf } from './admin/functions.ts';
import { canaryOf } from './deployment/canary.ts';
import { type DeploymentOptions, deploy, type Tools } from './deployment/deployment.ts';
import { deployedEnvironments, type EnvironmentName, environments } from './environments.ts';
import { Refusal, runTool } from './operator-tool.ts';

const usage = `Usage: npm run deploy -- --environment <${deployedEnvironments.join('|')}> [--skip-tests] [--yes] [-- <arguments of cdk deploy>]`;

function readArguments() {
  const { values, positionals } = parseArgs({
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

async function main(): Promise<void> {
  const options = readArguments();
  await deploy(options, toolsFor(options.environment.name));
}

runTool(usage, main);
