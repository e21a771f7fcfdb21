import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { parseStoredOrError, StoredItemError } from '#platform/data/stored.ts';
import type { Log } from '#platform/log/log.ts';
import { type OutboxEvent, outboxEvent } from '../events/stored.ts';
import { type PublishDeps, publish } from './publish.ts';

/** A stored event; undefined for an item that is none, which is reported, stays in the outbox, and holds no other one back. */
export function readEvent(item: unknown, log: Log): OutboxEvent | undefined {
  const event = parseStoredOrError(outboxEvent, item);
  if (!(event instanceof StoredItemError)) return event;
  log.error('An item of the outbox cannot be read.', { event: 'event_not_published', error: event });
  return undefined;
}

/** Logs the line of a run of a publisher. */
export const logRun = (
  log: Log,
  trigger: 'stream' | 'schedule',
  run: { readonly published: number; readonly failed: number; readonly refused: number },
): void => log.info('A run of the publisher is done.', { event: 'events_published', trigger, ...run });

/**
 * Publishes the records of the outbox's stream. The first event of a batch that failed is reported: the stream continues there, for
 * hours if need be. An event that something of its own makes fail is not reported: the stream, and with it all events behind it,
 * would wait for it in vain.
 */
export async function publishChanges(
  { Records }: DynamoDBStreamEvent,
  deps: PublishDeps,
): Promise<DynamoDBBatchResponse> {
  const records = Records.flatMap(({ dynamodb }) => {
    const image = dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
    const item = image && readEvent(unmarshall(image), deps.log);
    return item === undefined ? [] : [{ item, sequenceNumber: dynamodb?.SequenceNumber ?? '' }];
  });
  const { failures, stuck, refusals } = await publish(
    records.map(({ item }) => item),
    deps,
  );
  const isLeft = ({ eventId }: OutboxEvent) => failures.has(eventId) || refusals.has(eventId);
  const published = records.filter(({ item }) => !isLeft(item)).length;
  logRun(deps.log, 'stream', { published, failed: failures.size, refused: refusals.size });
  const first = records.find(({ item: { eventId } }) => failures.has(eventId) && !stuck.has(eventId));
  return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first.sequenceNumber }] };
}
