import { join } from 'node:path';
import * as z from 'zod/mini';

/** Where a run writes its files; LOCAL_DIRECTORY separates simultaneous runs. */
const directory = process.env['LOCAL_DIRECTORY'] ?? '.local';

export const runDirectory = {
  path: directory,
  logs: join(directory, 'logs'),
  /** Credentials and ids of the demo organizations. */
  demo: join(directory, 'demo.json'),
  /** Where `npm run admin` finds the current run. */
  run: join(directory, 'run.json'),
};

/** Contents of `run.json`. */
export const runDescription = z.object({ awsEndpoint: z.string(), accessKeyId: z.string() });

export type RunDescription = z.output<typeof runDescription>;
