/** Where a query looks: the gateway's access log, the firewall's log, the trail of operators' calls, or the logs of functions. */
export type LogSource =
  | 'access log'
  | 'audit trail'
  | 'firewall'
  | 'api functions'
  | 'workers'
  | `function ${string}`;

/** A question of the runbook, as a query of CloudWatch Logs Insights. */
export interface SavedQuery {
  /** Its section, and what it asks: the name by which the runbook refers to it. */
  readonly name: `${string}: ${string}`;
  readonly logs: readonly LogSource[];
  /** The commands, one in a line. */
  readonly commands: readonly string[];
}

/** A question, by its name, the logs that it asks, and its commands as the console shows them: one in a line, each but the first after `|`. */
export const query =
  (name: SavedQuery['name'], logs: readonly LogSource[]) =>
  (text: TemplateStringsArray, ...values: readonly string[]): SavedQuery => ({
    name,
    logs,
    commands: String.raw(text, ...values)
      .trim()
      .split(/\n\s*\| /),
  });

/**
 * Lambda's own line of an invocation, as functions with logs in JSON have it. It has no `@duration` and no `@initDuration`, which
 * CloudWatch finds in `REPORT` lines of plain text alone.
 * https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report
 */
export const invocationReport = 'type = "platform.report"';

const ended = `(${invocationReport} and record.status != "success") or @message like /Task timed out|Runtime exited/`;

/** Filters what a function logs at level `ERROR`, and what Lambda says of an invocation that did not succeed. */
export const crashes = `level = "ERROR" or ${ended}`;

/** Filters what ended an invocation: Lambda's own lines have no event. */
export const uncaught = `(level = "ERROR" and not ispresent(event)) or ${ended}`;

/**
 * What went wrong, of a line that a function logged (`error`) or of an error that it did not catch, which the runtime logs with
 * members of its own. https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
export const cause =
  'coalesce(error.name, errorType) as name, coalesce(error.message, errorMessage, message) as reason';
