import * as z from 'zod/mini';

/** Variables that every function has. */
export const commonEnvironment = {
  /** Name of the deployment; the prefix of every requestId. Which there are, `infra/environments.ts` alone says. */
  ENVIRONMENT: z.string().check(z.regex(/^[a-z][a-z0-9-]*$/)),
};

/** Variables of every function that answers API requests. */
export const apiEnvironment = {
  ...commonEnvironment,
  /** What happens to an answer that breaks its own schema: `refuse` answers 500, `report` logs it and answers all the same. */
  RESPONSE_CHECK: z.enum(['refuse', 'report']),
};

/**
 * Reads a function's variables once, at start; a missing or malformed one stops the function with its name.
 * Variables that the schema does not name are left alone.
 */
export function readEnvironment<Schema extends z.core.$ZodObject>(schema: Schema): z.output<Schema> {
  const result = z.safeParse(schema, process.env);
  if (result.success) return result.data;
  const names = result.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new Error(`Environment variables missing or malformed: ${names}`);
}
