import { Logger } from '@aws-lambda-powertools/logger';
import { lazily } from '../contract/lazily.ts';
import { byClock, type Clocks } from '../dates/dates.ts';
import type { Log } from '../log/log.ts';

/** The context of every function. */
export interface FunctionContext {
  /** Name of the deployment; the prefix of every requestId. */
  readonly environment: string;
  readonly logger: Log;
  /** The time; of an organization's clock in what is done by it. */
  readonly now: () => Date;
  /** Absent where everything is done by the real time. */
  readonly clocks?: Clocks | undefined;
  /** Whether a response that breaks its own schema is logged and sent, or becomes a 500. */
  readonly responseCheck?: 'refuse' | 'report' | undefined;
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
  },
): FunctionContext => ({
  environment: values.ENVIRONMENT,
  logger: lazyLog(() => new Logger({ serviceName, environment: values.ENVIRONMENT })),
  now: byClock(() => new Date()),
  responseCheck: values.RESPONSE_CHECK,
});
