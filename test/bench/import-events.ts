import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { webhookTypes } from '../../shared/resources/webhook.ts';
import { startReceiver } from '../support/receiver.ts';
import { count, median, type Row } from './report.ts';

/** Events of the carrier whose events are timed in each round, and how far apart they are. */
const events = 40;
const pauseMs = 100;

/** Rounds, in each of which all kinds are timed in turn: what a busy machine adds to one of them leaves the median alone. */
const rounds = 3;

/**
 * Records a second of another carrier's import. An import as fast as it can saturates this machine's cores with its own writes,
 * which on AWS share nothing with its neighbors; at this rate it takes a part of them.
 */
const recordsPerSecond = 50;
const linesOfChunk = 10;

const runFile = z.object({ awsEndpoint: z.string(), accessKeyId: z.string() });
const demoFile = z.object({ baseUrl: z.string() });
const result = z.object({ ok: z.literal(true), result: z.record(z.string(), z.unknown()) });
const exchanged = z.object({ data: z.object({ accessToken: z.string() }) });
const received = z.object({ occurredAt: z.string(), upstreamEntityId: z.string() });

const readJson = async <Schema extends z.core.$ZodType>(schema: Schema, path: string) =>
  z.parse(schema, JSON.parse(await readFile(path, 'utf8')));

