import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { putEventsBytes, putEventsTimeBytes } from '../../platform/aws/limits.ts';
import { eventSource } from './event.ts';

/** An event as a bus carries it; rules choose by `type`. */
export interface BusEntry {
  readonly type: string;
  readonly occurredAt: string;
  /** JSON of an object. */
  readonly detail: string;
}

/** An event as PutEvents takes it, for a bus by its name or ARN. */
export const putEventsEntry = (
  { type, occurredAt, detail }: BusEntry,
  busName: string,
): PutEventsRequestEntry => ({
  EventBusName: busName,
  Source: eventSource,
  DetailType: type,
  Time: new Date(occurredAt),
  Detail: detail,
});

/** Bytes of an entry as EventBridge counts them: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html. */
export const entryBytes = ({ type, detail }: BusEntry): number =>
  putEventsTimeBytes + Buffer.byteLength(eventSource) + Buffer.byteLength(type) + Buffer.byteLength(detail);

/** Most bytes of a call's entries together: their size must be less than the limit. */
export const callBytes = putEventsBytes - 1;
