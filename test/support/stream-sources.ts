import type { StreamMapping } from '../../infra/local/triggers/mapping.ts';
import {
  type StreamRecords,
  type StreamSource,
  streamSource,
} from '../../infra/local/triggers/stream-source.ts';

/** The partition keys of an event's records. */
export const keysOf = (event: unknown): string[] =>
  (event as { Records: { dynamodb: { Keys: { pk: { S: string } } } }[] }).Records.map(
    ({ dynamodb }) => dynamodb.Keys.pk.S,
  );

/** The sequence numbers of an event's records. */
export const numbersOf = (event: unknown): string[] =>
  (event as { Records: { dynamodb: { SequenceNumber: string } }[] }).Records.map(
    ({ dynamodb }) => dynamodb.SequenceNumber,
  );

const running: StreamSource[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((source) => source.stop()));
});

/** Starts a source that passes a stream's records to a function. It stops after the test. */
export async function startSource(
  { arn, stream }: { readonly arn: string; readonly stream: StreamRecords },
  invoke: (event: unknown) => unknown,
  settings: Partial<StreamMapping> = {},
) {
  const faults: string[] = [];
  const source = streamSource({
    mapping: {
      sourceArn: arn,
      functionName: 'worker',
      batchSize: 100,
      filter: () => true,
      onFailureArn: 'arn:aws:sqs:us-east-1:000000000000:dead',
      ...settings,
    },
    stream,
    invoke: async (event) => invoke(event),
    onFault: (fault) => faults.push(fault),
  });
  running.push(source);
  await source.start();
  return { source, faults };
}
