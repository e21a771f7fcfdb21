import { join } from 'node:path';
import * as z from 'zod/mini';

/** Where a run leaves its files; another directory, by LOCAL_DIRECTORY, keeps two runs beside each other apart. */
const directory = process.env['LOCAL_DIRECTORY'] ?? '.local';

export const runDirectory = {
  path: directory,
  logs: join(directory, 'logs'),
  /** Credentials and ids of the demo organizations. */
  demo: join(directory, 'demo.json'),
  /** Where `npm run admin` finds the run that is up. */
  run: join(directory, 'run.json'),
};

/** What `run.json` holds. */
export const runDescription = z.object({ awsEndpoint: z.string(), accessKeyId: z.string() });

export type RunDescription = z.output<typeof runDescription>;
