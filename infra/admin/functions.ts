// Invokes the functions for operators, of the local run or of an environment in AWS.
import { userInfo } from 'node:os';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod/mini';
import { lazily } from '#platform/contract/lazily.ts';
import { operatorAnswer, type operatorRefusal } from '../../functions/admin/invoke.ts';
import { type Environment, type EnvironmentName, environments, resourceName } from '../environments.ts';
import { type Access, clientSettings } from '../local/aws/service.ts';
import { defaultPort, findRun, runDirectory } from '../local/run-directory.ts';
import { accountId } from '../local/template/template.ts';
import { Refusal } from '../operator-tool.ts';

type OperatorRefusal = z.output<typeof operatorRefusal>;

/** A command that its function refused. */
export class RefusedCommand extends Refusal {
  /** Why, as the function says it. */
  readonly refusal: OperatorRefusal;

  constructor(refusal: OperatorRefusal) {
    super(refusal.errorMessage.join(' '));
    this.refusal = refusal;
  }
}

/** The result of a function for operators. @throws RefusedCommand when it refused. */
export function resultOf(payload: unknown): Readonly<Record<string, unknown>> {
  const answer = z.parse(operatorAnswer, payload);
  if (answer.ok) return answer.result;
  throw new RefusedCommand(answer.error);
}

/**
 * Invokes a function by the name of its folder, and returns what it answers.
 * @throws Refusal for what the operator can mend, such as expired credentials.
 */
export type InvokeFunction = (functionName: string, payload: object) => Promise<unknown>;

/**
 * Invokes one of the functions for operators.
 * @throws RefusedCommand when it refuses; Refusal for what the operator can mend, such as expired credentials.
 */
export type Invoke = (
  functionName: 'admin' | 'import',
  payload: object,
) => Promise<Readonly<Record<string, unknown>>>;

const noLocalRun =
  'The local run is not running: start it with "npm start", name another port with PORT, or choose an environment with --environment.';

/** The run that PORT or LOCAL_DIRECTORY name, else the one on the default port. @throws Refusal if there is none. */
async function findLocalRun(): Promise<Access> {
  const run = await findRun(runDirectory(Number(process.env['PORT'] ?? defaultPort)));
  if (run === undefined) throw new Refusal(noLocalRun);
  return run;
}

/** Settings of an operator's clients of an environment's services. @throws Refusal without a local run. */
export async function clientOf(environment: EnvironmentName) {
  if (environment === 'local') return clientSettings(await findLocalRun());
  // The region of the environment's entry, or else the shell's.
  const { region }: Environment = environments[environment];
  return region === undefined ? {} : { region };
}

const noCredentials =
  'There are no AWS credentials, or they have expired: sign in (for example "aws sso login"), or set AWS_PROFILE.';

/** Advice to the operator about errors whose message in the SDK does not give it, by the error's name. */
const advice: Readonly<Record<string, (environment: EnvironmentName, functionName: string) => string>> = {
  CredentialsProviderError: () => noCredentials,
  TokenProviderError: () => noCredentials,
  ExpiredTokenException: () => noCredentials,
  ResourceNotFoundException: (environment, functionName) =>
    `There is no function ${resourceName(environment, functionName)} in this account and region: deploy ${environment} first ("npx cdk deploy --all -c environment=${environment}"), or choose another AWS_PROFILE or AWS_REGION.`,
};

const connectionCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ECONNRESET'];

/** The error with which a command ends when an invocation failed: a sentence of its own where the operator can mend it. */
function failureOf(error: unknown, environment: EnvironmentName, functionName: string): unknown {
  if (!(error instanceof Error)) return error;
  const sentence = advice[error.name]?.(environment, functionName);
  if (sentence !== undefined) return new Refusal(sentence);
  if ('code' in error && typeof error.code === 'string' && connectionCodes.includes(error.code)) {
    if (environment === 'local') return new Refusal(noLocalRun);
    return new Refusal(`AWS Lambda cannot be reached (${error.code}): check the region and the network.`);
  }
  return error;
}

/** Invokes the functions for operators of an environment. */
export function functionsOf(environment: EnvironmentName): Invoke {
  // A command that calls nothing needs no environment.
  const invoker = lazily(() => invokerOf(environment));
  return async (functionName, payload) => resultOf(await (await invoker())(functionName, payload));
}

/** The ARN of who runs this program, for the log of the function: AWS does not tell it who calls. */
async function callerOf(
  environment: EnvironmentName,
  config: Awaited<ReturnType<typeof clientOf>>,
): Promise<string | undefined> {
  if (environment === 'local') return `arn:aws:iam::${accountId}:user/${userInfo().username}`;
  const client = new STSClient({ maxAttempts: 1, ...config });
  // What is wrong with the credentials, the invocation says better; CloudTrail records who calls in any case.
  const identity = await client.send(new GetCallerIdentityCommand({})).catch(() => undefined);
  return identity?.Arn;
}

/** Invokes the functions of an environment. Invocations are not retried, because a failed one may have made its changes. */
export async function invokerOf(environment: EnvironmentName): Promise<InvokeFunction> {
  const config = await clientOf(environment);
  const client = new LambdaClient({ maxAttempts: 1, ...config });
  const context = JSON.stringify({ custom: { caller: await callerOf(environment, config) } });
  return async (functionName, payload) => {
    const invocation = new InvokeCommand({
      FunctionName: resourceName(environment, functionName),
      ClientContext: Buffer.from(context).toString('base64'),
      Payload: JSON.stringify(payload),
    });
    const result = await client.send(invocation).catch((error: unknown) => {
      throw failureOf(error, environment, functionName);
    });
    const text = Buffer.from(result.Payload ?? []).toString('utf8');
    if (result.FunctionError !== undefined) {
      throw new Error(`The ${functionName} function failed: ${text}`);
    }
    return JSON.parse(text) as unknown;
  };
}
