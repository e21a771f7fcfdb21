import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type CanaryClient, canaryResult } from '../functions/canary/function.ts';
import { type InvokeFunction, resultOf } from './admin/functions.ts';

interface SmokeTest {
  readonly invoke: InvokeFunction;
  readonly secrets: SecretsManagerClient;
  /** The canary's secret. */
  readonly secretId: string;
  readonly say: (line: string) => void;
}

const canaryRun = z.extend(canaryResult, { apiAddress: z.string() });

type CanaryRun = z.output<typeof canaryRun>;

const organization = z.object({ organizationId: z.string() });
const client = z.object({ clientId: z.string(), clientSecret: z.string() });
const document = z.object({ info: z.object({ version: z.string() }) });

/**
 * Has an environment's canary run, and says how it went and which release callers reach. In a new environment, and when the
 * canary's client was revoked, it makes a client and has the canary run once more.
 *
 * @returns whether the canary passed.
 * @throws Refusal for what the operator can mend, Error for a function that crashed, SDK errors.
 */
export async function smokeTest({ invoke, secrets, secretId, say }: SmokeTest): Promise<boolean> {
  const run = async (): Promise<CanaryRun> => {
    const result = z.parse(canaryRun, await invoke('canary', { task: 'check' }));
    say(lineOf(result));
    return result;
  };
  let result = await run();
  if (lacksClient(result)) {
    const SecretString = JSON.stringify(await makeClient(invoke));
    const VersionStages = ['AWSCURRENT'];
    await secrets.send(new PutSecretValueCommand({ SecretId: secretId, SecretString, VersionStages }));
    say('Made a client for the canary.');
    result = await run();
  }
  say(await liveRelease(result.apiAddress));
  return result.passed;
}

/** Whether there is no client yet, or it was revoked. */
const lacksClient = ({ passed, step, status }: CanaryRun): boolean =>
  !passed && (step === 'client' || (step === 'token' && status === 401));

/** Makes an API client of an organization that has nothing, and no more features than the canary's list requires. */
async function makeClient(invoke: InvokeFunction): Promise<CanaryClient> {
  const command = async (name: string, input: object) =>
    resultOf(await invoke('admin', { command: name, input }));
  const { organizationId } = z.parse(
    organization,
    await command('create-organization', {
      name: 'Canary',
      category: 'upstreamEntity',
      features: ['public_api', 'agencies'],
    }),
  );
  return z.parse(client, await command('create-api-client', { organizationId, name: 'Canary' }));
}

/** A run in a line: how it ended, how long it took, and where and why it failed. */
function lineOf({ passed, ms, step, reason, requestId }: CanaryRun): string {
  if (passed) return `The canary passed in ${ms} ms.`;
  const requestNote = requestId === undefined ? '' : ` (${requestId})`;
  return `The canary failed after ${ms} ms, at "${step}": ${reason}${requestNote}`;
}

/** Release that answers at this address, by the version of its OpenAPI document, and the status of its reference. */
async function liveRelease(apiAddress: string): Promise<string> {
  const get = (path: string) => fetch(apiAddress + path, { signal: AbortSignal.timeout(10_000) });
  try {
    const { version } = z.parse(document, await (await get('/v2/openapi.json')).json()).info;
    return `Live: ${version}, its reference at ${apiAddress}/docs: ${(await get('/docs')).status}`;
  } catch (error) {
    return `What is live cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
