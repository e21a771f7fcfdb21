import { join } from 'node:path';
import * as z from 'zod/mini';

/**
 * Reads a function's variables once, at start; a missing or malformed one stops the function with its name.
 * Variables that the schema does not name are ignored.
 */
export function readEnvironment<Schema extends z.core.$ZodObject>(schema: Schema): z.output<Schema> {
  const result = z.safeParse(schema, process.env);
  if (result.success) return result.data;
  const names = result.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new Error(`Environment variables missing or malformed: ${names}`);
}

/** Path of a file that the build put next to a function's bundle; Lambda unpacks both at the task root. */
export const taskFile = (name: string): string =>
  join(readEnvironment(z.object({ LAMBDA_TASK_ROOT: z.string() })).LAMBDA_TASK_ROOT, name);

/** The name of a file that follows from the routes: one has those of rehearsals, and one, for other environments, does not. */
export const derivedFile = (name: string, sandbox: 'yes' | 'no'): string =>
  `${name}${sandbox === 'yes' ? '' : '-without-sandbox'}.json`;
