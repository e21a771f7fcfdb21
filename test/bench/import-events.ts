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

/** Events of another carrier's import that wait to be released: more than are released while the others are timed. */
const waiting = 1_000;
const linesOfImport = 100;

/**
 * Records a second of an import that is still writing. As fast as it can, it saturates this machine's cores, which on AWS it
 * shares with nobody; at this rate it takes a part of them.
 */
const recordsPerSecond = 20;
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

interface Producers {
  readonly from: number;
  readonly count: number;
  readonly emitEvents: boolean;
}

async function importProducers(
  service: Service,
  organizationId: string,
  { from, count: producers, emitEvents }: Producers,
): Promise<void> {
  const lines = Array.from({ length: producers }, (_, index) =>
    JSON.stringify({ type: 'agent', npn: String(1_000 + from + index), firstName: 'Ana', lastName: 'Reyes' }),
  );
  const chunk = { organizationId, firstLine: 1, lines, ...(emitEvents ? { emitEvents } : {}) };
  z.parse(result, await service.invoke('import', chunk));
}

/** Imports producers of a new carrier at the rate above until it is stopped; answers how many it wrote in a second. */
async function importUntil(service: Service, emitEvents: boolean, isOver: () => boolean): Promise<number> {
  const organizationId = await newCarrier(service);
  const started = performance.now();
  let written = 0;
  while (!isOver()) {
    await importProducers(service, organizationId, { from: written, count: linesOfChunk, emitEvents });
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

/** The wait of events while the events of another carrier's import are released, some times in a row. */
async function timeBesideReleases(service: Service): Promise<number[]> {
  const organizationId = await newCarrier(service);
  for (let from = 0; from < waiting; from += linesOfImport) {
    await importProducers(service, organizationId, { from, count: linesOfImport, emitEvents: true });
  }
  let isOver = false;
  // What still waits at the end is left to the service that is stopped then.
  releaseUntil(service, () => isOver).catch(() => undefined);
  const p95s: number[] = [];
  for (let round = 0; round < rounds; round += 1) p95s.push(await timeEvents(service));
  isOver = true;
  return p95s;
}

interface Import {
  /** Records that it wrote in a second. */
  readonly perSecond: number;
  readonly p95: number;
}

/** The wait of events while another carrier's import writes. */
async function timeBesideImport(service: Service, emitEvents: boolean): Promise<Import> {
  let isOver = false;
  const imported = importUntil(service, emitEvents, () => isOver);
  if (emitEvents) releaseUntil(service, () => isOver).catch(() => undefined);
  await pause(2_000);
  const p95 = await timeEvents(service);
  isOver = true;
  return { perSecond: await imported, p95 };
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
      silents.push(await timeBesideImport(service, false));
    }
    // Last, because the events of an import go on being released after it.
    const beside = median(await timeBesideReleases(service));
    const louds: Import[] = [];
    for (let round = 0; round < rounds; round += 1) louds.push(await timeBesideImport(service, true));
    const quiet = median(quiets);
    const p95Of = (imports: readonly Import[]) => median(imports.map(({ p95 }) => p95));
    const rate = (imports: readonly Import[]) =>
      `${count(median(imports.map(({ perSecond }) => perSecond)))} records a second`;
    const row = (what: string, ms: number, comparedMs: number, name: string) => ({
      what,
      measured: `${count(ms)} ms`,
      comparedWith: `${name} ${count(comparedMs)} ms`,
      ratio: ms / comparedMs,
    });
    return [
      {
        ...row(
          'p95 of an event from write to receiver while the events of another carrier’s import are released',
          beside,
          quiet,
          'quiet',
        ),
        budget: 'at most 1.5 times',
        isWithin: beside / quiet <= 1.5,
      },
      row(
        `the same while an import writes ${rate(silents)} without events on this machine’s cores`,
        p95Of(silents),
        quiet,
        'quiet',
      ),
      row(
        `the same while it writes ${rate(louds)} with events`,
        p95Of(louds),
        p95Of(silents),
        'import without events',
      ),
    ];
  } finally {
    await service.stop();
  }
}
