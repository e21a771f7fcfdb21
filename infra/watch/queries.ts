// Saved queries of the logs, which the runbook names.
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { resourceName } from '../environments.ts';
import { logGroupName } from '../function-uses.ts';
import { namesOf, type WatchedResources } from './metrics.ts';

/** Logs that a query reads: the gateway's access log, the firewall's log, the trail of operators' calls, or the logs of functions. */
type LogSource =
  | 'access log'
  | 'audit trail'
  | 'firewall'
  | 'api functions'
  | 'workers'
  | `function ${string}`;

/** A question of the runbook, as a query of CloudWatch Logs Insights. */
interface SavedQuery {
  /** Name by which the runbook refers to the query: its section, and its question. */
  readonly name: `${string}: ${string}`;
  readonly logs: readonly LogSource[];
  /** The commands, one in a line. */
  readonly commands: readonly string[];
}

/**
 * A question, by its name, the logs that it asks, and its commands as the console shows them: one in a line, each but the first
 * after `|`.
 */
const query =
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
const invocationReport = 'type = "platform.report"';

/** Filters what a function logs at level `ERROR`, and what Lambda says of an invocation that did not succeed. */
const crashes = `level = "ERROR" or (${invocationReport} and record.status != "success") or @message like /Task timed out|Runtime exited/`;

/**
 * Error of a line that a function logged (`error`), or one that it did not catch, which the runtime logs with
 * members of its own. https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
const cause =
  'coalesce(error.name, errorType) as name, coalesce(error.message, errorMessage, message) as reason';

const delivery = ['function webhook-delivery'] as const;

const reconciliation = ['function registry-reconciliation'] as const;

/** Queues and their workers. */
const ofWorkers = [
  query('Worker errors: whether the day’s jobs were queued', ['function license-sweep', ...reconciliation])`
    fields @timestamp, event, jobs, asOf
    | filter event in ["license_sweep_queued", "registry_reconciliation_queued"]
    | sort @timestamp desc`,
  query('Failed messages: why', ['workers'])`
    filter event in ["message_failed", "license_not_swept", "npn_not_polled", "nightly_run_failed"]
    | stats count() as failures by @log, event, transient, error.name, error.message
    | sort failures desc`,
  query('Old messages: whether the registry responds', ['function registry-sync', ...reconciliation])`
    filter event in ["registry_unavailable", "npn_not_polled"]
    | stats count() as failures by event, error.message, bin(5m)`,
  query('Old messages: who occupies the workers', delivery)`
    filter event = "webhook_drain"
    | stats count() as leases, sum(attempts) as made, max(lateSeconds) as late, sum(durationMs) as spent by outcome, queue, webhookId
    | sort spent desc`,
  query('Failing receivers: since when, and why', delivery)`
    fields @timestamp, host, fault, webhookId, upstreamEntityId
    | filter event = "webhook_failing"
    | sort @timestamp desc`,
  query('Failing receivers: at which hosts', delivery)`
    filter event = "webhook_delivery"
    | stats count() as made, latest(webhookId) as example by host, outcome, statusCode, fault
    | sort made desc`,
  query('A receiver did not get its event: what happened to it', ['function webhook-fanout', ...delivery])`
    filter upstreamEntityId = "<organizationId>" or webhookId = "<webhookId>" or eventId = "<eventId>"
    | filter event in ["webhook_fanout", "webhook_delivery", "webhook_failing"]
    | fields @timestamp, event, webhookType, eventId, webhooks, webhookId, host, attempt, outcome, statusCode, fault, nextAttemptAt
    | sort @timestamp desc`,
  query('Overdue NPNs: how far each reconciliation is', reconciliation)`
    filter event in ["registry_reconciliation_queued", "registry_reconciliation"]
    | stats sum(jobs) as queued, max(position) as reached, sum(npns) as polled, sum(failed) as failures, sum(left) as left by event, asOf`,
  query('Overdue NPNs: why polls fail', reconciliation)`
    filter event = "npn_not_polled"
    | stats count() as failures by error.name, error.message
    | sort failures desc`,
  query('Unreadable rows: which fields', ['function registry-sync', 'function import', ...reconciliation])`
    filter event = "rows_unreadable"
    | stats count() as npns, sum(rows) as unreadable by faults.0, faults.1
    | sort unreadable desc`,
  query('Dead messages: why', ['workers'])`
    fields @timestamp, @log, event, messageId, faults.0, error.name, error.message
    | filter event in ["message_failed", "registry_unavailable", "message_dead_lettered"]
    | sort @timestamp desc`,
];

