import { parseArgs } from 'node:util';
import {
  type CloudFormationClient,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { Environment } from '../environments.ts';
import { Refusal } from '../operator-tool.ts';
import type { Canary } from './canary.ts';
import { concurrencyFault } from './concurrency.ts';
import { isCreationFailed, outcomeOf, readStacks } from './outcome.ts';
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
  readonly pause: (ms: number) => Promise<unknown>;
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
  const { context, others } = dividedArguments(cdkArguments);
  await step('The synthesis failed', tools, 'npx', [
    ...cdk('synth', '--quiet'),
    ...[`environment=${name}`, ...context].flatMap((one) => ['--context', one]),
    ...['--output', assembly],
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
  // `cdk deploy` protects a stack before it creates it, and deletes one that was never created, if it may.
  for (const { name: StackName } of before.filter(isCreationFailed)) {
    await client.send(
      new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
    );
    say(`The creation of ${StackName} failed before: the stack is deleted, and created again.`);
  }
  // The CDK rejects credentials of an account other than that of the stacks.
  const canary = await tools.canary(region);
  const deployment = tools.run('npx', [
    ...cdk('deploy', '--all', '--app', assembly, '--require-approval', 'never'),
    ...others,
  ]);
  const isUpdate = before.some(
    (one) => one.part === 'service' && one.status !== undefined && !isCreationFailed(one),
  );
  if (isUpdate && environment.gradualDeployment) await runCanaryUntil(deployment, canary, tools);
  const exitCode = await deployment;
  if (exitCode === 0 && environment.recordsRelease) {
    const isRecorded = (await tools.run('npm', ['run', '--silent', 'release'])) === 0;
    if (!isRecorded) say('The release is not recorded: run "npm run release" on this commit.');
  }
  const after = await readStacks(name, client);
  const smoke = await askCanary(canary, { isNew: exitCode === 0, say });
  const { is, text } = outcomeOf({ exitCode, before, after, smoke });
  if (is !== 'live') throw new Refusal(text);
  say(text);
}

/** Context acts at the synthesis alone: `cdk deploy` ignores it for what was synthesized before. */
function dividedArguments(cdkArguments: readonly string[]) {
  const args = [...cdkArguments];
  const { values, tokens } = parseArgs({
    args,
    options: { context: { type: 'string', short: 'c', multiple: true } },
    strict: false,
    tokens: true,
  });
  const taken = new Set(
    tokens.flatMap((token) =>
      token.kind === 'option' && token.name === 'context'
        ? [token.index, ...(token.inlineValue === false ? [token.index + 1] : [])]
        : [],
    ),
  );
  return {
    context: (values.context ?? []).map(String),
    others: args.filter((_, index) => !taken.has(index)),
  };
}

/**
 * Has the canary run every minute until the deployment has ended: its schedule does so once in the five minutes that new
 * versions get a tenth of the requests.
 */
async function runCanaryUntil(
  deployment: Promise<number>,
  canary: Canary,
  { pause, say }: Tools,
): Promise<void> {
  const ended = deployment.then(() => 'ended' as const);
  while ((await Promise.race([ended, pause(60_000)])) !== 'ended') {
    const run = canary
      .test(() => undefined)
      .then(
        (result) =>
          result.passed ? undefined : say(`While this is deployed, the canary fails: ${result.reason}`),
        (error: unknown) => say(cannotRun(error)),
      );
    await Promise.race([ended, run]);
  }
}

const cannotRun = (error: unknown): string =>
  `The canary cannot run: ${error instanceof Error ? error.message : String(error)}`;

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
    say(cannotRun(error));
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
