import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { batchGetKeys } from '../../platform/aws/limits.ts';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { batchGet } from '../../platform/data/batch-get.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { queryPages } from '../../platform/data/query-pages.ts';
import { parseStored } from '../../platform/data/stored.ts';
import { appointmentRenewalShard, subscriptionKeyOf } from '../registry-records/stored.ts';
import { renewalDateAt, type SweepJob } from './jobs.ts';

/** Whom an NPN's records belong to, as its subscription says. */
const holder = compatible(
  'registry-records/holder',
  lazyObject(() => ({
    dataOwnerId: z.string(),
    dataOwnerModel: z.string(),
    npn: z.string(),
  })),
);

/** A carrier's NPN with an appointment that ended. */
export interface EndedAppointment {
  readonly owner: string;
  readonly npn: string;
}

/**
 * The carriers' NPNs with an appointment whose last day was the day before the job's, page by page, each once. The index
 * lags behind its table: an appointment may have been renewed since.
 */
export async function* endedAppointments(
  client: DynamoDBClient,
  table: string,
  { day, shard }: SweepJob,
): AsyncGenerator<readonly EndedAppointment[]> {
  const query = {
    TableName: table,
    IndexName: 'by-renewal',
    KeyConditionExpression: 'renewalKey = :partition',
    ExpressionAttributeValues: toItem({
      ':partition': appointmentRenewalShard(renewalDateAt('EXPIRED', day), shard),
    }),
  };
  // The index is sorted by partition, so those of an NPN follow each other.
  let last: string | undefined;
  for await (const items of queryPages(client, query)) {
    const partitions = [...new Set(items.map(({ pk }) => pk?.S ?? ''))].filter((pk) => pk !== last);
    last = partitions.at(-1) ?? last;
    for (let at = 0; at < partitions.length; at += batchGetKeys) {
      const keys = partitions.slice(at, at + batchGetKeys).map(subscriptionKeyOf);
      const subscriptions = await batchGet(client, table, keys, { consistent: false });
      yield subscriptions
        .map((item) => parseStored(holder, item))
        // Agencies' own appointments are not reported: events are for carriers.
        .filter(({ dataOwnerModel }) => dataOwnerModel === 'upstreamEntity')
        .map(({ dataOwnerId, npn }) => ({ owner: dataOwnerId, npn }));
    }
  }
}
