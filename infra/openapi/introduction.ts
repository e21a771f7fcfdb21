import {
  cappedStreamBytesPerSecond,
  gatewayHeaderBytes,
  gatewayRequestBytes,
  invocationBytes,
  MB,
  streamedAnswerBytes,
  uncappedStreamBytes,
} from '../../shared/platform/aws/limits.ts';
import {
  basicChallenge,
  challenge,
  commonHeaders,
  remappedChallenge,
} from '../../shared/platform/contract/common-headers.ts';
import { rateLimits } from '../../shared/platform/contract/rate-limits.ts';
import { tombstoneDays } from '../../shared/platform/contract/updated-since.ts';
import { updatedUntilHeader, updatedUntilLagMs } from '../../shared/platform/contract/updated-until.ts';
import { v1DeprecatedAt } from '../../shared/platform/contract/v1.ts';
import { mostIssues } from '../../shared/platform/errors/issue.ts';
import { tokenLifetimeMinutes } from '../../shared/platform/identity/token-lifetime.ts';
import { changes } from './changes.ts';
import { complianceDocumentation } from './compliance.ts';
import { matchingDocumentation } from './matching.ts';
import { quickstart } from './quickstart.ts';
import { receivingWebhooks } from './receiving-webhooks.ts';
import { complianceOfPolicies, saleChecks } from './sale-checks.ts';
import { webhookDestinations } from './webhook-destinations.ts';

const headerList = new Intl.ListFormat('en').format(
  Object.entries(commonHeaders).map(([name, value]) => `\`${name}: ${value}\``),
);

/** MB of a body that fits into an invocation: base64 adds a third to it, and the rest of the event is small. */
const largestBody = ((invocationBytes * 3) / 4 / MB - 0.1).toFixed(1);

