import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { Environment } from '../environments.ts';
import { concurrencyFault } from './concurrency.ts';
import { gapsOf } from './requirements.ts';

/** What the operator asked for on the command line. */
export interface DeploymentOptions {
  readonly environment: Environment;
  readonly skipTests: boolean;
  /** Deploys without asking: for pipelines. */
  readonly yes: boolean;
  /** Further arguments of `cdk deploy`. */
  readonly cdkArguments: readonly string[];
}

/** What a deployment does to the world. */
export interface Tools {
  /** Runs a command with the terminal of this process; answers its exit code. */
  readonly run: (command: string, commandArguments: readonly string[]) => Promise<number>;
  readonly say: (line: string) => void;
  /** Asks the operator; undefined where nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly lambda: (region: string) => LambdaClient;
}

/** Where the templates and bundles of a deployment are kept: what was shown is what is deployed. */
const assembly = 'cdk.out/deployment';

/** A deployment that does not go on; the message is for the operator. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/**
 * Deploys both stacks of an environment: tests, synthesis, the account's limit, the differences, a question, deployment.
 * Whatever an operator has to fill in first is told before anything is built, or asked of AWS.
 *
 * @throws Refusal
 */
export async function deploy(options: DeploymentOptions, tools: Tools): Promise<void> {
  const { environment, skipTests, yes, cdkArguments } = options;
  refuseGaps(environment);
  const { name, account, region, alarmAddress } = environment;
  const { ask, say } = tools;
  if (ask === undefined && !yes) {
    throw new Refusal('Nobody can be asked whether to deploy: without a terminal, say --yes.');
  }
  if (alarmAddress === undefined) {
    say(`The alarms of ${name} show in CloudWatch only: its entry has no alarmAddress.`);
  }

  if (skipTests) {
    say('Skipped: types, style and all tests (npm test). What is deployed has not been tried here.');
  } else {
    await step('The tests failed', tools, 'npm', ['test']);
  }
  const cdk = (...cdkCommand: string[]) => ['--no-install', 'cdk', ...cdkCommand];
  await step('The synthesis failed', tools, 'npx', [
    ...cdk('synth', '--quiet'),
    ...['--context', `environment=${name}`, '--output', assembly],
  ]);
  const fault = await concurrencyFault(environment, tools.lambda(region));
  if (fault !== undefined) throw new Refusal(fault);
  await step('The differences could not be found', tools, 'npx', cdk('diff', '--all', '--app', assembly));
  if (ask !== undefined && !yes) {
    const answer = await ask(
      `Deploy this to ${name}, account ${account}, ${region}? Its name deploys it, anything else does not: `,
    );
    if (answer.trim() !== name) throw new Refusal('Nothing was deployed.');
  }
  // The CDK refuses credentials of another account than the stacks name.
  await step('The deployment failed', tools, 'npx', [
    ...cdk('deploy', '--all', '--app', assembly, '--require-approval', 'never'),
    ...cdkArguments,
  ]);
}

/** @throws Refusal that names each gap. */
function refuseGaps(
  environment: Environment,
): asserts environment is Environment & { readonly account: string; readonly region: string } {
  const gaps = gapsOf(environment);
  if (gaps.length === 0) return;
  const listed = gaps.map(({ place, fault }) => `  ${place} ${fault}`);
  throw new Refusal([`${environment.name} can't be deployed yet:`, ...listed].join('\n'));
}

/** @throws Refusal when the command fails. */
async function step(failed: string, tools: Tools, command: string, commandArguments: readonly string[]) {
  const code = await tools.run(command, commandArguments);
  if (code !== 0) throw new Refusal(`${failed} (exit code ${code}); nothing more was done.`);
}
