import type * as z from 'zod/mini';
import { longestMs, mostBytes } from '#domain/compliance-changes/report.ts';
import { expiringWindowDays } from '#domain/decision/renewal.ts';
import { documentedEvents as events } from '#domain/events/docs.ts';
import { longestAnswer, secretOverlapHours } from '#domain/webhooks/resource.ts';
import { KB } from '#platform/aws/limits.ts';
import type { Parameter, Tag, UsedComponents } from './components.ts';
import type { PublishedSchemas } from './schemas.ts';

export const eventsTag: Tag = {
  name: 'Events',
  description: `Events that the service delivers to webhooks, and that the feed has (“Webhooks”).

- **Test events**: \`isTest\` is \`true\`, the ids are examples, and \`sequence\` is 1. They are never replayed.
- **Created and updated**: \`…_CREATED\` is also sent when a deleted record is restored. \`…_UPDATED\` is sent when something changed that the receiver can see. No event is sent for a deletion. Imports by operators send events only if the operator requests them.
- **Agencies**: a change to an agency is sent for each of its associations, to the carrier of that association.
- **Documents**: \`DOCUMENT_UPLOADED\` goes to the carrier that uploads the file, or, for a file that an agency uploads for a market, to that market’s carrier; for a file sent to a presigned URL, when the file is first used.
- **Licenses**: \`…_EXPIRING\` is sent ${expiringWindowDays} days before the renewal date, or the expiration date of a license that has no renewal date, and \`…_EXPIRED\` the day after it, once for each license and date. If the expiration date is earlier than the renewal date, the license ends on it, before this event: go by \`…_COMPLIANCE_STATUS_CHANGE\`. A license whose date is corrected to a day that has passed is reported as expired on the next morning. They refer to the agent or the association with the NPN of the license; if several branches share it, to the one with the lowest id; for an NPN that is both an agent’s and an agency’s, both events are sent, also of regulatory actions. A missed day is always made up for: \`daysUntilExpiration\` is then less than ${expiringWindowDays}.
- **Registry**: every night, before licenses are checked, the registry is visited for the NPNs that organizations subscribe to: first those that were never verified, that somebody asked for, and with a license that ends within a month, then those not verified for longest. Where the visits of a night are limited, the others come later: \`verifiedAt\` of a sale check says when. \`ENTITY_COMPLIANCE_DATA_SYNCHRONIZED\` is sent if licenses or appointments changed, and after every requested synchronization. For an agent or agency that is new, or whose NPN has changed, the registry is visited within minutes; if an operator imports it without events, this visit sends none.
- **Regulatory actions**: \`…_ADDED\` is sent for every action that was not reported before, and \`…_UPDATED\` when one of nine fields differs from what was last reported; a date that is only written differently counts as the same.
- **Compliance changes** are sent a minute after the last change to an entity, and at most ${longestMs / 60_000} minutes after the first. They follow from a change to requirements, licenses, appointments, or the organization’s NAIC codes and EINs, and from days on which one of these begins or ends. What the lists return now is compared with what was last reported; the names of statuses are compared, not their messages, and a change that is undone in the meantime is not sent. What an operator imports without events, and what the registry’s first visit for it finds, is not sent. A state that the requirements name for the first time is a change; one that they no longer name is \`STATE_REMOVED\`. An event of more than ${mostBytes.toLocaleString('en')} bytes is split.
- **Contracts**: there is one contract for each association and template; when it is completed, both events are sent. \`signedFileDocumentId\` is the carrier’s file document that contains the signed contract; it is absent when the contract was executed without a file.`,
};

/** The schemas of the events. */
export const eventSchemas: readonly z.core.$ZodType[] = events.map(({ schema }) => schema);

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
});

/** Headers of a delivery: the service's own, and those of Standard Webhooks. */
const headers: readonly Parameter[] = [
  header(
    'X-Service-Signature',
    'HMAC-SHA256, in hexadecimal, of `{timestamp}.{body}`, keyed with the webhook’s secret exactly as returned. Verify it before you use the event.',
    '3a5f0c9e7b1d2f4a6c8e0b3d5f7a9c1e3b5d7f9a1c3e5b7d9f1a3c5e7b9d1f3a',
  ),
  header('X-Service-Timestamp', 'Time at which this attempt was signed, in Unix seconds.', '1780304400'),
  header(
    'X-Service-Webhook-Id',
    'Id of the webhook, which tells you which secret to verify with.',
    '65f0c1d2e3a4b5c6d7e8f914',
  ),
  header('webhook-id', 'The `eventId` (Standard Webhooks).', '0d6c4f0e-4c0c-8f5e-9a51-2f6a3c1d7b21'),
  header('webhook-timestamp', 'Same as `X-Service-Timestamp` (Standard Webhooks).', '1780304400'),
  header(
    'webhook-signature',
    `Standard Webhooks signatures, separated by spaces. For ${secretOverlapHours} hours after a rotation there are two, one for each secret.`,
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** `AGENT_LICENSE_EXPIRING` as an operationId: `onAgentLicenseExpiring`. */
const operationIdOf = (type: string): string =>
  `on${type
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')}`;

/** The request that a receiver gets for each type of event, as the `webhooks` of an OpenAPI document. */
export function webhooksOf(schemas: PublishedSchemas, components: UsedComponents) {
  const parameters = headers.map((parameter) => components.parameter(parameter.name, parameter));
  return Object.fromEntries(
    events.map(({ type, schema }) => {
      const json = schemas.of(schema, 'output');
      const payload = schemas.resolve(json).properties?.['payload'];
      if (typeof payload !== 'object') throw new Error(`The event ${type} has no payload.`);
      const post = {
        operationId: operationIdOf(type),
        tags: [eventsTag.name],
        summary: type,
        description: schemas.resolve(payload).description ?? type,
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: json, example: schemas.exampleOf(json) } },
        },
        responses: {
          '2XX': {
            description: `The event was received; at most ${longestAnswer / KB} KB of the response are read.`,
          },
          '410': { description: 'The webhook is disabled.' },
          '4XX': { description: 'The event was not received and is sent again.' },
        },
      };
      return [type, { post }];
    }),
  );
}
