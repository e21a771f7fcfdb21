import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type AnyEvent, anyEvent, eventOf } from '#domain/events/payloads.ts';
import { type ReceivedRequest, type Reply, startReceiver } from './receiver.ts';

/** An event as an address received it. */
interface Delivered {
  readonly event: AnyEvent;
  /** The body as received: the same at every delivery of an event. */
  readonly body: string;
  readonly webhookId: string;
  readonly timestamp: string;
}

/** Parses an event, which must match the schema of its type exactly. */
export function readEvent(body: string): AnyEvent {
  const given: unknown = JSON.parse(body);
  const { webhookType } = z.parse(anyEvent, given);
  const event = z.parse(eventOf(webhookType), given);
  // Parsing removes properties that are not in the schema.
  if (!sameJson(event, given))
    throw new Error(`An event ${webhookType} has properties that are not in its schema: ${body}`);
  return event;
}

/** Whether two values are equal as JSON, in any order of properties. */
export function sameJson(one: unknown, other: unknown): boolean {
  const ordered = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1)))
      : value;
  return JSON.stringify(one, ordered) === JSON.stringify(other, ordered);
}

const header = ({ headers }: ReceivedRequest, name: string): string => String(headers[name] ?? '');

/** Whether one of the secrets verifies `X-Service-Signature`. */
const isSigned = (got: ReceivedRequest, secrets: readonly string[]): boolean => {
  const signed = `${header(got, 'x-service-timestamp')}.${got.body}`;
  return secrets.some(
    (secret) =>
      createHmac('sha256', secret).update(signed).digest('hex') === header(got, 'x-service-signature'),
  );
};

/** How often to check while waiting. */
const everyMs = 50;

/**
 * A receiver of events that verifies each delivery's signature and schema.
 * @param reply the response to each delivery; 204 by default.
 */
export async function startEventReceiver(
  reply: (path: string, got: ReceivedRequest) => Reply | Promise<Reply> = () => 204,
) {
  const receiver = await startReceiver(reply);
  const secrets = new Map<string, string[]>();

  /** The deliveries to an address so far, in order. @throws Error if one is not signed, or not an event. */
  const deliveredTo = (path: string): Delivered[] =>
    receiver.got
      .filter((got) => got.path === path)
      .map((got) => {
        const webhookId = header(got, 'x-service-webhook-id');
        if (!isSigned(got, secrets.get(webhookId) ?? [])) throw new Error(`Not signed: ${got.body}`);
        const { body } = got;
        return { event: readEvent(body), body, webhookId, timestamp: header(got, 'x-service-timestamp') };
      });

  return {
    url: receiver.url,
    close: receiver.close,
    /** Every request received. */
    got: receiver.got,
    deliveredTo,
    /** Adds a secret of a webhook, which has several after a rotation. */
    addSecret(webhookId: string, secret: string): void {
      secrets.set(webhookId, [...(secrets.get(webhookId) ?? []), secret]);
    },
    /** Waits until an address has received `count` deliveries that match. */
    async until(
      path: string,
      matches: (event: AnyEvent) => boolean,
      { count = 1, within = 170_000 }: { readonly count?: number; readonly within?: number } = {},
    ): Promise<Delivered[]> {
      const deadline = Date.now() + within;
      for (;;) {
        const found = deliveredTo(path).filter(({ event }) => matches(event));
        if (found.length >= count) return found;
        if (Date.now() > deadline) {
          const seen = deliveredTo(path).map(({ event }) => event.webhookType);
          throw new Error(
            `${found.length} of ${count} came to ${path} within ${within} ms; seen: ${seen.join(', ')}`,
          );
        }
        await pause(everyMs);
      }
    },
  };
}

export type EventReceiver = Awaited<ReturnType<typeof startEventReceiver>>;