const canary = ['function canary'] as const;

const ofCanary = [
  query('Canary: which step failed and why', canary)`
    filter event = "canary_failed"
    | fields @timestamp, step, status, reason, requestId
    | sort @timestamp desc`,
  query('Canary: what callers felt', canary)`
    filter event = "canary_passed"
    | stats pct(ms, 50) as p50, max(ms) as slowest by bin(1h)`,
];

/** Operators: CloudTrail has who called, the function what it did, and both the id of the call. */
const ofOperators = [
  query('Who did what: calls of operators', [
    'audit trail',
    'function admin',
    'function import',
    'function link-redemption',
  ])`
    filter eventName like /^Invoke/ or event in ["operator_command", "operator_command_failed"]
    | fields coalesce(requestID, lambdaRequestId) as call
    | stats min(@timestamp) as time, sortsLast(userIdentity.arn) as who, sortsLast(caller) as stated, sortsLast(sourceIPAddress) as address, sortsLast(command) as what, sortsLast(organizationId) as organization, sortsLast(coalesce(clientId, tokenId)) as credential, sortsLast(outcome) as ended by call
    | sort time desc`,
  query('A leaked credential: what was done with it', ['access log'])`
    filter credentialId = "<clientId or tokenId>"
    | stats count() as requests, min(@timestamp) as since, max(@timestamp) as until by sourceIp, userAgent, route, status
    | sort requests desc`,
];

const publisher = ['function event-publisher', 'function imported-event-publisher'] as const;

const ofRequests = [
  query('Requests: all lines of one request', ['access log', 'api functions', 'function authorizer'])`
    fields @timestamp, event, route, status, errorType, message
    | filter requestId = "prod-<uuid>"
    | sort @timestamp`,
  query('Gateway faults: where they come from', ['access log'])`
    filter status >= 500
    | stats count() as requests by route, status, responseType
    | sort requests desc`,
  query('Gateway faults: why', ['api functions', 'function authorizer'])`
    filter level = "ERROR"
    | stats count() as lines, latest(requestId) as example by @log, event, route, error.name, error.message
    | sort lines desc`,
  query('Refused requests: whose they are', ['access log'])`
    filter status >= 400 and status < 500
    | stats count() as requests by status, responseType, refusal, route, organizationId, credentialId, userAgent
    | sort requests desc`,
  query('Refused requests: what the firewall blocks', ['firewall'])`
    stats count() as requests by terminatingRuleId, httpRequest.clientIp, httpRequest.uri
    | sort requests desc`,
  query('Failing new versions: which version fails', ['api functions'])`
    filter event = "request"
    | stats count() as requests, pct(durationMs, 50) as p50 by version, status, route
    | sort status desc, requests desc`,
  query('Slow requests: which routes', ['api functions'])`
    filter event = "request"
    | stats count() as requests, pct(durationMs, 50) as p50, pct(durationMs, 99) as p99 by method, route
    | sort p99 desc`,
  query('Slow requests: whose they are', ['api functions'])`
    filter event = "request"
    | stats count() as requests, pct(durationMs, 99) as p99 by organizationId, route
    | sort p99 desc`,
  query('Authorizer errors: why', ['function authorizer'])`
    filter event = "authorizer_failed" or level = "ERROR"
    | stats count() as failures by event, error.name, error.message`,
  query('Authorizer latency: start-up or not', ['function authorizer'])`
    filter ${invocationReport}
    | stats pct(record.metrics.durationMs, 99) as p99, max(record.metrics.initDurationMs) as startUp by bin(5m)`,
  query('Function errors: why', [
    'api functions',
    'workers',
    ...publisher,
    'function admin',
    'function import',
    'function link-redemption',
  ])`
    fields @timestamp, @log, event, requestId, route, ${cause}, record.status, @message
    | filter ${crashes}
    | sort @timestamp desc`,
  query('Function throttles: whose requests', ['access log'])`
    stats count() as requests by sourceIp, organizationId, credentialId, route
    | sort requests desc`,
  query('Responses that are too large: whose they are', ['api functions'])`
    filter event = "response_too_large"
    | stats count() as responses by route, organizationId, credentialId`,
  query('Invalid responses: which operations', ['api functions'])`
    filter event = "response_breaks_schema"
    | stats count() as responses, latest(requestId) as example by operationId, faults.0
    | sort responses desc`,
  query('Unreadable items: which they are', ['api functions', 'workers', ...publisher])`
    filter error.name = "StoredItemError"
    | stats count() as readings, latest(requestId) as example by @log, event, error.message
    | sort readings desc`,
  query('Uncounted requests: why', ['api functions'])`
    filter event = "rate_counters_unreachable"
    | stats count() as requests by error.name, error.message`,
  query('Table throttles: whose traffic', ['api functions'])`
    filter event = "request"
    | stats count() as requests by organizationId, route, status
    | sort requests desc`,
  query('Files with malware: who uploaded', ['function file-documents'])`
    fields @timestamp, route, organizationId, credentialId, requestId
    | filter event = "request" and method != "GET"
    | sort @timestamp desc`,
  query('Signing secret rotation failed: why', [
    'function signing-secret-rotation',
    'function authorizer',
    'function auth',
  ])`
    fields @timestamp, @log, event, ${cause}, @message
    | filter event in ["rotation_step", "signing_keys_not_refreshed"] or ${crashes}
    | sort @timestamp desc`,
];

