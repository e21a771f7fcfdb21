import * as z from 'zod/mini';

/** Variables that every function has. */
export const commonEnvironment = {
  /** Name of the deployment; the prefix of every requestId. `infra/environments.ts` has the only list of them. */
  ENVIRONMENT: z.string().check(z.regex(/^[a-z][a-z0-9-]*$/)),
};

/** A rate in a second. */
export const ratePerSecond = z.pipe(z.string(), z.pipe(z.transform(Number), z.number().check(z.gt(0))));

/** Variables of every function that serves API requests. */
export const apiEnvironment = {
  ...commonEnvironment,
  /** What happens to a response that breaks its own schema: `refuse` responds with 500, `report` logs it and sends it. */
  RESPONSE_CHECK: z.enum(['refuse', 'report']),
};

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
