// What a deployed function has of its environment: its context, its variables, and the files beside its bundle.
import { join } from 'node:path';
import { Logger } from '@aws-lambda-powertools/logger';
import * as z from 'zod/mini';
import { lazily } from '../contract/lazily.ts';
import type { Log } from '../log/log.ts';

/** The context of every function. */
export interface FunctionContext {
  /** Name of the deployment; the prefix of every requestId. */
  readonly environment: string;
  readonly logger: Log;
  readonly now: () => Date;
  /** Whether a response that breaks its own schema is logged and sent, or becomes a 500. */
  readonly responseCheck?: 'refuse' | 'report' | undefined;
  /** The bucket of remembered answers that do not fit an item; absent where no writes are remembered. */
  readonly answersBucket?: string | undefined;
}

/** A logger that is created with its first line, which most requests write when they have been answered. */
function lazyLog(create: () => Log): Log {
  const log = lazily(create);
  return {
    info: (message, fields) => log().info(message, fields),
    warn: (message, fields) => log().warn(message, fields),
    error: (message, fields) => log().error(message, fields),
  };
}

/** The context of a deployed function; `serviceName` marks its log lines. */
export const functionContext = (
  serviceName: string,
  values: {
    readonly ENVIRONMENT: string;
    readonly RESPONSE_CHECK?: 'refuse' | 'report' | undefined;
    readonly ANSWERS_BUCKET?: string | undefined;
  },
): FunctionContext => ({
  environment: values.ENVIRONMENT,
  logger: lazyLog(() => new Logger({ serviceName, environment: values.ENVIRONMENT })),
  now: () => new Date(),
  responseCheck: values.RESPONSE_CHECK,
  answersBucket: values.ANSWERS_BUCKET,
});

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

/** The name of a file that is derived from the routes, with or without those of the sandbox. */
export const derivedFile = (name: string, sandbox: 'yes' | 'no'): string =>
  `${name}${sandbox === 'yes' ? '' : '-without-sandbox'}.json`;
