import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { jsonText } from '#platform/data/json.ts';
import type { Access } from './aws/service.ts';

/** The port without PORT; `infra/build/check-machine.mjs` has it too. */
export const defaultPort = 3_000;

/** The files of the run on a port, in LOCAL_DIRECTORY or in a folder of its own, so that simultaneous runs keep theirs. */
export function runDirectory(port: number) {
  const ofPort = port === defaultPort ? '.local' : join('.local', String(port));
  const path = process.env['LOCAL_DIRECTORY'] ?? ofPort;
  return {
    path,
    logs: join(path, 'logs'),
    /** Credentials and ids of the demo organizations. */
    demo: join(path, 'demo.json'),
    /** Shell script of the tour, with the carrier's credential. */
    tour: join(path, 'tour.sh'),
    /** The access by which `npm run admin` finds the run; deleted when it ends. */
    run: join(path, 'run.json'),
  };
}

export type RunDirectory = ReturnType<typeof runDirectory>;

/** Contents of `run.json`. */
const operatorAccess = z.pipe(jsonText, z.object({ endpoint: z.string(), accessKeyId: z.string() }));

/** An operator's access to the run that keeps its files in a folder; undefined if none is running. */
export async function findRun({ run }: RunDirectory): Promise<Access | undefined> {
  const text = await readFile(run, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { data: operator } = z.safeParse(operatorAccess, text);
  if (operator === undefined) return undefined;
  const answer = await fetch(operator.endpoint).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer && operator;
}
