import { query } from './saved-query.ts';

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
    | stats min(@timestamp) as time, sortsLast(userIdentity.arn) as who, sortsLast(sourceIPAddress) as address, sortsLast(command) as what, sortsLast(organizationId) as organization, sortsLast(coalesce(clientId, tokenId)) as credential, sortsLast(outcome) as ended by call
    | sort time desc`,
  query('A leaked credential: what was done with it', ['access log'])`
    filter credentialId = "<clientId or tokenId>"
    | stats count() as requests, min(@timestamp) as since, max(@timestamp) as until by sourceIp, userAgent, route, status
    | sort requests desc`,
];
