import * as z from 'zod/mini';
import { putEventsBytes, putEventsEntries, putEventsTimeBytes } from '../../../shared/platform/aws/limits.ts';
import { busArnOf, type EventBuses } from '../triggers/event-bus.ts';
import {
  AwsError,
  type AwsRequest,
  type AwsService,
  answerJson,
  bodyOf,
  targetOf,
  unsupported,
} from './service.ts';

const entry = z.object({
  EventBusName: z.optional(z.string()),
  Source: z.optional(z.string()),
  DetailType: z.optional(z.string()),
  Detail: z.optional(z.string()),
  Resources: z.optional(z.array(z.string())),
  /** Unix seconds. */
  Time: z.optional(z.number()),
});

type Entry = z.output<typeof entry>;

const putEvents = z.object({ Entries: z.array(entry) });

/** What EventBridge counts of an entry (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html). */
const sizeOf = ({ Source = '', DetailType = '', Detail = '', Resources = [], Time }: Entry): number =>
  Buffer.byteLength(Source + DetailType + Detail + Resources.join('')) +
  (Time === undefined ? 0 : putEventsTimeBytes);

interface FailedEntry {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

const missing = (name: string): FailedEntry => ({
  ErrorCode: 'InvalidArgument',
  ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
});

/** The detail of an entry, or why the bus rejects it. */
function readDetail({ Source, DetailType, Detail }: Entry): { readonly detail: object } | FailedEntry {
  if (!Source) return missing('Source');
  if (!DetailType) return missing('DetailType');
  try {
    const detail: unknown = JSON.parse(Detail ?? '');
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return { detail };
  } catch {
    // Reported below, like JSON that is not an object.
  }
  return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}

/** Name of the bus of an entry, which has its name, its ARN, or neither for the default bus. */
const busNameOf = ({ EventBusName }: Pick<Entry, 'EventBusName'>): string =>
  busArnOf(EventBusName).split('/').at(-1) ?? '';

/** EventBridge's PutEvents. */
export function eventBridgeService(buses: EventBuses): AwsService {
  const entriesOf = (request: AwsRequest): Entry[] => bodyOf(request, putEvents).Entries;

  const put = (one: Entry): { readonly EventId: string } | FailedEntry => {
    const read = readDetail(one);
    if (!('detail' in read)) return read;
    const { Source = '', DetailType = '', Resources = [], Time } = one;
    const EventId = buses.put({
      busName: busNameOf(one),
      source: Source,
      detailType: DetailType,
      detail: read.detail,
      resources: Resources,
      time: Time === undefined ? new Date() : new Date(Time * 1_000),
    });
    return { EventId };
  };

  return {
    accesses: (request) => {
      const { service, operation } = targetOf(request);
      if (service !== 'AWSEvents' || operation !== 'PutEvents') throw unsupported(`events:${operation}`);
      const arns = new Set(entriesOf(request).map(({ EventBusName }) => busArnOf(EventBusName)));
      return Array.from(arns, (resource) => ({ action: 'events:PutEvents', resource }));
    },
    answer(request, response) {
      const entries = entriesOf(request);
      if (entries.length === 0 || entries.length > putEventsEntries) {
        throw new AwsError('ValidationException', `PutEvents takes 1 to ${putEventsEntries} entries.`);
      }
      if (entries.reduce((sum, one) => sum + sizeOf(one), 0) > putEventsBytes) {
        throw new AwsError('ValidationException', 'Total size of the entries is over the limit.');
      }
      const unknown = entries.find((one) => !buses.has(busNameOf(one)));
      if (unknown !== undefined) {
        throw new AwsError('ResourceNotFoundException', `Event bus ${unknown.EventBusName} does not exist.`);
      }
      const Entries = entries.map(put);
      const FailedEntryCount = Entries.filter((one) => 'ErrorCode' in one).length;
      answerJson(response, { FailedEntryCount, Entries });
      return Promise.resolve();
    },
  };
}
