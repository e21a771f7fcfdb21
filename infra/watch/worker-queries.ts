import { cause, crashes, query, uncaught } from './saved-query.ts';

const delivery = ['function webhook-delivery'] as const;
const reconciliation = ['function registry-reconciliation'] as const;

/** Of queues and their workers. */
export const ofWorkers = [
  query('Worker errors: crashes', ['workers'])`
    fields @timestamp, @log, ${cause}, @message
    | filter ${uncaught}
    | sort @timestamp desc`,
  query('Worker errors: whether the day’s jobs were queued', ['function license-sweep', ...reconciliation])`
    fields @timestamp, event, jobs, asOf
    | filter event in ["license_sweep_queued", "registry_reconciliation_queued"]
    | sort @timestamp desc`,
  query('Failed messages: why', ['workers'])`
    filter event in ["message_failed", "license_not_swept", "npn_not_polled"]
    | stats count() as failures by @log, event, transient, error.name, error.message
    | sort failures desc`,
  query('Old messages: why workers fail', ['workers'])`
    fields @timestamp, @log, event, ${cause}, @message
    | filter ${crashes}
    | sort @timestamp desc
    | limit 50`,
  query('Old messages: whether the registry responds', ['function registry-sync', ...reconciliation])`
    filter event in ["registry_unavailable", "npn_not_polled"]
    | stats count() as failures by event, error.message, bin(5m)`,
  query('Old messages: who occupies the workers', delivery)`
    filter event = "webhook_drain"
    | stats count() as leases, sum(attempts) as made, sum(durationMs) as spent by outcome, queue, webhookId
    | sort spent desc`,
  query('Old messages: what receivers answer', delivery)`
    filter event = "webhook_delivery"
    | stats count() as made by webhookId, outcome, statusCode, fault
    | sort made desc`,
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
  query('Late deliveries: whose they are', delivery)`
    filter event = "webhook_drain" and queue = "healthy"
    | stats count() as leases, sum(attempts) as made, max(lateSeconds) as late, sum(durationMs) as spent by webhookId, outcome
    | sort late desc`,
  query('Unreadable deliveries: which they are', delivery)`
    filter event = "delivery_unreadable"
    | stats count() as checks by upstreamEntityId, webhookId, deliveryId, error.message`,
  query('Overdue NPNs: how far each reconciliation is', reconciliation)`
    filter event in ["registry_reconciliation_queued", "registry_reconciliation"]
    | stats sum(jobs) as queued, max(position) as reached, sum(npns) as polled, sum(failed) as failures by event, asOf`,
  query('Overdue NPNs: why polls fail', reconciliation)`
    filter event = "npn_not_polled"
    | stats count() as failures by error.name, error.message
    | sort failures desc`,
  query('Registry changes missing: which days', reconciliation)`
    filter event in ["registry_changes", "registry_changes_missing", "registry_calls_used_up"]
    | fields @timestamp, event, named, subscribed, until, missing.0, missing.1, missing.2, npns, error.message
    | sort @timestamp desc`,
  query('Rows set aside: which fields', ['function registry-sync', 'function import', ...reconciliation])`
    filter event = "rows_set_aside"
    | stats count() as npns, sum(rows) as setAside by faults.0, faults.1
    | sort setAside desc`,
  query('Dead messages: why', ['workers'])`
    fields @timestamp, @log, event, messageId, faults.0, error.name, error.message
    | filter event in ["message_failed", "registry_unavailable", "message_dead_lettered"]
    | sort @timestamp desc`,
];

const canary = ['function canary'] as const;

/** Of the canary. */
export const ofCanary = [
  query('Canary: which step failed and why', canary)`
    filter event = "canary_failed"
    | fields @timestamp, step, status, reason, requestId
    | sort @timestamp desc`,
  query('Canary: what callers felt', canary)`
    filter event = "canary_step"
    | stats pct(ms, 50) as p50, max(ms) as slowest by step, bin(1h)`,
];

/** Of operators: CloudTrail has who called, the function what it did, and both the id of the call. */
export const ofOperators = [
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
