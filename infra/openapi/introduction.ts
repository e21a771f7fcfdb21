import { retryDelays } from '../../functions/webhook-delivery/schedule.ts';
import {
  cappedStreamBytesPerSecond,
  MB,
  streamedAnswerBytes,
  uncappedStreamBytes,
} from '../../shared/aws/limits.ts';
import { rateLimits } from '../../shared/contract/rate-limits.ts';
import { tokenLifetimeMinutes } from '../../shared/identity/token-lifetime.ts';

/** `5 min` of 300,000 milliseconds. */
function inWords(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}

const retries = new Intl.ListFormat('en').format(retryDelays.map(inWords));

/** What holds for every operation, in Markdown: the `info.description` of the published document. */
export const introduction = `
Insurance compliance data over HTTP and JSON, for two kinds of organization. A credential belongs to one organization, and
so to one kind.

| Kind | Organization category | Can call |
|---|---|---|
| Upstream: carrier, MGA, wholesaler | \`upstreamEntity\` | \`/v1/*\` and \`/v2/upstream/*\` |
| Downstream: agency, brokerage, branch | \`downstreamEntity\` | \`/v2/downstream/*\` |

\`/v2/auth/*\` and \`/v2/heartbeat\` serve every category. Organizations of the categories \`enterpriseUpstreamEntity\` and
\`enterpriseDownstreamEntity\` can hold credentials and test them at \`/v2/auth/test-*\`; they can call nothing else. Each
tag states the category that its operations require.

## Terms
| Term | Meaning |
|---|---|
| Upstream | A carrier, MGA, or wholesaler that appoints agencies |
| Downstream | An agency or brokerage, or one of its branches |
| MGA | Managing general agent: writes and manages policies for one or more carriers |
| Association | The relationship between one upstream organization and one agency or branch |
| Market | The same association as the agency sees it; its \`_id\` is \`upstreamDownstreamAssociationId\` there |
| Producer, agent | A person licensed to sell insurance |
| NPN | National Producer Number of a person or an agency |
| NAIC code | Company code that the National Association of Insurance Commissioners gives an insurer |
| Line of authority | A kind of insurance that a license allows its holder to sell |
| Appointment | A carrier’s registered permission for a producer or an agency to sell for it in a state |
| Registry | The national producer database: licenses, appointments, and regulatory actions |
| Surplus lines filing | The report of a policy placed with a non-admitted insurer |
| Escalation | A question on an item of a filing’s checklist that waits for the customer or the service |

## Credentials
Two methods reach the same operations; send either.

- **Access token**, preferred: exchange \`clientId\` and \`clientSecret\` at \`/v2/auth/jwt\` and send
  \`Authorization: Bearer <token>\`. It is valid for ${tokenLifetimeMinutes} minutes; request the next one before
  it expires.
- **Restricted access token**: send it as \`x-restricted-access-token\`. It works from the exact addresses on its allowlist
  (no ranges; an empty list admits nobody) and until it is deleted.

With both headers present, the access token is tried first, then the restricted access token. Only the \`test-oauth\` and
\`test-restricted-access-token\` operations look at their own method alone. A deleted credential and a changed subscription
take effect within a minute.

A request is checked in this order: credential (401), address of a restricted access token (403), category (403),
entitlement (403), rate (429), validation (400), idempotency (409, 422).

## Answers
A success is \`{statusCode, data, requestId, timestamp}\`. The \`requestId\` (environment, then a UUID) is also sent as the
header \`x-request-id\`; quote it when you report a problem. Ids are 24 hexadecimal characters, accepted in either case and
returned in lower case. Times are ISO 8601, amounts are numbers in US dollars. Soft-deleted records are left out.

New fields and new enum values may appear at any time: ignore the ones you do not know.

## Lists
A list without paging returns all matches at once. It is streamed: if it is large, read it as it arrives. A failure midway
leaves the JSON unfinished, so a list that parses is complete. If the connection ends early, the answer is incomplete:
discard it and repeat the request.

Such a list can have up to ${streamedAnswerBytes / MB} MB as it is sent; the connection of a larger one always ends early. What
follows the first ${uncappedStreamBytes / MB} MB arrives at about ${cappedStreamBytesPerSecond / MB} MB a second.
Send \`Accept-Encoding: gzip\`: about ten times as many records fit, and they arrive sooner. If that is not enough, narrow
the list with its filters and make several requests.

The other lists take \`page\` (default 1) and \`limit\` (default 50, maximum 100; above that 400) and return
\`{items, total, page, limit, totalPages}\`; the transactions of a policy are
\`{transactions, total, page, limit, totalPages}\`.

## Errors
An error is \`{statusCode, requestId, errorType, errorMessage, timestamp, details?}\`. Branch on \`errorType\`, never on
\`errorMessage\`, which is prose and may change. A 401 may carry an \`errorType\` that its operation does not list; treat it as
any 401.

- **400**: \`details.issues\` names each problem as \`{path, message, accepted?}\`; \`accepted\` lists the values of an enum.
- **403**: \`details.expected\` and \`details.actual\` say what was required and what was found: categories, an allowlisted
  address and yours, a feature and \`none\`. An organization whose subscription is inactive gets the same answer as one
  without the feature \`public_api\`.
- **404**: the same for what does not exist and for what belongs to another organization.
- **413**: a body or file that is too large. Its \`errorType\` is \`validation_error\`.
- **503**: \`service_unavailable\` with \`Retry-After\`, also when AWS throttles the service.
- **5xx**: contains nothing but the \`requestId\`.

The gateway itself can reject any request: 403 \`forbidden\` (firewall), 413 \`validation_error\` (above 6 MB), 429
\`throttled\`, 504 \`gateway_timeout\` and 500. Such an answer has the same shape, with a \`timestamp\` such as
\`01/Mar/2026:14:05:09 +0000\` and an \`x-request-id\` that lacks the environment. The \`x-request-id\` of
a 403 for a category, an address or a feature lacks it too. A body above 10 MB is refused with 413 and plain text: go by the status.
The firewall answers a flood from one address with 429 \`rate_limit_exceeded\` and \`Retry-After\`; that answer is the same
for everybody, so its \`requestId\` ends in \`-firewall\` and its time is in the \`Date\` header only.

Retry 429, 500, 503, and 504 with exponential backoff, and not before \`Retry-After\` if it is sent.

## Strictness
Bodies and query strings are strict: an unknown key, or a query key given twice, is 400, because a misspelled filter must
never return everything. Numbers in a query are digits only. A malformed id in a path is 400. A wrong method or an unknown
path is 404.

## Rate limits
| What | Limit | Counted per |
|---|---|---|
| Token endpoint | ${rateLimits.token.limit} in ${rateLimits.token.windowSeconds} s | \`clientId\` and source address |
| POST, PUT, PATCH, DELETE | ${rateLimits.write.limit} in ${rateLimits.write.windowSeconds} s | credential |
| Upstream download-url, v1 and v2 together | ${rateLimits.download.limit} in ${rateLimits.download.windowSeconds} s | organization |
| Other GETs | none | |

Every answer to a counted request carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, and \`X-RateLimit-Reset\` (Unix
seconds). A 429 adds \`Retry-After\` (seconds). Windows are fixed minutes; \`X-RateLimit-Reset\` is when the current one ends.
When the counters are unavailable, requests are accepted without being counted.

## Idempotency
POST, PUT, PATCH and DELETE, except the token endpoint, take a UUID as \`idempotency-key\` or \`x-idempotency-key\`. Quotes
around it are ignored; both headers with different keys are 400. Within an hour, for the same credential, method, and path:

- the same key and body get the original status and body, byte for byte and with the original \`requestId\`, plus the header
  \`idempotency-replayed: true\`; only the \`x-request-id\` header is new;
- the same key with another body gets 422 \`unprocessable_entity\`;
- a key whose first request is still running gets 409 \`conflict\`.

Only successes are remembered: correct a rejected request and send it again with the same key. After a crash, a key can stay
busy for up to 30 seconds. If a request got a 5xx after its work was done, repeating it returns the result as a replay.

## Webhooks
Register a receiver at \`/v2/upstream/webhooks\`; the answer shows its signing secret once. The section Events lists the types
of event. Every delivery is \`{eventId, webhookType, upstreamEntityId, occurredAt, sequence, payload}\`. Events arrive at least
once and in no particular order: drop duplicates by \`eventId\`, and order by \`sequence\`.

Verify a delivery before you use it. \`X-Service-Signature\` is the HMAC-SHA256, in hexadecimal, of
\`{X-Service-Timestamp}.{body}\` keyed with the secret as it was given; compare it in constant time and refuse a timestamp
that is more than a few minutes old. A Standard Webhooks library verifies \`webhook-signature\` with the same secret.

Answer 2xx within 15 seconds and do the work afterwards. Anything else is retried after ${retries},
each time with a new signature. A retry comes up to a tenth later than that, never earlier.
\`Retry-After\` counts on 429 and 503, up to 24 hours. The answer must be complete within the 15 seconds; one of 2xx that is
longer than 2 KB is cut off and counts as success.

A 410 ends its delivery as \`failed\` and disables the webhook at once; five days of nothing but failures disable it too. While
a webhook is disabled its deliveries stay \`pending\`; they are kept for 30 days and can be redelivered or replayed.

## Sandbox
Outside production the registry is simulated. It does not know NPNs that begin with 0; what it reports for any other NPN
follows from the NPN and the current year, until an operator sets a record for it.

## Versions
\`/v1/*\` serves upstream organizations and is frozen. New operations, fields, and enum values appear under \`/v2/*\`.

## Changes
**v2** has all that v1 has, at \`/v2/auth\` and \`/v2/upstream\`, and adds:

- the downstream surface, \`/v2/downstream\`;
- policies and single transactions, carriers, lists of filings, compliance configs, and the list of compliance data
  subscriptions;
- writes on filings: policy document, checklist files, and replies to escalations;
- files of the category \`Surplus Lines\`, and \`fileDocumentId\` on every file of a filing;
- webhooks: create, get, delete, rotate the secret, test, list deliveries, redeliver, replay. v2 requires the feature
  \`webhook_settings\` for them; v1 requires no feature.

**v1** is frozen: nothing is added to it.
`.trim();
