import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { continuedAbove, feedCounter, feedKeys } from '../../shared/domain/events/feed.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { startsWith } from '../../shared/platform/data/expressions.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organization } from '../../shared/platform/identity/organization.ts';
import { organizationKeys } from '../../shared/platform/identity/organization-keys.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
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
  const { client, organizations, now } = options;
  let earliest = new Date(now.getTime() + moveWithinMs);
  const table = tableOf(organizationsTable, client, organizations);
  const { pk } = organizationKeys.organization('');
  for await (const found of table.scan(organization, { pk: startsWith(pk) })) {
    const upstream = found.filter(({ category }) => category === 'upstreamEntity');
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
  const table = tableOf(outboxTable, client, outbox);
  const key = feedKeys.counter(organizationId);
  const counter = await table.get(feedCounter, key);
  const until = new Date(now.getTime() + moveWithinMs);
  const set = continuedAbove(counter ?? { last: 0, firsts: {} }, { table: outbox, to, until, now });
  if (set === undefined) return new Date(counter?.continued?.until ?? until);
  if (!(await table.update(key, { ...set }, { last: counter?.last }))) {
    throw new Refusal(`Something publishes events of ${organizationId} to ${outbox} already.`);
  }
  return until;
}
