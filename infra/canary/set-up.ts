// The canary of an environment: the organization that it uses, and a run of it on request.

import { GetFunctionUrlConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import {
  type Caller,
  CallFailure,
  type CanaryCredentials,
  createCaller,
  readCredentials,
} from '../../functions/canary/caller.ts';
import { dataOf, exchangeToken } from '../../functions/canary/check.ts';
import { type InvokeFunction, resultOf } from '../admin/functions.ts';
import {
  type DeployedEnvironmentName,
  type Environment,
  environments,
  resourceName,
} from '../environments.ts';

/** Where the canary's organization is made, and where its credentials are stored. */
export interface CanarySetup {
  /** Runs an operator's command, and returns its result. */
  readonly command: (name: string, input: object) => Promise<unknown>;
  readonly secrets: SecretsManagerClient;
  readonly secretId: string;
  /** The API's public address. */
  readonly apiAddress: string;
  /** Address of the canary's receiver. */
  readonly receiverAddress: string;
}

const organization = z.object({ organizationId: z.string() });

const client = z.object({ clientId: z.string(), clientSecret: z.string() });

const created = z.object({ _id: z.string() });

const createdWebhook = z.object({ _id: z.string(), secret: z.string() });

const webhook = z.object({ url: z.string(), isActive: z.boolean() });

/**
 * Makes the canary's organization, client, association, and webhook, unless its secret has credentials that the API
 * accepts. It has no more features than it uses, and its agency is known to nobody else: it has no NPN, and no EIN.
 *
 * A webhook that points elsewhere, or that the service disabled because its receiver was away, is changed back.
 *
 * @throws CallFailure, SDK errors. What was made by then is left behind: an organization without credentials.
 */
export async function setUpCanary(setup: CanarySetup): Promise<'kept' | 'made'> {
  const call = createCaller(setup.apiAddress);
  const stored = await readCredentials(setup.secrets, setup.secretId);
  const token = stored === undefined ? undefined : await tokenOf(call, stored);
  if (stored !== undefined && token !== undefined) {
    await mendWebhook(call, token, stored, setup.receiverAddress);
    return 'kept';
  }
  const credentials = await make(call, setup);
  await setup.secrets.send(
    new PutSecretValueCommand({
      SecretId: setup.secretId,
      SecretString: JSON.stringify(credentials),
      VersionStages: ['AWSCURRENT'],
    }),
  );
  return 'made';
}

/** A token for the stored credentials; undefined if the client was revoked, or lost with its table. */
async function tokenOf(call: Caller, credentials: CanaryCredentials): Promise<string | undefined> {
  try {
    return (await exchangeToken(call, credentials)).value;
  } catch (error) {
    if (error instanceof CallFailure && error.status === 401) return undefined;
    throw error;
  }
}

async function mendWebhook(
  call: Caller,
  token: string,
  { webhookId }: CanaryCredentials,
  url: string,
): Promise<void> {
  const path = `/v2/upstream/webhooks/${webhookId}`;
  const found = dataOf(await call('GET', path, { token }), webhook);
  if (found.url === url && found.isActive) return;
  await call('PATCH', path, { token, body: { url, isActive: true } });
}

async function make(call: Caller, { command, receiverAddress }: CanarySetup): Promise<CanaryCredentials> {
  const { organizationId } = organization.parse(
    await command('create-organization', {
      name: 'Canary',
      category: 'upstreamEntity',
      features: ['public_api', 'agencies', 'webhook_settings'],
      planCeiling: 1,
    }),
  );
  const named = await command('create-api-client', { organizationId, name: 'Canary' });
  const { clientId, clientSecret } = client.parse(named);
  const { value: token } = await exchangeToken(call, { clientId, clientSecret });
  const [association, receiver] = await Promise.all([
    call('POST', '/v2/upstream/downstream-entity-associations/add', {
      token,
      body: {
        downstreamEntityName: 'Canary',
        firstName: 'Canary',
        lastName: 'Canary',
        // A reserved domain (RFC 2606): nobody gets its mail.
        email: 'canary@example.com',
        category: 'agency',
        isNpnRequired: false,
      },
    }),
    call('POST', '/v2/upstream/webhooks', {
      token,
      body: { url: receiverAddress, types: ['DOWNSTREAM_ENTITY_UPDATED'] },
    }),
  ]);
  const { _id: webhookId, secret: webhookSecret } = dataOf(receiver, createdWebhook);
  const { _id: downstreamEntityAssociationId } = dataOf(association, created);
  return { clientId, clientSecret, downstreamEntityAssociationId, webhookId, webhookSecret };
}

interface Deployed {
  readonly environment: DeployedEnvironmentName;
  readonly invoke: InvokeFunction;
  /** The API's public address. */
  readonly apiAddress: string;
}

/** Sets up the canary of an environment in AWS, with the operator's own permissions; see `setUpCanary`. */
export async function setUpDeployed({ environment, invoke, apiAddress }: Deployed): Promise<'kept' | 'made'> {
  const { region }: Environment = environments[environment];
  const config = region === undefined ? {} : { region };
  const receiver = new GetFunctionUrlConfigCommand({
    FunctionName: resourceName(environment, 'canary-receiver'),
  });
  const { FunctionUrl = '' } = await new LambdaClient(config).send(receiver);
  return setUpCanary({
    command: async (command, input) => resultOf(await invoke('admin', { command, input })),
    secrets: new SecretsManagerClient(config),
    secretId: resourceName(environment, 'canary'),
    apiAddress,
    receiverAddress: FunctionUrl,
  });
}

const stepResult = z.object({
  step: z.string(),
  status: z.optional(z.int()),
  ms: z.number(),
  reason: z.optional(z.string()),
  requestId: z.optional(z.string()),
});

const canaryResult = z.object({ passed: z.boolean(), steps: z.array(stepResult), apiAddress: z.string() });

const document = z.object({ info: z.object({ version: z.string() }) });

type StepResult = z.output<typeof stepResult>;

interface SmokeTest {
  readonly invoke: InvokeFunction;
  /** Makes or mends what the canary needs, for the API at this address. */
  readonly setUp: (apiAddress: string) => Promise<'kept' | 'made'>;
  readonly say: (line: string) => void;
}

/** A step in a line: its name, the status of its response, what a caller felt, and why it failed. */
function lineOf({ step, status, ms, reason, requestId }: StepResult): string {
  const felt = `  ${step.padEnd(12)}${String(status ?? '').padEnd(5)}${String(ms).padStart(6)} ms`;
  const named = requestId === undefined ? '' : ` (${requestId})`;
  return reason === undefined ? felt : `${felt}  ${reason}${named}`;
}

/**
 * Has an environment's canary run, and says what each step felt like and which release callers reach. After a failure the
 * canary is set up, as it has to be once in each environment, and runs again.
 *
 * @returns whether callers can do what the canary does.
 * @throws Refusal for what the operator can mend, Error for a function that crashed.
 */
export async function smokeTest({ invoke, setUp, say }: SmokeTest): Promise<boolean> {
  const run = async () => {
    const result = z.parse(canaryResult, await invoke('canary', { task: 'check' }));
    for (const step of result.steps) say(lineOf(step));
    return result;
  };
  let { passed, apiAddress } = await run();
  if (!passed) {
    const made = await setUp(apiAddress).catch((error: unknown) => {
      say(`The canary cannot be set up: ${messageOf(error)}`);
    });
    if (made === 'made') say('Made the organization, client, and webhook of the canary.');
    say('The canary runs once more.');
    ({ passed, apiAddress } = await run());
  }
  say(`The canary ${passed ? 'passed' : 'failed'}. ${await liveRelease(apiAddress)}`);
  return passed;
}

/** Which release answers at this address, as the version of its OpenAPI document says, and how its reference answers. */
async function liveRelease(apiAddress: string): Promise<string> {
  const get = (path: string) => fetch(apiAddress + path, { signal: AbortSignal.timeout(10_000) });
  try {
    const { version } = z.parse(document, await (await get('/v2/openapi.json')).json()).info;
    return `Live: ${version}, its reference at ${apiAddress}/docs: ${(await get('/docs')).status}`;
  } catch (error) {
    return `What is live cannot be read: ${messageOf(error)}`;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
