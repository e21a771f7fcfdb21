// Invokes the functions for operators, of the local run or of an environment in AWS.
import { readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod/mini';
import { lazily } from '#platform/contract/lazily.ts';
import { type Environment, type EnvironmentName, environments, resourceName } from '../environments.ts';
import { defaultPort, findRun, type RunDescription, runDirectory } from '../local/run-directory.ts';
import { accountId } from '../local/template/template.ts';
import { Refusal } from '../operator-tool.ts';

const refusal = z.object({
  errorType: z.string(),
  errorMessage: z.array(z.string()),
  details: z.optional(z.record(z.string(), z.unknown())),
});

const answer = z.union([
  z.object({ ok: z.literal(true), result: z.record(z.string(), z.unknown()) }),
  z.object({ ok: z.literal(false), error: refusal }),
]);

/** A command that its function refused. */
export class RefusedCommand extends Refusal {
  /** Why, as the function says it. */
  readonly refusal: z.output<typeof refusal>;

  constructor(given: z.output<typeof refusal>) {
    super(given.errorMessage.join(' '));
    this.refusal = given;
  }
}

/** What a function for operators did. @throws RefusedCommand when it refused. */
export function resultOf(given: unknown): Readonly<Record<string, unknown>> {
  const parsed = z.parse(answer, given);
  if (parsed.ok) return parsed.result;
  throw new RefusedCommand(parsed.error);
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

/** What a command of the import answers call by call: each goes on after the `next` of the answer before, until there is none. */
export async function* answersOf(invoke: Invoke, command: string, input: object) {
  for (let from = {}; ; ) {
    const answer = await invoke('import', { command, input: { ...input, ...from } });
    yield answer;
    const { next: after } = answer;
    if (after === undefined) return;
    from = { after };
  }
}

const noLocalRun =
  'The local run is not running: start it with "npm start", or choose an environment with --environment.';

/**
 * The run that PORT or LOCAL_DIRECTORY name; without them the run on the default port, or else the only run.
 * @throws Refusal if there is none, or if there are several on other ports.
 */
async function findLocalRun(): Promise<RunDescription> {
  const { PORT: port, LOCAL_DIRECTORY: directory } = process.env;
  const named = await findRun(runDirectory(Number(port ?? defaultPort)));
  if (named !== undefined) return named;
  if (port !== undefined || directory !== undefined) throw new Refusal(noLocalRun);
  const folders = await readdir(runDirectory(defaultPort).path).catch(() => []);
  const ports = folders.filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(ports.map((name) => findRun(runDirectory(Number(name)))));
  const running = ports.filter((_, index) => found[index] !== undefined);
  if (running.length > 1) {
    throw new Refusal(`Several local runs are running: choose one with PORT=${running.join(' or PORT=')}.`);
  }
  const [only] = found.filter((one) => one !== undefined);
  if (only === undefined) throw new Refusal(noLocalRun);
  return only;
}

/** What the clients of an environment's services have in common. */
interface ClientConfig {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Settings of an operator's clients of an environment's services. @throws Refusal without a local run. */
export async function clientOf(environment: EnvironmentName): Promise<ClientConfig> {
  if (environment === 'local') {
    const run = await findLocalRun();
    const credentials = { accessKeyId: run.accessKeyId, secretAccessKey: 'local' };
    return { endpoint: run.awsEndpoint, region: 'us-east-1', credentials };
  }
  // The region of the environment's entry, or else the shell's.
  const { region }: Environment = environments[environment];
  return region === undefined ? {} : { region };
}

const noCredentials =
  'There are no AWS credentials, or they have expired: sign in (for example "aws sso login"), or set AWS_PROFILE.';

/** What an operator does about an error of which the SDK's own message does not say it, by the error's name. */
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
async function callerOf(environment: EnvironmentName, config: ClientConfig): Promise<string | undefined> {
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
