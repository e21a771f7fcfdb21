import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { continuedAbove, feedCounter, feedKeys } from '../../shared/domain/events/feed.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import { organization } from '../../shared/platform/identity/organization.ts';
import { Refusal } from '../operator-tool.ts';

/** Until when the service may go on publishing to the table that is restored, after its counters were raised. */
const moveWithinMs = 24 * 3_600_000;

interface CountersOptions {
  readonly client: DynamoDBClient;
  readonly outbox: string;
  readonly organizations: string;
  /** The time to which the outbox was restored. */
  readonly to: Date;
  readonly now: Date;
}

/**
 * Makes the numbers and positions of a restored outbox continue above all that were issued; see `continuedAbove`. Every
 * organization whose events are published gets a counter, because one without any may have got its first event afterwards.
 * A repeat changes nothing while there is time to move the service to the table.
 *
 * @returns until when the service has to be moved, at the earliest of all counters; later, this has to be repeated.
 */
export async function continueCounters(options: CountersOptions): Promise<Date> {
  const { client, organizations: TableName, now } = options;
  let earliest = new Date(now.getTime() + moveWithinMs);
  const scan = {
    TableName,
    ConsistentRead: true,
    FilterExpression: 'begins_with(pk, :organization)',
    ExpressionAttributeValues: toItem({ ':organization': 'ORGANIZATION#' }),
  };
  for await (const { Items = [] } of paginateScan({ client }, scan)) {
    const upstream = Items.map((item) => parseStored(organization, unmarshall(item))).filter(
      ({ category }) => category === 'upstreamEntity',
    );
    await concurrently(upstream, 10, async ({ organizationId }) => {
      const until = await continueCounter(organizationId, options);
      if (until < earliest) earliest = until;
    });
  }
  return earliest;
}

/** Returns for how long a counter suffices. */
async function continueCounter(organizationId: string, options: CountersOptions): Promise<Date> {
  const { client, outbox, to, now } = options;
  const key = feedKeys.counter(organizationId);
  const counter = await getItem(client, outbox, key, feedCounter, { consistent: true });
  const until = new Date(now.getTime() + moveWithinMs);
  const set = continuedAbove(counter ?? { last: 0, firsts: {} }, { table: outbox, to, until, now });
  if (set === undefined) return new Date(counter?.continued?.until ?? until);
  const names = Object.keys(set);
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: outbox,
        Key: toItem(key),
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`)}`,
        ConditionExpression: counter === undefined ? 'attribute_not_exists(#last)' : '#last = :was',
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: toItem({
          ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
          ':was': counter?.last,
        }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new Refusal(`Something publishes events of ${organizationId} to ${outbox} already.`);
  }
  return until;
}
