// `npm start`: the local run with its demo data, until Ctrl-C.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { newYorkDate } from '#platform/dates/dates.ts';
import { sampleFiles, sampleLines } from '../samples.ts';
import { usualScan } from './aws/s3-service.ts';
import { lineOf } from './demo/receiver.ts';
import { tourOf } from './demo/tour.ts';
import { MachineError, openListener } from './listener.ts';
import { type LocalRun, lifecycle, startLocalRun } from './local-run.ts';
import { defaultPort, findRun, type RunDirectory, runDirectory } from './run-directory.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function announce(run: LocalRun, directory: RunDirectory): Promise<void> {
  const { baseUrl, demo } = run;
  if (demo === undefined) throw new Error('The demo data is missing.');
  await writeFile(directory.demo, `${JSON.stringify({ baseUrl, ...demo }, null, 2)}\n`);
  // The access key in this file has all permissions of an operator.
  await writeFile(directory.run, `${JSON.stringify(run.operator, null, 2)}\n`, { mode: 0o600 });
  // As the demo has them: with dates around today.
  const fileOf = (side: keyof typeof sampleFiles) => join(directory.path, basename(sampleFiles[side]));
  const samples = { downstream: fileOf('downstream'), upstream: fileOf('upstream') };
  for (const side of ['downstream', 'upstream'] as const) {
    await writeFile(samples[side], `${sampleLines(side, newYorkDate(new Date())).join('\n')}\n`);
  }
  const tour = tourOf({ baseUrl, demo, directory: directory.path, samples });
  // With the demo's credentials.
  await writeFile(directory.tour, tour, { mode: 0o700 });
  print(`
API        ${baseUrl}
Reference  ${baseUrl}/docs
Demo data  ${directory.demo}
Logs       ${directory.logs}
Node       ${process.versions.node}

${directory.tour}
`);
}

async function main(): Promise<void> {
  const interruption = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  // Nothing is deleted before the port is this run's.
  const listener = await openListener(Number(process.env['PORT'] ?? defaultPort));
  const directory = runDirectory(listener.port);
  if ((await findRun(directory)) !== undefined) {
    throw new MachineError(
      `Another local run keeps its files in ${directory.path}: choose another folder with LOCAL_DIRECTORY.`,
    );
  }
  await rm(directory.logs, { recursive: true, force: true });
  await mkdir(directory.path, { recursive: true });
  const elapsedTime = (): string => `${(performance.now() / 1_000).toFixed(1)} s`;
  const life = lifecycle((step) => void process.stderr.write(`Done after ${elapsedTime()}: ${step}\n`));
  const untilEngineEnds = async (): Promise<never> => {
    const run = await startLocalRun(
      {
        listener,
        logDirectory: directory.logs,
        seed: true,
        scanDuration: usualScan,
        onWebhook: (delivery) => print(`Webhook  ${lineOf(delivery)}`),
      },
      life,
    );
    await announce(run, directory);
    print(`Ready after ${elapsedTime()}: the command above takes a tour; Ctrl-C stops.`);
    const end = await run.engineEnded;
    throw new MachineError(`${end}, and with it all data: start the local run again with "npm start".`);
  };
  try {
    // An interruption ends the start, too.
    await Promise.race([interruption, untilEngineEnds()]);
  } finally {
    await rm(directory.run, { force: true });
    await life.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof MachineError ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exit(1);
  },
);