/** What applies to every operation, in Markdown: the `info.description` of the published document. */
export const introduction = `
## Quickstart
${quickstart}

## Who can call what
A credential belongs to one organization.

| Kind | Organization category | Can call |
|---|---|---|
| Upstream: carrier, MGA, wholesaler | \`upstreamEntity\` | \`/v1/*\` and \`/v2/upstream/*\` |
| Downstream: agency, brokerage, branch | \`downstreamEntity\` | \`/v2/downstream/*\` |

Organizations of every category can call \`/v2/auth/*\` and \`/v2/heartbeat\`. Organizations of the categories
\`enterpriseUpstreamEntity\` and \`enterpriseDownstreamEntity\` can have credentials and test them at \`/v2/auth/test-*\`, but
cannot call any other operation. Each tag states the category that its operations require.

## Terms
| Term | Meaning |
|---|---|
| Upstream | A carrier, MGA, or wholesaler that appoints agencies |
| Downstream | An agency or brokerage, or one of its branches |
| MGA | Managing general agent: writes and manages policies for one or more carriers |
| Downstream entity, entity | An agency or branch as a record |
| Association | The relationship between one upstream organization and one agency or branch |
| Market | The same association, seen by the agency. Agencies send its \`_id\` as \`upstreamDownstreamAssociationId\` |
| Producer, agent | A person licensed to sell insurance |
| NPN | National Producer Number, which identifies a person or an agency |
| NAIC code | Company code that the National Association of Insurance Commissioners assigns to an insurer |
| Line of authority | A kind of insurance that a license allows its holder to sell |
| Appointment | A carrier’s registered permission for a producer or an agency to sell for it in a state |
| EIN, FEIN | Employer Identification Number, which identifies a business to the tax authority |
| Compliance config | What a product requires, by state, of those who sell it: lines of authority and appointments |
| Registry | The national producer database: licenses, appointments, and regulatory actions |
| Compliance data subscription | An organization’s subscription to the registry records of one NPN |
| Surplus lines filing | The report of a policy placed with a non-admitted insurer |
| Escalation | A question about an item of a filing’s checklist, which waits for a reply from the customer or the service |

## Credentials
Authenticate with either of two kinds of credentials. Both give access to the same operations.

- **Access token** (recommended): exchange \`clientId\` and \`clientSecret\` at \`/v2/auth/jwt\` and send
  \`Authorization: Bearer <token>\`. It is valid for ${tokenLifetimeMinutes} minutes; request the next one before
  it expires, and after a 401: the keys that sign tokens are replaced from time to time, in an emergency at once. OAuth
  libraries get the same token at \`/v2/oauth/token\` (RFC 6749, client credentials).
- **Restricted access token**: send it as \`x-restricted-access-token\`. It works only from the IP addresses on its
  allowlist, until it is deleted. The allowlist has exact addresses, no ranges; an empty one allows no address.

If you send both headers, the access token is tried first, then the restricted access token. The operations \`test-oauth\` and
\`test-restricted-access-token\` each check only the kind of credential in their name. Deleting a credential or changing a
subscription takes effect within a minute.

Requests are checked in this order: credential (401), address of a restricted access token (403), category (403),
feature (403), rate limit (429), validation (400), idempotency (409, 422).

## May she sell?
${saleChecks}

## Compliance of policies
${complianceOfPolicies}

## Responses
A successful response is \`{statusCode, data, requestId, timestamp}\`. The \`requestId\` (environment, then a UUID) is also
sent in the \`x-request-id\` header; quote it when you report a problem. Ids are 24 hexadecimal characters, accepted in either
case and returned in lower case. Times are in ISO 8601 format. Amounts are numbers in US dollars. Soft-deleted records are
not returned.

Every response has the headers ${headerList}, so nothing between you and the API may store one; \`/v2/jwks.json\` alone may be kept for an hour.

New fields and new enum values may be added at any time: ignore those you do not recognize. \`x-extensible-enum\` lists the
values of a field so far; only an \`enum\` has no others.

## Lists
A list without paging returns all matches in one streamed response; process a large one as it arrives. If the stream fails
midway, the JSON is incomplete, so a response that parses is complete. If the connection closes early, discard what you
received and repeat the request.

Such a response can be up to ${streamedAnswerBytes / MB} MB as sent; the connection of a larger one always closes early. What
follows the first ${uncappedStreamBytes / MB} MB arrives at about ${cappedStreamBytesPerSecond / MB} MB per second.
Send \`Accept-Encoding: gzip\`: about ten times as many records fit, and they arrive sooner. If that is not enough, narrow
the list with its filters and make several requests.

The other lists take \`page\` (default 1) and \`limit\` (default 50, maximum 100; a larger one gets 400) and return
\`{items, total, page, limit, totalPages}\`. The transactions of a policy are returned as
\`{transactions, total, page, limit, totalPages}\`.

## Following a list
The lists of policies, agents, associations, and a carrier’s surplus lines filings under \`/v2\` can be followed without a webhook. Every response to them has the header
\`${updatedUntilHeader}\`, also without \`updatedSince\`:

1. Read the whole list, without filters, and store its records with that header.
2. Repeat the request with \`updatedSince\` set to the header of the response before. Replace each record that arrives, and remove
   each that arrives as \`{_id, isDeleted: true, updatedAt}\`. Once the response is complete, store its header.

The header is ${updatedUntilLagMs / 60_000} minutes before the request started, so that what was being written then is in the next response. So a record can
arrive again although nothing changed, also twice in one response; none is missed. Use the header and not a clock of your own, nor
the \`updatedAt\` of a record, which an import can set. Records arrive in no particular order, each as it is when it is read.

What is shown with a record is part of it: when an agency changes, so do its associations, and when a subscription to the registry
changes, so do the agents and associations that show it. The registry is polled every night, which changes every subscription.

A deletion is returned for ${tombstoneDays} days; an earlier \`updatedSince\` gets 400, and the list must be read again as a whole. So does one
from before the service’s data was restored to an earlier time, as after a disaster. A time in
the future is accepted, and nothing has changed since. \`updatedSince\` can’t be combined with other filters.

What is recorded of licenses, appointments, and regulatory actions can be followed as well: see \`listRegistryChanges\`.

\`GET /v2/upstream/events\` takes \`after\` instead of \`page\` and returns \`{items, next, hasMore}\`; send \`next\` as the next
\`after\`.

## Matching

${matchingDocumentation()}

## How compliance is decided

${complianceDocumentation()}

## What was true on a day
Licenses and appointments keep their versions for ten years. Take a policy bound by a producer whose Texas license lapsed the
month before and was renewed after. The operations say, of her and of her agency:

| Question | Request under \`/v2/upstream\` | Answer |
|---|---|---|
| Is the agency licensed now? | \`…/policy-compliance-statuses\` | \`Licensed\`, \`basis: current\` |
| Was it when the policy took effect? | The same: \`atEffectiveDate\` | \`Expired License\`, \`basis: history\` |
| Was she on a day? | \`…/license-compliance-statuses\` with \`asOf\` | \`Expired License\`, \`basis: history\` |
| When did the license expire? | \`/events?types=AGENT_LICENSE_EXPIRED\` | \`nextRenewalDate\` in the \`payload\` |

## Agencies that move
On \`/v2/downstream\`, whose a record is follows its agency: filings, markets, contacts, license requests, corporate registrations,
and files uploaded for a market belong to the organization to which the agency belongs at that moment. When an agency moves to
another organization, the new one has all of them at once, also those from before, and for the old one they are 404. When an
agency joins its first organization, the organization has the records from before; when it leaves, none has them.

Files uploaded for no market stay with the organization that uploaded them. Producers, licenses, and appointments stay with
the organization for which they were recorded; its producers no longer name an agency that left.

## Errors
An error response is \`{statusCode, requestId, errorType, errorMessage, timestamp, details?}\`. Branch on \`errorType\`, never
on \`errorMessage\`, which is for people and may change. Operations share the description of their errors; each lists the
\`errorType\`s that it returns. A 401 may have an \`errorType\` that its operation does not list; treat
it like any other 401.

- **400**: \`details.issues\` describes each problem as \`{path, message, accepted?}\`; \`accepted\` lists the values of an enum,
  or for an unknown key the fields of its object, or the parameters. After the first ${mostIssues} problems, the last issue says how many more there are.
- **401**: \`WWW-Authenticate\` is \`${challenge}\`, whether the credential is missing or not valid. Of the
  token endpoints, \`/v2/auth/jwt\`, which takes no such header, does not send it; \`/v2/oauth/token\` sends
  \`${basicChallenge}\`, which the gateway renames to \`${remappedChallenge}\`.
- **403**: \`details.expected\` and \`details.actual\` state what was required and what was found: two categories, an
  allowlisted address and yours, or a feature and \`none\`. An organization whose subscription is inactive gets the same
  response as one without the feature \`public_api\`.
- **404**: the resource does not exist or belongs to another organization; the response is the same. If a field of the body or
  the query names it, \`details.issues\` has the field.
- **409**: one that passes by itself, such as that of a file being scanned, has \`Retry-After\`: send the same request again. One
  without it needs another request.
- **413**: the body (as JSON, above 256 KB) or file is too large. Its \`errorType\` is \`validation_error\`.
- **503**: \`service_unavailable\` with \`Retry-After\`, also when AWS throttles the service.
- **5xx**: the response does not explain the cause; report the \`requestId\`.

The gateway itself can reject any request: 403 \`forbidden\` (firewall), 413 \`validation_error\` (above ${largestBody} MB), 429
\`throttled\`, 504 \`gateway_timeout\`, and 500. These responses have the same shape, but their \`timestamp\` has the form
\`01/Mar/2026:14:05:09 +0000\` and their \`x-request-id\` does not begin with the environment. Nor does the \`x-request-id\` of
a 401, except at the token endpoints. A body above ${gatewayRequestBytes / MB} MB gets a 413 in plain text, and a request line
with headers above ${gatewayHeaderBytes} bytes gets a 431 in plain text: rely on the status.
When one address sends too many requests, the firewall responds with 429 \`rate_limit_exceeded\` and \`Retry-After\`. That
response is the same for every request: its \`requestId\` ends in \`-firewall\`, and the time is only in the \`Date\` header.

The errors of \`/v2/oauth/token\` have the shape of RFC 6749, \`{error, error_description}\`, but for a 429 and those of the gateway
itself.

Retry 429, 500, 503, 504, and a 409 that has \`Retry-After\` with exponential backoff, and no earlier than \`Retry-After\` if it is sent.

## Validation
An unknown key in a body or query string, or a query key that is sent twice, gets 400, so that a misspelled filter never
returns everything; only in the form of \`/v2/oauth/token\` unknown parameters are ignored. Numbers in a query are digits only. A malformed id in a path gets 400. A wrong method or an unknown path
gets 404; a slash at the end of a path is ignored.

Bodies are UTF-8. Bytes that are not, and a \`charset\` other than \`utf-8\` in the \`content-type\`, get 400. Text that is
stored is trimmed and normalized to NFC, so that a response can differ from the request in that. Text that is empty, or has
control characters, unpaired surrogates, or code points that are not characters, such as U+FFFF, gets 400; only texts of several
lines, such as notes and messages, can have line breaks and tabs, and invisible characters (zero-width spaces, soft hyphens,
marks of the writing direction, Hangul fillers). Emoji are fine. \`externalId\` and \`producerCode\` are compared by NFKC;
\`policyNumber\`, \`uniqueTransactionId\`, and \`externalReference\` exactly as they are stored, case and full-width characters
included. Stored amounts are between -10^12 and 10^12, and none is nearer to 0 than 10^-9 without being 0.

## Rate limits
| What | Limit | Counted per |
|---|---|---|
| Token endpoints together | ${rateLimits.token.limit} in ${rateLimits.token.windowSeconds} s | \`clientId\` and source address |
| Token endpoints together | ${rateLimits.tokenAddress.limit} in ${rateLimits.tokenAddress.windowSeconds} s | source address |
| POST, PUT, PATCH, DELETE | ${rateLimits.write.limit} in ${rateLimits.write.windowSeconds} s | credential |
| Upstream download-url, v1 and v2 together | ${rateLimits.download.limit} in ${rateLimits.download.windowSeconds} s | organization |
| Other GETs | none | |

Every response to a counted request has the headers \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, and \`X-RateLimit-Reset\`
(Unix seconds). A 429 adds \`Retry-After\` (seconds). Windows are fixed minutes; \`X-RateLimit-Reset\` is when the current one
ends. With several limits, the headers describe the one that is closest. When the counters are unavailable, requests are accepted without being counted.

## Idempotency
POST, PUT, PATCH, and DELETE, except the token endpoints and previews, accept a UUID in the header \`idempotency-key\` or
\`x-idempotency-key\`. Quotes around it are ignored; different keys in the two headers get 400. Within an hour, for the same
credential, method, and resource (the path with its ids, however it is spelled):

- the same key and body return the original status and body, byte for byte and with the original \`requestId\`, plus the
  header \`idempotency-replayed: true\`; only the \`x-request-id\` header is new;
- the same key with a different body gets 422 \`unprocessable_entity\`;
- a key whose first request is still being processed gets 409 \`conflict\` with \`Retry-After\`.

Only successful responses are stored: correct a rejected request and send it again with the same key. After a crash, a key
can stay locked for up to 30 seconds. If a request failed with a 5xx after its changes were made, repeating it with the same
key returns the result as a replay. What is stored is encrypted with a key that is derived from yours, which is not stored:
generate random UUIDs (version 4).

## Webhooks
${receivingWebhooks}

${webhookDestinations}

## Sandbox
Outside production, the registry is simulated. It does not recognize NPNs of ten digits that begin with 9. What it reports for any other
NPN is derived from the NPN and the current year, unless an operator has set a record for it.

## Versions
\`/v1/*\` serves upstream organizations and is frozen: it keeps working, and nothing is added to it. New operations, fields,
and enum values appear under \`/v2/*\`. Every operation of v1 has a successor in v2 and is marked \`deprecated\`, so that
generated clients warn about its use; no date is set for its removal. Its responses, errors too, have the headers
\`Deprecation: @${v1DeprecatedAt}\` (RFC 9745) and \`Link: <…>; rel="successor-version"\` with the address in v2; only what the
gateway itself responds, such as a 401, has neither.

## Changes
${changes}

## Generated clients
Generators make a client of this document as it is. Uploads accept JSON and a form: a generator that supports one media type
for each operation takes JSON, the presigned URL. For the form, remove \`application/json\` from the request bodies of the
uploads first. openapi-typescript makes a file in a form a \`string\`; its option \`transform\` makes it a \`Blob\`.
`.trim();
