import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { eventSource } from '../../shared/events/event.ts';

/** An event as the bus carries it; rules choose by `type`. */
export interface BusEntry {
  readonly type: string;
  readonly occurredAt: string;
  readonly detail: object;
}

/** The bus that carries events to what waits for them. */
export interface EventBus {
  /** Whether each of the entries, of which there are at most ten, was taken. */
  put(entries: readonly BusEntry[]): Promise<readonly boolean[]>;
}

/** A call may take 5 seconds; whatever is not taken is published again. */
export function createEventBus(busName: string): EventBus {
  const client = new EventBridgeClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  return {
    async put(entries) {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({
          Entries: entries.map(({ type, occurredAt, detail }) => ({
            EventBusName: busName,
            Source: eventSource,
            DetailType: type,
            Time: new Date(occurredAt),
            Detail: JSON.stringify(detail),
          })),
        }),
      );
      return entries.map((_, index) => Entries[index]?.EventId !== undefined);
    },
  };
}
