// Starts and connects the parts of the local run, a folder each. The first line of a folder's main file describes it:
// gateway, functions/fleet, template, aws/endpoint, triggers/event-sources, demo, and engines/dynamodb-local.

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../environments.ts';
import { dynamodbService } from './aws/dynamodb-service.ts';
import { type AwsMiddleware, createAwsEndpoint } from './aws/endpoint.ts';
import { kmsService } from './aws/kms-service.ts';
import { lambdaService } from './aws/lambda-service.ts';
import { bucketDenials, type Grant, type Statement } from './aws/policy-evaluation.ts';
import { createMalwareScans, type ScanDuration, s3Service } from './aws/s3-service.ts';
import { secretsManager } from './aws/secrets-manager.ts';
import { type Access, secretAccessKey } from './aws/service.ts';
import { sqsService } from './aws/sqs-service.ts';
import { type Demo, seedDemo } from './demo/demo.ts';
import { createPages, createWebhookReceiver, type ReceivedWebhook } from './demo/receiver.ts';
import { createTables, type DynamoDbLocal, freePort, startDynamoDbLocal } from './engines/dynamodb-local.ts';
import {
  corsRulesOf,
  createQueuesAndBuckets,
  type Fauxqs,
  startFauxqs,
} from './engines/queues-and-buckets.ts';
import { createFleet, newAccessKey } from './functions/fleet.ts';
import { openFunctionLog } from './functions/instance.ts';
import { createGateway, readApi } from './gateway/gateway.ts';
import { type Listener, openListener } from './listener.ts';
import { synthesize } from './template/synthesize.ts';
import { createEventBuses, eventBridgeService } from './triggers/event-bus.ts';
import { startEventSources } from './triggers/event-sources.ts';
import { startSchedules } from './triggers/schedules.ts';

/** Parts of the run that AWS middleware uses. */
export interface RunParts {
  /** An operator's access to the AWS endpoint. */
  readonly operator: Access;
  /** The database itself, without the permission check. */
  readonly dynamo: Access;
  /** Ends the instance in which a function runs. */
  crash(functionName: string): Promise<void>;
}

interface LocalRunOptions {
  /** Listener of the gateway; by default on a free port. */
  readonly listener?: Listener;
  /** Whether to seed the demo organizations. */
  readonly seed?: boolean;
  /** Changes the roles of functions, so that a test can see a denial. */
  readonly statementsFor?: (functionName: string, statements: readonly Statement[]) => readonly Statement[];
  /** Called with every grant that a call needs. */
  readonly onGrantUsed?: (functionName: string, grant: Grant) => void;
  /** Changes of the environment `local`, which reserves no concurrency, say. */
  readonly environment?: Partial<Environment>;
  /** Engines with what they hold, which outlive the run; by default new ones. */
  readonly engines?: {
    readonly dynamoDbLocal?: Pick<DynamoDbLocal, 'access' | 'ended'> | undefined;
    readonly fauxqs?: Fauxqs;
  };
  /** Surrounds every AWS call, so that a test can make it fail as in AWS. */
  readonly awsMiddleware?: (parts: RunParts) => AwsMiddleware;
  /** Duration of a file's scan; by default none. The demo's are there when the run is. */
  readonly scanDuration?: ScanDuration;
  /** Path of another bundle in which functions run, so that a test can change their clock. */
  readonly workerBundle?: string;
  /** Clock of Secrets Manager, in Unix milliseconds. */
  readonly now?: () => number;
  readonly logDirectory: string;
  /** Called with every webhook request to the demo's receiver. */
  readonly onWebhook?: (webhook: ReceivedWebhook) => void;
  /** Called with every error that is logged; writes to stderr by default. */
  readonly onError?: (line: string) => void;
}

