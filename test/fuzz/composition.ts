import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline as pipe } from 'node:stream/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { createSimulator } from '#domain/registry/simulator.ts';
import { tables as designs, registryRecordsTable, tablesOf } from '#domain/tables.ts';
import type { FunctionContext } from '#platform/config/context.ts';
import { tableOf } from '#platform/data/table.ts';
import type { Log, LogFields } from '#platform/log/log.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';
import { authorizerFunction } from '../../functions/authorizer/function.ts';
import { accessMap, apiFunctionUses, routeGroups } from '../../infra/function-uses.ts';
import type { LocalFunction } from '../../infra/local/functions/local-function.ts';
import { readGatewayDefinition } from '../../infra/local/gateway/definition.ts';
import { createGateway } from '../../infra/local/gateway/gateway.ts';
import { gatewayDefinition } from '../../infra/openapi/gateway-definition.ts';
import { keepObjectsInMemory } from '../support/answer-objects.ts';
import { lambdaContext } from '../support/api-event.ts';
import { memoryDataKeys } from '../support/data-keys.ts';
import { linkSecret } from '../support/link-secret.ts';
import { memoryObjectStore } from '../support/memory-object-store.ts';
import { memorySignatureKeys } from '../support/signature-keys.ts';
import { createTables, dynamo } from '../support/tables.ts';

const withError = (fields: LogFields): object => {
  const { error, ...rest } = fields as LogFields & { readonly error?: unknown };
  if (!(error instanceof Error)) return fields;
  const { name, message, stack, cause } = error;
  return { ...rest, error: { name, message, stack, cause: String(cause) } };
};

/** Every function of the API in this process, behind the gateway of the local run, over DynamoDB Local. */
export async function composeApi(options: {
  readonly now: () => Date;
  /** Receives each line of a function's log as it would be written. */
  readonly onLog: (line: string) => void;
  readonly onFault: (message: string) => void;
}) {
  const tables = await createTables(designs);
  const write = (level: string) => (message: string, fields: LogFields) =>
    options.onLog(JSON.stringify({ level, message, ...withError(fields) }));
  const logger: Log = { info: write('INFO'), warn: write('WARN'), error: write('ERROR') };
  const context: FunctionContext = {
    environment: 'local',
    responseCheck: 'refuse',
    logger,
    now: options.now,
  };
  const SecretString = randomBytes(64).toString('base64');
  mockClient(SecretsManagerClient)
    .on(GetSecretValueCommand)
    .resolves({ VersionId: 'version-1', SecretString, CreatedDate: new Date(0) });
  const secrets = new SecretsManagerClient({ region: 'us-east-1' });
  keepObjectsInMemory();
  const openApiDocument = join(mkdtempSync(join(tmpdir(), 'fuzz-')), 'openapi.json');
  writeFileSync(openApiDocument, JSON.stringify({ info: { contact: {} } }));
  const signingSecretArn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:signing';
  /** What any function of the API is composed of; each takes what it needs. */
  const everything = {
    dynamo,
    tables,
    context,
    secrets,
    objectStore: memoryObjectStore().store,
    registry: createSimulator(tableOf(registryRecordsTable, dynamo, tables.registryRecords), options.now),
    sendToRegistrySync: async () => undefined,
    send: async () => undefined,
    queues: { send: async () => undefined },
    dataKeys: memoryDataKeys(),
    receiptKeys: memorySignatureKeys(),
    linkSecret,
    signingSecretArn,
    openApiDocument,
    readFile: async (name: string) => (name === 'page.html' ? 'reference-AAAA2345.js' : ''),
    supportUrl: 'https://support.example.com',
    agencyAppUrl: 'https://agency.example.com',
    addressRules: { loopback: false },
  };
  const pipelines = new Map(apiFunctionUses.map(({ name }) => [name, pipelineOf(name, everything)] as const));
  const authorizer = authorizerFunction.compose({
    ...everything,
    tables: tablesOf(dynamo, tables),
    signingSecretArn,
    accessMap: accessMap(routeGroups),
  });

  /** A function of the gateway's that runs here. Its answer is what `lambdaHandler` streams, without compression. */
  const functionOf = (name: string): LocalFunction =>
    ({
      invoke: (event: unknown) => authorizer(event as APIGatewayRequestAuthorizerEvent),
      stream: (event: unknown) => answerOf(pipelines.get(name), event as APIGatewayProxyEvent, logger),
    }) as Partial<LocalFunction> as LocalFunction;

  const arn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
  const invocations = (name: string, suffix: string) =>
    `arn:aws:apigateway:us-east-1:lambda:path/2021-11-15/functions/${arn(name)}/${suffix}`;
  const definition = gatewayDefinition(routeGroups, {
    name: 'api',
    environment: 'local',
    stream: (group) => invocations(group, 'response-streaming-invocations'),
    fallback: 'not-found',
    authorizer: invocations('authorizer', 'invocations'),
  });
  const handler = createGateway({
    definition: readGatewayDefinition(JSON.parse(JSON.stringify(definition))),
    api: { apiId: 'api', stage: 'local' },
    functionByArn: (functionArn) => functionOf(functionArn.split(':').at(-1) ?? ''),
    onFault: options.onFault,
  });
  return { handler, tables, context };
}

/** What serves the routes of the function of a folder. */
function pipelineOf(name: string, composed: object): Pipeline {
  const exported: Readonly<Record<string, object>> = require(`../../functions/${name}/function.ts`);
  const made = Object.values(exported).find(
    (one): one is { compose(composed: object): Pipeline } => 'compose' in one,
  );
  if (made === undefined) throw new Error(`functions/${name}/function.ts exports no function.`);
  return made.compose(composed);
}

function answerOf(pipeline: Pipeline | undefined, event: APIGatewayProxyEvent, logger: Log): Readable {
  const out = new PassThrough();
  const answer = async () => {
    if (pipeline === undefined) throw new Error('There is no such function.');
    const { status, headers, body, logFields, close } = await pipeline(event, lambdaContext);
    out.write(JSON.stringify({ statusCode: status, headers }));
    out.write(Buffer.alloc(8));
    await pipe(typeof body === 'string' ? [body] : body, out).finally(close);
    logger.info('request', { event: 'request', ...logFields, status });
  };
  answer().catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))));
  return out;
}