/** Events on their way to the bus. */
const ofEvents = [
  query('Late events: why, and how many', publisher)`
    filter event in ["event_not_published", "events_republished"]
    | stats count() as lines, sum(republished) as late, sum(failed) as failures by event, eventType, error.name, error.message`,
  query('Refused events: which they are', [...publisher, 'function compliance-changes'])`
    filter event = "event_refused"
    | stats count() as refusals by eventId, eventType, upstreamEntityId, entityId, reason`,
  query('Stopped feeds: where and why', ['function webhooks'])`
    filter event = "feed_stopped"
    | stats count() as reads by upstreamEntityId, position`,
  query('Indexes of changes that lag: which tables', ['function index-lag'])`
    filter event = "index_lags"
    | stats max(lagMs) as late by table, bin(1m)`,
];

/** The runbook's questions, each of which CloudWatch has as a saved query. */
export const savedQueries: readonly SavedQuery[] = [
  ...ofRequests,
  ...ofCanary,
  ...ofWorkers,
  ...ofEvents,
  ...ofOperators,
];

/**
 * Saves the runbook's queries in CloudWatch Logs Insights, in a folder of the environment. One about a log that the
 * environment does not have is left out.
 */
export function saveQueries(scope: Construct, watchedResources: WatchedResources): void {
  const { name: environment, firewall } = watchedResources.environment;
  const ofFunctions = (names: readonly string[]) =>
    names.map((name) => logGroupName.function(environment, name));
  const logGroupsByPlace: Readonly<Record<string, readonly string[]>> = {
    'access log': [logGroupName.accessLog(environment)],
    'audit trail': [watchedResources.auditLogGroup],
    firewall: firewall ? [logGroupName.firewall(environment)] : [],
    'api functions': ofFunctions(namesOf(watchedResources, 'api')),
    workers: ofFunctions(namesOf(watchedResources, 'worker')),
  } satisfies Record<Exclude<LogSource, `function ${string}`>, readonly string[]>;
  for (const { name, logs, commands } of savedQueries) {
    const logGroupNames = logs.flatMap(
      (source) => logGroupsByPlace[source] ?? ofFunctions([source.replace('function ', '')]),
    );
    if (logGroupNames.length === 0) continue;
    new CfnQueryDefinition(scope, `${name.replaceAll(/[^A-Za-z]+/g, '-')}-query`, {
      // The console shows a folder for each section. AWS has refused names with a colon, and Terraform still does.
      name: `${resourceName(environment, 'runbook')}/${name.replace(': ', '/')}`,
      queryString: commands.join('\n| ').replaceAll('"prod-', `"${environment}-`),
      logGroupNames,
    });
  }
}