/** `npm start` in a directory of its own. */
async function startService() {
  const directory = await mkdtemp(join(tmpdir(), 'insurance-compliance-bench-'));
  const env = { ...process.env, PORT: '0', LOCAL_DIRECTORY: directory };
  const service = spawn(process.execPath, ['dist/infra/local/main.mjs'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    service.stdout.on('data', (chunk: Buffer) => String(chunk).includes('Ready after') && resolve());
    service.once('exit', () => reject(new Error('The service did not start.')));
  });
  const { baseUrl } = await readJson(demoFile, join(directory, 'demo.json'));
  const { awsEndpoint, accessKeyId } = await readJson(runFile, join(directory, 'run.json'));
  const lambda = new LambdaClient({
    endpoint: awsEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
  return {
    async call(path: string, body: object, token?: string): Promise<unknown> {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const headers = { 'content-type': 'application/json', ...authorization };
      const response = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path} responded with ${response.status}.`);
      return response.json();
    },
    async invoke(name: string, payload: object): Promise<unknown> {
      const FunctionName = `insurance-compliance-local-${name}`;
      const { Payload = [] } = await lambda.send(
        new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(payload)) }),
      );
      return JSON.parse(Buffer.from(Payload).toString('utf8'));
    },
    async stop(): Promise<void> {
      service.kill('SIGTERM');
      await new Promise((resolve) => service.once('exit', resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type Service = Awaited<ReturnType<typeof startService>>;

async function operate(service: Service, command: string, input: object): Promise<Record<string, unknown>> {
  return z.parse(result, await service.invoke('admin', { command, input })).result;
}

async function newCarrier(service: Service): Promise<string> {
  const created = await operate(service, 'create-organization', {
    name: 'Carrier',
    category: 'upstreamEntity',
  });
  return String(created['organizationId']);
}

/** Imports producers of a new carrier until it is stopped; answers how many records it wrote in a second. */
async function importProducers(
  service: Service,
  emitEvents: boolean,
  isOver: () => boolean,
): Promise<number> {
  const organizationId = await newCarrier(service);
  const started = performance.now();
  let written = 0;
  while (!isOver()) {
    const lines = Array.from({ length: linesOfChunk }, (_, index) =>
      JSON.stringify({
        type: 'agent',
        npn: String(1_000 + written + index),
        firstName: 'Ana',
        lastName: 'Reyes',
      }),
    );
    const chunk = { organizationId, firstLine: 1, lines, ...(emitEvents ? { emitEvents } : {}) };
    z.parse(result, await service.invoke('import', chunk));
    written += linesOfChunk;
    await pause(Math.max(0, started + (written / recordsPerSecond) * 1_000 - performance.now()));
  }
  return (written / (performance.now() - started)) * 1_000;
}

/** 95th percentile of the milliseconds from the write of a new carrier's events until its receiver has them. */
async function timeEvents(service: Service): Promise<number> {
  const organizationId = await newCarrier(service);
  const client = await operate(service, 'create-api-client', { organizationId, name: 'Bench' });
  const { clientId, clientSecret } = client;
  const { data } = z.parse(exchanged, await service.call('/v2/auth/jwt', { clientId, clientSecret }));
  const waits: number[] = [];
  const receiver = await startReceiver((_path, { body }) => {
    waits.push(Date.now() - Date.parse(z.parse(received, JSON.parse(body)).occurredAt));
    return 204;
  });
  const webhook = { url: receiver.url('/events'), types: webhookTypes };
  await service.call('/v2/upstream/webhooks', webhook, data.accessToken);
  for (let index = 0; index < events; index += 1) {
    const agency = {
      downstreamEntityName: `Agency ${index}`,
      firstName: 'Maria',
      lastName: 'Delgado',
      email: `agency-${index}@example.com`,
      category: 'agency',
      isNpnRequired: false,
    };
    await service.call('/v2/upstream/downstream-entity-associations/add', agency, data.accessToken);
    await pause(pauseMs);
  }
  const until = Date.now() + 300_000;
  while (waits.length < events && Date.now() < until) await pause(20);
  receiver.close();
  return waits.toSorted((one, other) => one - other)[Math.floor(events * 0.95)] ?? Number.NaN;
}

/** Has deferred events released all the time; their schedule calls the function only every minute. */
async function releaseUntil(service: Service, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await service.invoke('event-publisher', { task: 'release' });
    await pause(1_000);
  }
}

interface Import {
  /** Records that it wrote in a second. */
  readonly perSecond: number;
  readonly p95s: readonly number[];
}

/** The wait of events while another carrier imports, some times in a row. */
async function timeBeside(service: Service, emitEvents: boolean, times: number): Promise<Import> {
  let isOver = false;
  const imported = importProducers(service, emitEvents, () => isOver);
  // What still waits at the end is left to the service that is stopped then.
  if (emitEvents) releaseUntil(service, () => isOver).catch(() => undefined);
  await pause(2_000);
  const p95s: number[] = [];
  for (let time = 0; time < times; time += 1) p95s.push(await timeEvents(service));
  isOver = true;
  return { perSecond: await imported, p95s };
}

/** How long a carrier's events take to its receiver while another carrier imports, beside a quiet service. */
export async function measureImportEvents(): Promise<Row[]> {
  const service = await startService();
  try {
    // Loads the functions.
    await timeEvents(service);
    const quiets: number[] = [];
    const silents: Import[] = [];
    for (let round = 0; round < rounds; round += 1) {
      quiets.push(await timeEvents(service));
      silents.push(await timeBeside(service, false, 1));
    }
    // Last, because the events of the import go on being released after it.
    const loud = await timeBeside(service, true, rounds);
    const quiet = median(quiets);
    const silent = median(silents.flatMap(({ p95s }) => p95s));
    const withEvents = median(loud.p95s);
    const rate = (imports: readonly Import[]) =>
      `${count(median(imports.map(({ perSecond }) => perSecond)))} records a second`;
    const ratio = withEvents / quiet;
    return [
      {
        what: `p95 of an event from write to receiver while another carrier imports ${rate(silents)} without events`,
        measured: `${count(silent)} ms`,
        comparedWith: `quiet ${count(quiet)} ms`,
        ratio: silent / quiet,
      },
      {
        what: `the same, ${rate([loud])} with events, released at the local run’s rate`,
        measured: `${count(withEvents)} ms`,
        comparedWith: `quiet ${count(quiet)} ms`,
        ratio,
        budget: 'at most 1.5 times',
        isWithin: ratio <= 1.5,
      },
      {
        what: 'the same, what the events alone add',
        measured: `${count(withEvents)} ms`,
        comparedWith: `import without events ${count(silent)} ms`,
        ratio: withEvents / silent,
      },
    ];
  } finally {
    await service.stop();
  }
}
