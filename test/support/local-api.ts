import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetObjectCommand, ListBucketsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { agent, associationOf, license, product } from './import-lines.ts';

/** Where the e2e project's setup has the local run answer; its variables reach every suite. */
const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: the e2e setup has not run.`);
  return value;
};

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Address the call seems to come from. */
  readonly from?: string;
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Calls the API over HTTP. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Called> {
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const query = options.query === undefined ? '' : `?${new URLSearchParams(options.query)}`;
  const response = await fetch(`${setting('TEST_BASE_URL')}${path}${query}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.from === undefined ? {} : { 'x-local-source-ip': options.from }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? parsed(text) : {} };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`Not a JSON object: ${text}`);
  return { ...value };
}

/** An operator's access to the local run's AWS. */
const operator = () => ({
  endpoint: setting('TEST_AWS_ENDPOINT'),
  region: 'us-east-1',
  credentials: { accessKeyId: setting('TEST_OPERATOR_KEY'), secretAccessKey: 'local' },
});

const operatorOfObjects = () => new S3Client({ ...operator(), forcePathStyle: true });

/** The name of the bucket of files. */
export async function filesBucket(): Promise<string> {
  const { Buckets = [] } = await operatorOfObjects().send(new ListBucketsCommand({}));
  return String(Buckets.find(({ Name }) => Name?.includes('files'))?.Name);
}

/** An object as AWS's own client reads it, past the API; undefined when no key begins so. */
export async function storedObject(prefix: string): Promise<Buffer | undefined> {
  const client = operatorOfObjects();
  const Bucket = await filesBucket();
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
  const Key = Contents[0]?.Key;
  if (Key === undefined) return undefined;
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

/** An operator's client of the local run's Secrets Manager. */
export const secretsClient = (): SecretsManagerClient => new SecretsManagerClient(operator());

export const signingSecretId = 'insurance-compliance-local-signing-secret';

/** Rotates the secret that signs access tokens, as its schedule does every 90 days. */
export async function rotateSigningSecret(): Promise<void> {
  await secretsClient().send(new RotateSecretCommand({ SecretId: signingSecretId }));
}

/** Calls a function as an operator may, or a schedule does. */
export async function invoke(name: string, payload: object): Promise<Readonly<Record<string, unknown>>> {
  const { Payload } = await new LambdaClient(operator()).send(
    new InvokeCommand({
      FunctionName: `insurance-compliance-local-${name}`,
      Payload: Buffer.from(JSON.stringify(payload)),
    }),
  );
  return parsed(Buffer.from(Payload ?? []).toString('utf8'));
}

/** An operator command's answer: `{ok: true, result}` or `{ok: false, error}`. An import has a function of its own. */
export const adminAnswer = (command: string, input: object): Promise<Readonly<Record<string, unknown>>> =>
  command === 'import' ? invoke('import', input) : invoke('admin', { command, input });

/** Runs an operator command that must succeed; its result's members are strings where the caller names them so. */
export async function admin(command: string, input: object): Promise<Readonly<Record<string, string>>> {
  const answer = await adminAnswer(command, input);
  assert.equal(answer['ok'], true, JSON.stringify(answer));
  return answer['result'] as Readonly<Record<string, string>>;
}

/** Imports records, an organization's or everybody's; answers what became of them. */
export const importOutcome = (
  organizationId: string | undefined,
  records: readonly object[],
  options: { readonly emitEvents?: boolean; readonly firstLine?: number } = {},
): Promise<Readonly<Record<string, unknown>>> =>
  admin('import', {
    organizationId,
    firstLine: 1,
    lines: records.map((record) => JSON.stringify(record)),
    ...options,
  });

/** Imports records that must all be taken in. */
export async function importRecords(
  organizationId: string | undefined,
  ...records: readonly object[]
): Promise<void> {
  const { imported, rejected } = await importOutcome(organizationId, records);
  assert.deepEqual({ imported, rejected }, { imported: records.length, rejected: [] });
}

/** An organization created for a test, with both of its credentials. */
export interface Organization {
  readonly organizationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly restrictedToken: string;
  readonly tokenId: string;
  /** Header of a bearer token that was exchanged for it. */
  readonly bearer: Readonly<Record<string, string>>;
  readonly token: Readonly<Record<string, string>>;
}

/** Address that tests' restricted tokens admit. */
export const officeAddress = '198.51.100.7';

export async function newOrganization(
  category: string,
  settings: { readonly features?: readonly string[]; readonly subscription?: 'active' | 'inactive' } = {},
): Promise<Organization> {
  const { organizationId = '' } = await admin('create-organization', { name: 'Test', category, ...settings });
  const named = { organizationId, name: 'Test' };
  const [{ clientId = '', clientSecret = '' }, { tokenId = '', token = '' }] = await Promise.all([
    admin('create-api-client', named),
    admin('create-restricted-access-token', { ...named, ipAddresses: [officeAddress] }),
  ]);
  const bearer = await exchange(clientId, clientSecret);
  return {
    organizationId,
    clientId,
    clientSecret,
    restrictedToken: token,
    tokenId,
    bearer: { authorization: `Bearer ${bearer}` },
    token: { 'x-restricted-access-token': token },
  };
}

/** An organization of each category. */
export const newOrganizations = <Categories extends string[]>(...categories: Categories) =>
  Promise.all(categories.map((category) => newOrganization(category))) as Promise<{
    [Index in keyof Categories]: Organization;
  }>;

/** A carrier whose agent sells general liability in Texas for the agency of this NPN, as the quickstart's rehearsal has it. */
export async function newSellingCarrier(): Promise<Organization & { readonly agencyNpn: string }> {
  const carrier = await newOrganization('upstreamEntity');
  const associationId = randomBytes(12).toString('hex');
  const agencyNpn = String(randomInt(1_000_000_000, 2_000_000_000));
  await importRecords(
    carrier.organizationId,
    associationOf(associationId, { legalName: 'Lone Star Brokerage', npn: agencyNpn }),
    agent({ downstreamEntityAssociationIds: [associationId] }),
    license({ npn: agencyNpn }),
    product(randomBytes(12).toString('hex'), {
      productName: 'Commercial General Liability',
      productCode: 'CGL',
      states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }],
    }),
  );
  return { ...carrier, agencyNpn };
}

/** Exchanges client credentials for an access token. */
export async function exchange(clientId: string, clientSecret: string): Promise<string> {
  const { status, json } = await call('POST', '/v2/auth/jwt', { body: { clientId, clientSecret } });
  assert.equal(status, 201);
  return (json['data'] as { readonly accessToken: string }).accessToken;
}

/** Matches an error body (OpenAPI, "Errors"). */
export const errorShape = (statusCode: number, errorType: string, more: object = {}): object => ({
  statusCode,
  errorType,
  requestId: expect.stringMatching(/^local-[0-9a-f-]{36}$/),
  errorMessage: [expect.any(String)],
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  ...more,
});
