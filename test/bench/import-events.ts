import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { webhookTypes } from '../../shared/resources/webhook.ts';
import { startReceiver } from '../support/receiver.ts';
import { count, type Row } from './report.ts';

/** Events of the carrier whose events are timed, and how far apart they are. */
const events = 40;
const pauseMs = 100;

/** Records of another carrier's import, and those of a chunk. */
const records = 4_000;
const linesOfChunk = 250;

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

/** Imports producers of a new carrier until it is stopped or done; answers how many records it wrote. */
async function importProducers(
  service: Service,
  emitEvents: boolean,
  isOver: () => boolean,
): Promise<number> {
  const organizationId = await newCarrier(service);
  let written = 0;
  while (written < records && !isOver()) {
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
  }
  return written;
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

/** The wait of events while another carrier imports. */
async function timeBeside(service: Service, emitEvents: boolean): Promise<number> {
  let isOver = false;
  const imported = importProducers(service, emitEvents, () => isOver);
  const released = emitEvents ? releaseUntil(service, () => isOver) : undefined;
  await pause(2_000);
  const p95 = await timeEvents(service);
  isOver = true;
  await Promise.all([imported, released]);
  return p95;
}

/** How long a carrier's events take to its receiver while another carrier imports, beside a quiet service. */
export async function measureImportEvents(): Promise<Row[]> {
  const service = await startService();
  try {
    // Loads the functions.
    await timeEvents(service);
    const quiet = await timeEvents(service);
    const silent = await timeBeside(service, false);
    const loud = await timeBeside(service, true);
    const row = (what: string, p95: number): Row => ({
      what: `p95 of an event from write to receiver while another carrier imports ${what}`,
      measured: `${count(p95)} ms`,
      comparedWith: `quiet ${count(quiet)} ms`,
      ratio: p95 / quiet,
    });
    return [
      row('without events', silent),
      { ...row('with events', loud), budget: 'at most 1.5 times', isWithin: loud / quiet <= 1.5 },
    ];
  } finally {
    await service.stop();
  }
}
