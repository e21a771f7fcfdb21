import * as z from 'zod/mini';
import { putEventsBytes, putEventsEntries, putEventsTimeBytes } from '#platform/aws/limits.ts';
import { isObject } from '../../text.ts';
import { busArn } from '../template/template.ts';
import type { EventBuses } from '../triggers/event-bus.ts';
import {
  AwsError,
  type AwsRequest,
  type AwsService,
  answerJson,
  bodyOf,
  targetOf,
  unsupportedCall,
} from './service.ts';

/** Entry as the service sends it; EventBridge takes more, and requires less. */
const entry = z.strictObject({
  EventBusName: z.string(),
  Source: z.string().check(z.minLength(1)),
  DetailType: z.string().check(z.minLength(1)),
  Detail: z.string(),
  /** Unix seconds. */
  Time: z.number(),
});

type Entry = z.output<typeof entry>;

const putEvents = z.object({ Entries: z.array(entry).check(z.minLength(1), z.maxLength(putEventsEntries)) });

/** Bytes of an entry as EventBridge counts them (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html). */
const sizeOf = ({ Source, DetailType, Detail }: Entry): number =>
  Buffer.byteLength(Source + DetailType + Detail) + putEventsTimeBytes;

/** The detail of an event. @throws AwsError for another than an object: EventBridge refuses the entry, this the whole call. */
function detailOf({ Detail }: Entry): object {
  try {
    const detail: unknown = JSON.parse(Detail);
    if (isObject(detail)) return detail;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw new AwsError('ValidationException', 'Detail is malformed.');
}

/** EventBridge's PutEvents. */
export function eventBridgeService(buses: EventBuses): AwsService {
  const entriesOf = (request: AwsRequest): Entry[] => bodyOf(request, putEvents).Entries;

  return {
    accesses: (request) => {
      const { service, operation } = targetOf(request);
      if (service !== 'AWSEvents' || operation !== 'PutEvents') throw unsupportedCall(`events:${operation}`);
      const names = new Set(entriesOf(request).map(({ EventBusName }) => EventBusName));
      return Array.from(names, (name) => ({ action: 'events:PutEvents', resource: busArn(name) }));
    },
    async answer(request, response) {
      const entries = entriesOf(request);
      if (entries.reduce((sum, eventEntry) => sum + sizeOf(eventEntry), 0) > putEventsBytes) {
        throw new AwsError('ValidationException', 'Total size of the entries is over the limit.');
      }
      const unknown = entries.find(({ EventBusName }) => !buses.has(EventBusName));
      if (unknown !== undefined) {
        throw new AwsError('ResourceNotFoundException', `Event bus ${unknown.EventBusName} does not exist.`);
      }
      const events = entries.map((eventEntry) => ({
        busName: eventEntry.EventBusName,
        source: eventEntry.Source,
        detailType: eventEntry.DetailType,
        detail: detailOf(eventEntry),
        time: new Date(eventEntry.Time * 1_000),
      }));
      answerJson(response, {
        FailedEntryCount: 0,
        Entries: events.map((event) => ({ EventId: buses.put(event) })),
      });
    },
  };
}
