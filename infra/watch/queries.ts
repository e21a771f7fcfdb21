import { cause, crashes, invocationReport, query, type SavedQuery } from './saved-query.ts';
import { ofCanary, ofOperators, ofWorkers } from './worker-queries.ts';

const publisher = ['function event-publisher'] as const;

/** Of requests. */
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
  query('Unreadable records: which they are', ['api functions'])`
    filter event = "record_unreadable"
    | stats count() as responses, latest(requestId) as example by organizationId, error.message
    | sort responses desc`,
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

/** Of events on their way to the bus. */
const ofEvents = [
  query('Publisher errors: why', publisher)`
    fields @timestamp, event, ${cause}, @message
    | filter ${crashes}
    | sort @timestamp desc`,
  query('Late events: why, and how many', publisher)`
    filter event in ["event_not_published", "events_republished"]
    | stats count() as lines, sum(republished) as late, sum(failed) as failures by event, error.name, error.message`,
  query('Late deferred events: how many are released', publisher)`
    filter event = "deferred_events_released"
    | stats sum(released) as done, sum(failed) as failures, max(oldestSeconds) as oldest by bin(5m)`,
  query('Unpublished events: why', publisher)`
    filter event = "event_not_published"
    | stats count() as failures by error.name, eventType
    | sort failures desc`,
  query('Refused events: which they are', [...publisher, 'function compliance-changes'])`
    filter event = "event_refused"
    | stats count() as refusals by eventId, eventType, upstreamEntityId, entityId, reason`,
  query('Stopped feeds: where and why', ['function webhooks'])`
    filter event = "feed_stopped"
    | stats count() as reads by upstreamEntityId, position, reason`,
  query('Indexes of changes that lag: which tables', ['function index-lag'])`
    filter event = "index_lags"
    | stats max(lagMs) as late by table, bin(1m)`,
  query('Unreadable events: what is wrong', publisher)`
    filter event = "outbox_item_unreadable"
    | stats count() as reads by faults.0, faults.1`,
];

/** The runbook's questions, each of which CloudWatch has as a saved query. */
export const savedQueries: readonly SavedQuery[] = [
  ...ofRequests,
  ...ofCanary,
  ...ofWorkers,
  ...ofEvents,
  ...ofOperators,
];
