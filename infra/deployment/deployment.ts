import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { Environment } from '../environments.ts';
import { Refusal } from '../operator-tool.ts';
import type { Canary } from './canary.ts';
import { concurrencyFault } from './concurrency.ts';
import { outcomeOf, readStacks } from './outcome.ts';
import { gapsOf } from './requirements.ts';
import type { SmokeResult } from './smoke.ts';
import { silentAlarms } from './warnings.ts';

/** The command-line options of a deployment. */
export interface DeploymentOptions {
  readonly environment: Environment;
  readonly skipTests: boolean;
  /** Deploys without confirmation, as in a CI pipeline. */
  readonly yes: boolean;
  /** Further arguments of `cdk deploy`. */
  readonly cdkArguments: readonly string[];
}

/** Side effects of a deployment, which tests replace. */
export interface Tools {
  /** Runs a command in the terminal of this process; returns its exit code. */
  readonly run: (command: string, commandArguments: readonly string[]) => Promise<number>;
  readonly say: (line: string) => void;
  /** Asks the operator a question; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly lambda: (region: string) => LambdaClient;
  readonly cloudFormation: (region: string) => CloudFormationClient;
  /** The canary of the environment. */
  readonly canary: (region: string) => Promise<Canary>;
}

/** The cloud assembly of a deployment: `cdk diff` and `cdk deploy` use the same one, so that what was reviewed is deployed. */
const assembly = 'cdk.out/deployment';

/**
 * Deploys the stacks of an environment: tests, synthesis, check of the account's concurrency, differences, confirmation,
 * deployment, record of the release, smoke test; says at last what callers have now. Missing configuration is reported first,
 * before anything is built and before any call to AWS.
 *
 * @throws Refusal
 */
export async function deploy(options: DeploymentOptions, tools: Tools): Promise<void> {
  const { environment, skipTests, yes, cdkArguments } = options;
  refuseGaps(environment);
  const { name, account, region } = environment;
  const { ask, say } = tools;
  if (ask === undefined && !yes) {
    throw new Refusal('The deployment cannot be confirmed: without a terminal, pass --yes.');
  }
  for (const silence of silentAlarms(environment)) say(silence);

  if (skipTests) {
    say('Skipped the type check, the style check, and all tests (npm test).');
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
  await step(
    'The comparison with the deployed stacks failed',
    tools,
    'npx',
    cdk('diff', '--all', '--app', assembly),
  );
  if (ask !== undefined && !yes) {
    const answer = await ask(
      `Deploy this to ${name}, account ${account}, ${region}? Enter "${name}" to confirm: `,
    );
    if (answer.trim() !== name) throw new Refusal('Nothing was deployed.');
  }
  const client = tools.cloudFormation(region);
  const before = await readStacks(name, client);
  // The CDK rejects credentials of an account other than that of the stacks.
  const exitCode = await tools.run('npx', [
    ...cdk('deploy', '--all', '--app', assembly, '--require-approval', 'never'),
    ...cdkArguments,
  ]);
  if (exitCode === 0 && environment.recordsRelease) {
    const isRecorded = (await tools.run('npm', ['run', '--silent', 'release'])) === 0;
    if (!isRecorded) say('The release is not recorded: run "npm run release" on this commit.');
  }
  const after = await readStacks(name, client);
  const smoke = await askCanary(await tools.canary(region), { isNew: exitCode === 0, say });
  const { is, text } = outcomeOf({ exitCode, before, after, smoke });
  if (is !== 'live') throw new Refusal(text);
  say(text);
}

/** Has the canary run, for which a new release makes what it lacks; undefined where it cannot, which is said. */
async function askCanary(
  canary: Canary,
  { isNew, say }: { readonly isNew: boolean; readonly say: Tools['say'] },
): Promise<SmokeResult | undefined> {
  try {
    if (isNew && (await canary.setUp()) === 'made') {
      say('Made the organization, client, and webhook of the canary.');
    }
    say('The canary does what callers do:');
    return await canary.test(say);
  } catch (error) {
    say(`The canary cannot run: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
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
  if (code !== 0) throw new Refusal(`${failed} (exit code ${code}); stopped.`);
}