export interface LocalRun {
  readonly baseUrl: string;
  /** The database itself, without the permission check. */
  readonly dynamo: Access;
  /** An operator's access to the AWS endpoint, with all permissions. */
  readonly operator: Access;
  readonly demo: Demo | undefined;
  /** Invokes a function by the name of its folder. */
  invoke(functionName: string, payload: unknown): Promise<unknown>;
  /** Statements of the functions' roles. */
  readonly statements: ReadonlyMap<string, readonly Statement[]>;
  /** Access keys of the functions: each may do what the role of its function allows. */
  readonly accessKeyIds: ReadonlyMap<string, string>;
  /** Stages of event processing, each of which tells whether nothing waits or is processed there; delayed messages do not count. */
  readonly stages: readonly { readonly idle: () => Promise<boolean> }[];
  /** Invokes the target of a schedule now, by its name without the environment prefix, and returns the result. */
  fireSchedule(name: string): Promise<unknown>;
  /** Resolves when an engine ended, and the data with it, to a description of the end; after `stop`, too. */
  readonly engineEnded: Promise<string>;
  stop(): Promise<void>;
}

/** Factor of the time limits of functions and the gateway: the machine may be slow, and busy with much else. */
const timeoutFactor = 10;

const workerBundle = join('dist', 'infra', 'local', 'functions', 'worker.mjs');

/** Whether an action changes a table, so that its stream may have new records. */
const writes = (action: string): boolean =>
  /^dynamodb:(PutItem|UpdateItem|DeleteItem|BatchWriteItem|PartiQLUpdate)$/.test(action);

/**
 * Resources that a run has to close, in reverse order, also while it starts.
 * @param onStep called when a step of the start is done.
 */
export function lifecycle(onStep: (step: string) => void = () => undefined) {
  const resources = new AsyncDisposableStack();
  let stopping: Promise<void> | undefined;
  return {
    /** Has this called at the end. */
    closing: (close: () => Promise<unknown>): void =>
      resources.defer(async () => {
        await close();
      }),
    async timed<Result>(step: string, work: Promise<Result>): Promise<Result> {
      const result = await work;
      if (stopping !== undefined) throw new Error('The run was stopped while it started.');
      onStep(step);
      return result;
    },
    /** An interruption and the start that it breaks off both stop the run: each waits until all is closed. */
    stop(): Promise<void> {
      stopping ??= resources.disposeAsync();
      return stopping;
    },
  };
}

type Lifecycle = ReturnType<typeof lifecycle>;

/** Engines start in parallel with the synthesis and are stopped even if the synthesis fails first. */
function startEngines({ engines }: LocalRunOptions, { closing, timed }: Lifecycle, port: number) {
  const untilClosed = <Engine extends { stop(): Promise<unknown> }>(
    name: string,
    starting: Promise<Engine>,
  ) => {
    closing(() => starting.then((engine) => engine.stop()).catch(() => {}));
    return timed(name, starting);
  };
  return Promise.all([
    engines?.dynamoDbLocal ?? untilClosed('DynamoDB Local', startDynamoDbLocal({ port })),
    engines?.fauxqs ?? untilClosed('queues and buckets', startFauxqs()),
  ]);
}

/** Starts everything in the synthesized templates of the environment `local`. */
export async function startLocalRun(options: LocalRunOptions, life = lifecycle()): Promise<LocalRun> {
  try {
    return await startServices(options, life);
  } catch (error) {
    await life.stop();
    throw error;
  }
}

