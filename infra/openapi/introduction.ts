import { rateLimits } from '../../shared/contract/rate-limits.ts';

/** What holds for every operation, in Markdown: the `info.description` of the published document. */
export const introduction = `
Insurance compliance data over HTTP and JSON, for two kinds of organization. A credential belongs to one organization and
so to one kind.

| Kind | Organization category | Reaches |
|---|---|---|
| Upstream: carrier, MGA, wholesaler | \`upstreamEntity\` | \`/v1/*\` and \`/v2/upstream/*\` |
| Downstream: agency, brokerage, branch | \`downstreamEntity\` | \`/v2/downstream/*\` |

\`/v2/auth/*\` and \`/v2/heartbeat\` serve every category. Organizations of the categories \`enterpriseUpstreamEntity\` and
\`enterpriseDownstreamEntity\` can hold credentials and try them at \`/v2/auth/test-*\`; they reach no other surface. Each
tag states the category that its operations require.

## Credentials
Two methods reach the same operations; send either.

- **Access token**, preferred: exchange \`clientId\` and \`clientSecret\` at \`/v2/auth/jwt\` and send
  \`Authorization: Bearer <token>\`. It lives 60 minutes; ask for the next one before it expires.
- **Restricted access token**: send it as \`x-restricted-access-token\`. It works from the exact addresses on its allowlist
  (no ranges; an empty list admits nobody) and until it is deleted.

With both headers present the access token is tried first and the restricted access token when that fails. Only a
\`test-oauth\` or \`test-restricted-access-token\` operation looks at its own method alone. A deleted credential and a changed
subscription take effect within a minute.

A request is checked in this order: credential (401), address of a restricted access token (403), category (403),
entitlement (403), rate (429), validation (400), idempotency (409, 422).

## Answers
A success is \`{statusCode, data, requestId, timestamp}\`. The \`requestId\` (environment, then a UUID) is also sent as the
header \`x-request-id\`; quote it when you report a fault. Ids are 24 hexadecimal characters, times are ISO 8601, amounts
are numbers in US dollars. Soft-deleted records are left out.

New fields and new enum values may appear at any time: tolerate what you do not know.

## Lists
A list that says so answers every match at once, without paging. It is streamed: read it as it arrives if it is large. A
failure on the way leaves the JSON unfinished, so a list that parses is complete.

The other lists take \`page\` (default 1) and \`limit\` (default 50, maximum 100; above it 400) and answer
\`{items, total, page, limit, totalPages}\`, the transactions of a policy \`{transactions, total, page, limit, totalPages}\`.

## Errors
An error is \`{statusCode, requestId, errorType, errorMessage, timestamp, details?}\`. Branch on \`errorType\`, never on
\`errorMessage\`, which is prose and may change. A 401 may carry an \`errorType\` outside the list of its operation; treat it
as a failure of its status.

- **400**: \`details.issues\` names each fault as \`{path, message, accepted?}\`; \`accepted\` lists the values of an enum.
- **403**: \`details.expected\` and \`details.actual\` say what was needed and what was there: categories, an allowlisted
  address and yours, a feature and \`none\`.
- **404**: the same for what does not exist and for what belongs to another organization.
- **5xx**: says nothing but the \`requestId\`.

The gateway can refuse any request by itself: 403 \`forbidden\` (firewall), 413 \`validation_error\` (above 6 MB), 429
\`throttled\`, 504 \`gateway_timeout\` and 500. Such an answer has the same shape, with a \`timestamp\` such as
\`01/Mar/2026:14:05:09 +0000\` and an \`x-request-id\` that lacks the environment. The \`x-request-id\` of
a 403 for a category, an address or a feature lacks it too. A body above 10 MB is refused with 413 and plain text: go by the status.

Retry 429, 500, 503 and 504 with exponential backoff, not before \`Retry-After\` where it is sent.

## Strictness
Bodies and query strings are strict: an unknown key, and a query key given twice, is answered with 400, for a misspelt
filter must never return everything. A malformed id in a path is 400. A wrong method or an unknown path is 404.

## Rate limits
| What | Limit | Counted per |
|---|---|---|
| Token endpoint | ${rateLimits.token.limit} in ${rateLimits.token.windowSeconds} s | \`clientId\` and source address |
| POST, PUT, PATCH, DELETE | ${rateLimits.write.limit} in ${rateLimits.write.windowSeconds} s | credential |
| Upstream download-url, v1 and v2 together | ${rateLimits.download.limit} in ${rateLimits.download.windowSeconds} s | organization |
| Other GETs | none | |

Every answer to a counted request carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (Unix
seconds). A 429 adds \`Retry-After\` (seconds).

## Idempotency
POST, PUT, PATCH and DELETE, except the token endpoint, take a UUID as \`idempotency-key\` or \`x-idempotency-key\`. Quotes
around it are tolerated; both headers with different keys are 400. Within an hour, for the same credential, method and
path:

- the same key and body get the original status and body, with the header \`idempotency-replayed: true\`;
- the same key with another body gets 422 \`unprocessable_entity\`;
- a key whose first request is still running gets 409 \`conflict\`.

Only successes are remembered: correct a refused request and send it again under the same key.

## Webhooks
Register a receiver at \`/v2/upstream/webhooks\`; the answer shows its signing secret once. The section Events lists what it
is sent. Every delivery is \`{eventId, webhookType, upstreamEntityId, occurredAt, sequence, payload}\`, at least once and in no
certain order: drop what you have by its \`eventId\`, and order by \`sequence\`.

Verify a delivery before you use it. \`X-Service-Signature\` is the HMAC-SHA256, in hexadecimal, of
\`{X-Service-Timestamp}.{body}\` keyed with the secret as it was given; compare it in constant time and refuse a timestamp
that is more than some minutes old. A library of Standard Webhooks verifies \`webhook-signature\` with the same secret.

Answer 2xx within 15 seconds and work afterwards. Anything else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h,
14 h, 20 h and 24 h, each time signed anew. 410 disables the webhook at once, five days of failures disable it as well; its
events are kept for 30 days and can be replayed.

## Versions
\`/v1/*\` serves upstream organizations and is frozen. \`/v2/*\` is where new operations appear.
`.trim();
