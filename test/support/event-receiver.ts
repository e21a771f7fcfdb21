import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type AnyEvent, anyEvent, eventOf } from '../../shared/events/event.ts';
import { type Got, type Reply, startReceiver } from './receiver.ts';

/** An event as it came to an address. */
export interface Delivered {
  readonly event: AnyEvent;
  /** The body as it came: the same at every delivery of an event. */
  readonly body: string;
  readonly webhookId: string;
  readonly timestamp: string;
}

/** The event that a body holds, which must be exactly what the schema of its type says. */
export function readEvent(body: string): AnyEvent {
  const given: unknown = JSON.parse(body);
  const { webhookType } = z.parse(anyEvent, given);
  const event = z.parse(eventOf(webhookType), given);
  // A schema drops what it does not name.
  if (!sameJson(event, given))
    throw new Error(`An event ${webhookType} has more than its schema says: ${body}`);
  return event;
}

/** Whether two values are the same as JSON, whatever the order of their members. */
export function sameJson(one: unknown, other: unknown): boolean {
  const ordered = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1)))
      : value;
  return JSON.stringify(one, ordered) === JSON.stringify(other, ordered);
}

const header = ({ headers }: Got, name: string): string => String(headers[name] ?? '');

/** Whether `X-Service-Signature` is what one of the secrets makes of timestamp and body. */
const isSigned = (got: Got, secrets: readonly string[]): boolean => {
  const signed = `${header(got, 'x-service-timestamp')}.${got.body}`;
  return secrets.some(
    (secret) =>
      createHmac('sha256', secret).update(signed).digest('hex') === header(got, 'x-service-signature'),
  );
};

/** How often a wait looks. */
const everyMs = 50;

/**
 * A receiver of events that checks what it gets: who signed it, and that it is what its type says.
 * @param reply what it answers; it takes everything unless told.
 */
export async function startEventReceiver(
  reply: (path: string, got: Got) => Reply | Promise<Reply> = () => 204,
) {
  const receiver = await startReceiver(reply);
  const secrets = new Map<string, string[]>();

  /** What came to an address so far, in its order. @throws Error for what is not signed, or no event. */
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
    /** Everything that came, whatever it is. */
    got: receiver.got,
    deliveredTo,
    /** Tells a secret of a webhook; after a rotation there are several. */
    know(webhookId: string, secret: string): void {
      secrets.set(webhookId, [...(secrets.get(webhookId) ?? []), secret]);
    },
    /** Waits until so many deliveries that match came to an address. */
    async until(
      path: string,
      matches: (event: AnyEvent) => boolean,
      { count = 1, within = 20_000 }: { readonly count?: number; readonly within?: number } = {},
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
