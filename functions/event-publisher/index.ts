import { Logger } from '@aws-lambda-powertools/logger';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { type OutboxItem, outboxItem } from '../../shared/events/stored.ts';
import { createEventBus } from './bus.ts';
import { eventPublisherEnvironment } from './environment.ts';
import { createOutboxStore } from './outbox-store.ts';
import { type PublishDeps, publish } from './publish.ts';

const environment = readEnvironment(eventPublisherEnvironment);
const logger = new Logger({ serviceName: 'event-publisher', environment: environment.ENVIRONMENT });
const deps: PublishDeps = {
  outbox: createOutboxStore(createDynamoClient(), environment.OUTBOX_TABLE),
  bus: createEventBus(environment.EVENT_BUS_NAME),
  now: () => new Date(),
  onFailure: ({ eventId, type }, error) =>
    logger.error('An event was not published; it stays in the outbox.', {
      event: 'event_not_published',
      eventId,
      eventType: type,
      error: error instanceof Error ? error : new Error(String(error)),
    }),
};

/** What is older than this was missed by the stream. */
const missedAfter = 5 * 60_000;

/** The schedule's call: publish what the stream's way has left behind. */
const republish = z.object({ task: z.literal('republish') });

/**
 * Publishes what the outbox's stream brings, and, called by its schedule, what the stream has missed. Of a batch of the
 * stream the first event that failed is named: the stream goes on from there.
 */
export const handler = async (
  event: DynamoDBStreamEvent | z.output<typeof republish>,
): Promise<DynamoDBBatchResponse | { readonly republished: number; readonly failed: number }> => {
  if ('task' in event) return republishMissed();
  const records = event.Records.flatMap(({ dynamodb }) => {
    const image = dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
    const item = image && readItem(unmarshall(image));
    return item === undefined ? [] : [{ item, sequenceNumber: dynamodb?.SequenceNumber ?? '' }];
  });
  const failed = await publish(
    records.map(({ item }) => item),
    deps,
  );
  const first = records.find(({ item }) => failed.has(item.eventId));
  return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first.sequenceNumber }] };
};

/** An item that cannot be read will not get better by trying again: it is told of, and stays in the outbox. */
function readItem(item: unknown): OutboxItem | undefined {
  const result = z.safeParse(outboxItem, item);
  if (result.success) return result.data;
  logger.error('An item of the outbox breaks its schema.', {
    event: 'outbox_item_unreadable',
    faults: result.error.issues.map(({ path, code }) => `${path.join('.')} (${code})`),
  });
  return undefined;
}

async function republishMissed() {
  let republished = 0;
  let failed = 0;
  for await (const items of deps.outbox.unpublished(new Date(Date.now() - missedAfter))) {
    // One that can't be read must not keep the others back.
    const events = items.flatMap((item) => readItem(item) ?? []);
    const left = await publish(events, deps);
    republished += events.length - left.size;
    failed += left.size;
  }
  if (republished + failed > 0) {
    logger.warn('Events that the stream missed were published.', {
      event: 'events_republished',
      republished,
      failed,
    });
  }
  return { republished, failed };
}
