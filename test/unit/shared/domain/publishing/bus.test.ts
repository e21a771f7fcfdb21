import {
  EventBridgeClient,
  EventBridgeServiceException,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { eventSource } from '#domain/events/payloads.ts';
import {
  type BusEvent,
  type CallRejected,
  callBytes,
  createEventBus,
  entryBytes,
  largestEntryBytes,
} from '#domain/publishing/publish.ts';
import { putEventsBytes, queueMessageBytes } from '#platform/aws/limits.ts';

process.env['AWS_REGION'] = 'us-east-1';
const eventBridge = mockClient(EventBridgeClient);
const bus = createEventBus('bus');

beforeEach(() => eventBridge.reset());

const entry: BusEvent = {
  type: 'CONTRACT_SIGNED',
  occurredAt: '2026-03-01T14:05:09.123Z',
  detail: '{"ü":1}',
};

const answered = (name: string, httpStatusCode: number) =>
  new EventBridgeServiceException({
    name,
    $fault: 'client',
    message: 'secret',
    $metadata: { httpStatusCode },
  });

/** Why the bus did not accept a call that ended with this error. */
async function failureOf(error: Error): Promise<CallRejected> {
  eventBridge.on(PutEventsCommand).rejects(error);
  return bus.put([entry]).then(
    () => Promise.reject(new Error('The call was taken.')),
    (failure: CallRejected) => failure,
  );
}

it.each([
  ['ValidationException', 400],
  ['SerializationException', 400],
  ['RequestEntityTooLargeException', 413],
  ['UnknownError', 413],
])(
  'a call that ends with %s (%d) lies in its entries, and what they hold is not repeated',
  async (name, status) => {
    const failure = await failureOf(answered(name, status));
    expect(failure).toMatchObject({ fault: 'entries', message: name });
  },
);

it.each([
  ['InternalException', 500],
  ['SomethingNew', 400],
])('a call that ends with %s (%d) may be due to an entry', async (name, status) => {
  expect(await failureOf(answered(name, status))).toMatchObject({ fault: 'unknown', message: name });
});

it.each([
  answered('ThrottlingException', 400),
  answered('Whatever', 429),
  answered('ServiceUnavailable', 503),
  answered('AccessDeniedException', 400),
  answered('ResourceNotFoundException', 400),
  Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', $metadata: { attempts: 3 } }),
  Object.assign(new Error('timed out'), { name: 'TimeoutError' }),
])('a call that ends with %p has another cause', async (error) => {
  expect(await failureOf(error)).toMatchObject({ fault: 'elsewhere', cause: error });
});

it('reports for each entry whether it is accepted, may be retried, or never will be accepted', async () => {
  eventBridge.on(PutEventsCommand).resolves({
    Entries: [
      { EventId: 'one' },
      { ErrorCode: 'ThrottlingException', ErrorMessage: 'slower' },
      { ErrorCode: 'MalformedDetail', ErrorMessage: 'secret' },
      { ErrorCode: 'NotAuthorizedForSourceException' },
    ],
  });
  expect(await bus.put(Array.from({ length: 5 }, () => entry))).toEqual([
    { outcome: 'accepted' },
    { outcome: 'failed', reason: 'The bus did not accept the event. ThrottlingException slower' },
    { outcome: 'refused', reason: 'MalformedDetail' },
    { outcome: 'failed', reason: 'The bus did not accept the event. NotAuthorizedForSourceException' },
    { outcome: 'failed', reason: 'The bus did not accept the event.' },
  ]);
});

it('counts an entry as EventBridge does: its time as 14 bytes, the rest in UTF-8', () => {
  expect(entryBytes(entry)).toBe(14 + eventSource.length + 'CONTRACT_SIGNED'.length + 8);
  expect(callBytes).toBeLessThan(putEventsBytes);
});

it("the largest entry, with the envelope of the bus, fits in a queue's message", () => {
  const longest = { type: 'T'.repeat(128), source: eventSource, resources: [], version: '0' };
  const { type, ...rest } = longest;
  const envelope = {
    ...rest,
    id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
    'detail-type': type,
    account: '111122223333',
    time: '2026-03-01T14:05:09Z',
    region: 'ap-southeast-1',
    detail: {},
  };
  const detailBytes = largestEntryBytes - entryBytes({ type, occurredAt: '', detail: '' });
  const bytes = Buffer.byteLength(JSON.stringify(envelope)) - '{}'.length + detailBytes;
  expect(bytes).toBeLessThanOrEqual(queueMessageBytes);
});
