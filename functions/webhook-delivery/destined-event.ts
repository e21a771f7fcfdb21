import type { BusEntry } from '../../shared/domain/events/bus-entry.ts';

/** An event on its way to a destination. */
export interface DestinedEvent extends BusEntry {
  /** The headers that a URL would get. */
  readonly headers: Readonly<Record<string, string>>;
  /** What a FIFO queue keeps in order: the entity. */
  readonly groupId: string;
  /** What a FIFO queue takes once within five minutes. */
  readonly deduplicationId: string;
}

/** Sends an event, and answers the id that the service gave it. @throws SDK errors, and `EntryRefused`. */
export type SendEvent = (event: DestinedEvent) => Promise<string | undefined>;

/** A bus refused an event of a call that it accepted. */
export class EntryRefused extends Error {
  readonly $metadata = { httpStatusCode: 200 };

  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}
