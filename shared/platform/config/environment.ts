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
