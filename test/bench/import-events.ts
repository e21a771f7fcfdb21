import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { webhookTypes } from '../../shared/domain/webhooks/resource.ts';
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
 * shares with nobody; at these rates it takes a part of them.
 */
const recordsPerSecond = [5, 20];
const chunksPerSecond = 2;

const runFile = z.object({ awsEndpoint: z.string(), accessKeyId: z.string() });
const demoFile = z.object({ baseUrl: z.string() });
const result = z.object({ ok: z.literal(true), result: z.record(z.string(), z.unknown()) });
const releasedRun = z.object({ isComplete: z.boolean() });
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

/** Imports producers of a new carrier at a rate until it is stopped; answers how many it wrote in a second. */
async function importUntil(service: Service, load: Load, isOver: () => boolean): Promise<number> {
  const organizationId = await newCarrier(service);
  const producers = load.perSecond / chunksPerSecond;
  const started = performance.now();
  let written = 0;
  for (let chunk = 1; !isOver(); chunk += 1) {
    const count = Math.round(chunk * producers) - written;
    await importProducers(service, organizationId, { from: written, count, emitEvents: load.emitEvents });
    written += count;
    await pause(Math.max(0, started + (chunk / chunksPerSecond) * 1_000 - performance.now()));
  }
  return (written / (performance.now() - started)) * 1_000;
}

/** Milliseconds for which this machine's cores were busy, and all that they had. */
function coreTimes(): { readonly busy: number; readonly all: number } {
  const times = cpus().map((core) => core.times);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all };
}

interface Timed {
  /** 95th percentile of the milliseconds from the write of a carrier's events until its receiver has them. */
  readonly p95: number;
  /** Share of this machine's cores that was busy meanwhile. */
  readonly busy: number;
}

/** A new carrier whose webhook gets all its events: how long each took from its write to the receiver. */
async function listeningCarrier(service: Service) {
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
  return { organizationId, accessToken: data.accessToken, waits, close: () => receiver.close() };
}

/** Times the events of a new carrier. */
async function timeEvents(service: Service): Promise<Timed> {
  const { accessToken, waits, close } = await listeningCarrier(service);
  const before = coreTimes();
  for (let index = 0; index < events; index += 1) {
    const agency = {
      downstreamEntityName: `Agency ${index}`,
      firstName: 'Maria',
      lastName: 'Delgado',
      email: `agency-${index}@example.com`,
      category: 'agency',
      isNpnRequired: false,
    };
    await service.call('/v2/upstream/downstream-entity-associations/add', agency, accessToken);
    await pause(pauseMs);
  }
  const until = Date.now() + 300_000;
  while (waits.length < events && Date.now() < until) await pause(20);
  close();
  const after = coreTimes();
  return {
    p95: waits.toSorted((one, other) => one - other)[Math.floor(events * 0.95)] ?? Number.NaN,
    busy: (after.busy - before.busy) / (after.all - before.all),
  };
}

/** Has deferred events released all the time; their schedule calls the function only every minute. */
async function releaseUntil(service: Service, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await service.invoke('event-publisher', { task: 'release' });
    await pause(1_000);
  }
}

/** Releases what waits, so that it is not beside what is timed next. */
async function releaseAll(service: Service): Promise<void> {
  let run: z.output<typeof releasedRun>;
  do {
    await pause(500);
    run = z.parse(releasedRun, await service.invoke('event-publisher', { task: 'release' }));
  } while (!run.isComplete);
}

/** The wait of events while the events of another carrier's import are released, some times in a row. */
async function timeBesideReleases(service: Service): Promise<Timed[]> {
  const organizationId = await newCarrier(service);
  for (let from = 0; from < waiting; from += linesOfImport) {
    await importProducers(service, organizationId, { from, count: linesOfImport, emitEvents: true });
  }
  let isOver = false;
  // What still waits at the end is left to the service that is stopped then.
  releaseUntil(service, () => isOver).catch(() => undefined);
  const timed: Timed[] = [];
  for (let round = 0; round < rounds; round += 1) timed.push(await timeEvents(service));
  isOver = true;
  return timed;
}

