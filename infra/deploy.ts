// `npm run deploy -- --environment <name> [--skip-tests] [--yes] [-- <arguments of cdk deploy>]`: deploys both stacks of an
// environment after a series of checks. Exits with 1 if a check or a step fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { type DeploymentOptions, deploy, Refusal, type Tools } from './deployment/deployment.ts';
import { deployedEnvironments, environments } from './environments.ts';

const usage = `Usage: npm run deploy -- --environment <${deployedEnvironments.join('|')}> [--skip-tests] [--yes] [-- <arguments of cdk deploy>]`;

function readArguments(): DeploymentOptions {
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
  };
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

const tools: Tools = {
  run,
  say: (line) => void process.stdout.write(`${line}\n`),
  ask: process.stdin.isTTY ? ask : undefined,
  lambda: (region) => new LambdaClient({ region }),
};

// On Node 20 the SDK prints a warning about its support for Node versions, which does not concern operators.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

async function main(): Promise<void> {
  await deploy(readArguments(), tools);
}

main().catch((error: unknown) => {
  const isUsage = error instanceof TypeError && 'code' in error;
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\n${isUsage ? `${usage}\n` : ''}`,
  );
  process.exitCode = 1;
});