async function startServices(options: LocalRunOptions, life: Lifecycle): Promise<LocalRun> {
  const { logDirectory, statementsFor, onGrantUsed = () => {} } = options;
  const { closing, timed, stop } = life;
  const gatewayListener = options.listener ?? (await openListener(0));
  closing(gatewayListener.close);
  const awsListener = await openListener(0);
  closing(awsListener.close);
  const awsEndpoint = awsListener.address;

  const addresses = { address: gatewayListener.address, awsEndpoint };
  // The synthesis keeps this thread busy for seconds: the engine is under way before.
  const enginePort = await freePort();
  const assembly = await mkdtemp(join(tmpdir(), 'insurance-compliance-'));
  const synthesis = timed('synthesis', synthesize(assembly, addresses, options.environment));
  // A synthesis that is still under way would write the folder again.
  closing(() => synthesis.catch(() => {}).then(() => rm(assembly, { recursive: true, force: true })));
  // An engine that cannot start ends the start here, before any function is loaded.
  const [deployment, [engine, fauxqs]] = await Promise.all([
    synthesis,
    startEngines(options, life, enginePort),
  ]);
  const api = readApi(deployment);
  // A copy, like that of the functions' code, so that a later build does not affect this run.
  const bootstrap = join(assembly, 'worker.mjs');
  await copyFile(options.workerBundle ?? workerBundle, bootstrap);

  const onError = options.onError ?? ((line) => void process.stderr.write(`${line}\n`));
  const gatewayLog = openFunctionLog(logDirectory, 'gateway', onError);
  closing(gatewayLog.close);
  const logging = { logDirectory, onError };
  const fleet = createFleet(deployment, { awsEndpoint, bootstrap, statementsFor, timeoutFactor, ...logging });
  closing(fleet.stop);

  const queues = deployment.ofType('AWS::SQS::Queue');
  const buckets = deployment.ofType('AWS::S3::Bucket');
  let isSeeding = options.seed === true;
  const scans = createMalwareScans(deployment.ofType('AWS::GuardDuty::MalwareProtectionPlan'), (bytes) =>
    isSeeding ? 0 : (options.scanDuration?.(bytes) ?? 0),
  );

  const operator = { endpoint: awsEndpoint, accessKeyId: newAccessKey() };
  const buses = createEventBuses(deployment, { operator, onFault: onError });
  const dynamo = engine.access;
  let wake = (_tableArn: string): void => {};
  const aws = createAwsEndpoint({
    callers: new Map([
      ...fleet.callers,
      [operator.accessKeyId, { name: 'operator', statements: 'everything' }],
    ]),
    services: {
      dynamodb: dynamodbService(dynamo),
      events: eventBridgeService(buses),
      kms: kmsService(deployment.ofType('AWS::KMS::Key')),
      lambda: lambdaService(fleet.all),
      secretsmanager: secretsManager(deployment, fleet.byArn, options.now ?? Date.now),
      sqs: sqsService(fauxqs.port),
      s3: s3Service({ port: fauxqs.port, secretAccessKey, corsRules: corsRulesOf(buckets), scans }),
    },
    denials: bucketDenials(deployment),
    onRefusal: ({ name }, message) => fleet.report(name, message),
    onGrantUsed: ({ name }, grant) => onGrantUsed(name, grant),
    onAnswer: (accesses) => {
      for (const { action, resource } of accesses) if (writes(action)) wake(resource);
    },
    middleware: options.awsMiddleware?.({
      operator,
      dynamo,
      crash: (name) => fleet.named(name).crash(),
    }),
  });
  awsListener.serve(aws);
  const tables = deployment.ofType('AWS::DynamoDB::GlobalTable');
  await timed('tables', createTables(tables, dynamo));
  await createQueuesAndBuckets({ queues, buckets }, operator);
  const eventSources = await timed(
    'event sources',
    startEventSources({ deployment, fleet, awsEndpoint, onGrantUsed }),
  );
  closing(eventSources.stop);
  wake = eventSources.wake;
  const schedules = startSchedules(deployment, fleet);
  closing(schedules.stop);

  let demo: Demo | undefined;
  const gateway = createGateway({
    ...api,
    functionByArn: fleet.byArn,
    timeoutFactor,
    onFault: (message) => gatewayLog.error(message),
  });
  const receiver = createWebhookReceiver(options.onWebhook ?? (() => {}));
  const pages = createPages(() => demo, receiver);
  gatewayListener.serve(async (request, response) => {
    if (!pages(request, response)) await gateway(request, response);
  });
  // The gateway closes first, so that no request is handled by a run that is partly stopped.
  closing(gatewayListener.close);

  const invoke = (functionName: string, payload: unknown): Promise<unknown> =>
    fleet.named(functionName).invoke(payload);
  if (options.seed === true) {
    demo = await timed('demo data', seedDemo({ invoke, baseUrl: gatewayListener.address, receiver }));
  }
  isSeeding = false;
  return {
    baseUrl: gatewayListener.address,
    dynamo,
    operator,
    demo,
    invoke,
    statements: fleet.statements,
    accessKeyIds: fleet.accessKeyIds,
    stages: [eventSources, buses, schedules],
    fireSchedule: (name) => schedules.fire(name),
    engineEnded: Promise.race([engine.ended, fauxqs.ended]),
    stop,
  };
}