/** What another carrier's import is to write while events are timed. */
interface Load {
  readonly perSecond: number;
  readonly emitEvents: boolean;
}

/** What an import wrote, and how long events took beside it. */
interface Beside extends Timed {
  readonly perSecond: number;
}

/** The wait of events while another carrier's import writes. */
async function timeBesideImport(service: Service, load: Load): Promise<Beside> {
  let isOver = false;
  const imported = importUntil(service, load, () => isOver);
  if (load.emitEvents) releaseUntil(service, () => isOver).catch(() => undefined);
  await pause(2_000);
  const timed = await timeEvents(service);
  isOver = true;
  return { ...timed, perSecond: await imported };
}

const p95Of = (timed: readonly Timed[]): number => median(timed.map(({ p95 }) => p95));

const busyOf = (timed: readonly Timed[]): string =>
  `cores ${Math.round(median(timed.map(({ busy }) => busy)) * 100)} % busy`;

/** Imports of one agent each, by a carrier of its own, one after the other. */
const smallImports = 10;

/** How long the event of an imported agent takes to its receiver, while nothing else happens. */
export async function measureRelease(): Promise<Row[]> {
  const service = await startService();
  try {
    const all: number[] = [];
    // The first one loads the functions.
    for (let index = 0; index <= smallImports; index += 1) {
      const { organizationId, waits, close } = await listeningCarrier(service);
      await importProducers(service, organizationId, { from: index, count: 1, emitEvents: true });
      while (waits.length === 0) await pause(20);
      close();
      all.push(...waits.slice(0, 1));
    }
    const waits = all.slice(1);
    const longest = Math.max(...waits);
    return [
      {
        what: 'event of an imported agent, from its write to its receiver',
        measured: `${count(median(waits))} ms (at most ${count(longest)} ms)`,
        comparedWith: 'before, with the next minute: 10 to 59 s',
        budget: 'at most 2 s',
        isWithin: longest <= 2_000,
      },
    ];
  } finally {
    await service.stop();
  }
}

/** How long a carrier's events take to its receiver while another carrier imports, beside a quiet service. */
export async function measureImportEvents(): Promise<Row[]> {
  const service = await startService();
  try {
    // Loads the functions.
    await timeEvents(service);
    const quiet: Timed[] = [];
    const silent = new Map(recordsPerSecond.map((perSecond) => [perSecond, [] as Beside[]]));
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(await timeEvents(service));
      for (const [perSecond, timed] of silent) {
        timed.push(await timeBesideImport(service, { perSecond, emitEvents: false }));
      }
    }
    const released = await timeBesideReleases(service);
    await releaseAll(service);
    const loud = new Map(recordsPerSecond.map((perSecond) => [perSecond, [] as Beside[]]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [perSecond, timed] of loud) {
        timed.push(await timeBesideImport(service, { perSecond, emitEvents: true }));
        await releaseAll(service);
      }
    }

    const row = (what: string, timed: readonly Timed[], compared: readonly Timed[], name: string) => ({
      what,
      measured: `${count(p95Of(timed))} ms (${busyOf(timed)})`,
      comparedWith: `${name} ${count(p95Of(compared))} ms (${busyOf(compared)})`,
      ratio: p95Of(timed) / p95Of(compared),
    });
    const rate = (imports: readonly Beside[]) =>
      `${count(median(imports.map(({ perSecond }) => perSecond)))} records a second`;
    const beside = row(
      'p95 of an event from write to receiver while the events of another carrier’s import are released',
      released,
      quiet,
      'quiet',
    );
    return [
      { ...beside, budget: 'at most 1.5 times', isWithin: beside.ratio <= 1.5 },
      ...recordsPerSecond.flatMap((perSecond) => {
        const without = silent.get(perSecond) ?? [];
        const withEvents = loud.get(perSecond) ?? [];
        return [
          row(
            `the same while an import writes ${rate(without)} without events on this machine’s cores`,
            without,
            quiet,
            'quiet',
          ),
          row(
            `the same while it writes ${rate(withEvents)} with events`,
            withEvents,
            without,
            'without events',
          ),
        ];
      }),
    ];
  } finally {
    await service.stop();
  }
}
