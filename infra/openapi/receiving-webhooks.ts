import { attemptsAtOnce } from '../../functions/webhook-delivery/lease-limits.ts';
import { retryDelays } from '../../functions/webhook-delivery/schedule.ts';
import { feedDays } from '../../shared/domain/events/stored.ts';
import { failingAfter, failingDays } from '../../shared/domain/webhooks/health.ts';

/** `5 min` of 300,000 milliseconds. */
function inWords(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}

const retries = new Intl.ListFormat('en').format(retryDelays.map(inWords));

/** The chapter of the document on receiving webhooks. */
export const receivingWebhooks = `
Register a receiver at \`/v2/upstream/webhooks\`; the response contains its signing secret, which is shown only once. The tag
Events lists the types of events. The body of every delivery is
\`{eventId, webhookType, upstreamEntityId, occurredAt, sequence, payload}\`. Events are delivered at least once and in no
particular order: use \`eventId\` to drop duplicates and \`sequence\` to order them. \`sequence\` increases by one for each
entity and type of event: compare it only with that of the same entity and type, not across an organization’s events.

Verify a delivery before you use it. \`X-Service-Signature\` is the HMAC-SHA256, in hexadecimal, of
\`{X-Service-Timestamp}.{body}\`, keyed with the secret exactly as returned. Compare it in constant time, and reject a
timestamp that is more than a few minutes old. A Standard Webhooks library verifies \`webhook-signature\` with the same secret;
“Quickstart” has a receiver that does.

Respond with 2xx within 15 seconds, and process the event afterwards. Anything else is retried after ${retries},
each time with a new signature. A retry can be up to 10% later than that, but never earlier. These times are lower bounds:
a retry is due after them, and is usually made within another minute.
\`Retry-After\` is honored on 429 and 503, up to 24 hours. The whole response must arrive within the 15 seconds; a 2xx
response longer than 2 KB is truncated and counts as success.

At most ${attemptsAtOnce.healthy} deliveries to a webhook are under way at once: a receiver that responds within 100 ms gets about 100 a second, and
a slower one fewer. A webhook is failing after ${failingAfter} failures in a row, or when a response does not arrive in time. It then gets one
delivery at a time, during at most half of the time, until one succeeds.

A 410 marks its delivery as \`failed\` and disables the webhook immediately. A webhook is also disabled when every attempt
fails for ${failingDays} days. While a webhook is disabled, its deliveries stay \`pending\`; they are kept for ${feedDays} days and can be
redelivered or replayed.

Without a webhook, poll \`GET /v2/upstream/events\`: it returns the same events, each once and in one order.
`.trim();
