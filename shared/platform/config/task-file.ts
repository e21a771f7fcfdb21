import { join } from 'node:path';
import * as z from 'zod/mini';
import { readEnvironment } from './environment.ts';

/** Path of a file that the build put next to a function's bundle; Lambda unpacks both at the task root. */
export const taskFile = (name: string): string =>
  join(readEnvironment(z.object({ LAMBDA_TASK_ROOT: z.string() })).LAMBDA_TASK_ROOT, name);

/** The name of a file that follows from the routes: one has those of rehearsals, and one, for other environments, does not. */
export const derivedFile = (name: string, sandbox: 'yes' | 'no'): string =>
  `${name}${sandbox === 'yes' ? '' : '-without-sandbox'}.json`;
