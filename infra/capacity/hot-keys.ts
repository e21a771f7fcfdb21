import { unpublishedShards } from '../../shared/domain/events/stored.ts';
import { npnsOfJob } from '../../shared/domain/registry-reconciliation/jobs.ts';
import { shards } from '../../shared/domain/registry-records/stored.ts';
import { partitionReadUnits, partitionWriteUnits } from '../../shared/platform/aws/limits.ts';
import { rateLimits } from '../../shared/platform/contract/rate-limits.ts';
import type { Environment } from '../environments.ts';
import { routeCostOf } from './cost.ts';
import type { MeasuredCosts, WorkName } from './measured-costs.ts';
import { carrierCalls, type Workload } from './workload.ts';

/** A partition that many operations share, as DynamoDB sees it: a key of a table or of an index. */
export interface HotKey {
  /** Table, or index, and the key's pattern. */
  readonly key: string;
  readonly when: string;
  /** Units a second at the busiest time, and the partition's limit. */
  readonly units: number;
  readonly limit: number;
  readonly todo: string;
}

interface Options {
  readonly measured: MeasuredCosts;
  readonly assumed: Workload;
  readonly environment: Pick<Environment, 'registryVisits' | 'capacity' | 'deferredEventsPerSecond'>;
}

/** Write units of a table or an index in one operation, of all functions that take part. */
const writes = (measured: MeasuredCosts, work: WorkName, table: string): number =>
  Object.values(measured.work[work].functions).reduce(
    (sum, { tables }) => sum + (tables[table]?.write ?? 0),
    0,
  );

/** Read units of one call of a list of a carrier. */
function listing(measured: MeasuredCosts, id: string, index: string): number {
  const [route, calls] = [measured.routes[id], carrierCalls[id]];
  if (route === undefined || calls === undefined) return 0;
  return routeCostOf(route, calls).tables[index]?.read ?? 0;
}

/** The keys that most work meets at, the one that is closest to its limit first. */
export function hotKeysOf({ measured, assumed, environment }: Options): HotKey[] {
  const { importsPerSecond, eventsPerDay, requestHours } = assumed;
  const eventsPerSecond = eventsPerDay / requestHours / 3_600;
  const { perSecond: visits } = environment.registryVisits;
  const imported = (work: WorkName, table: string) => writes(measured, work, table) * importsPerSecond;
  const unpublished =
    writes(measured, 'agentImportedWithEvent', 'outbox/unpublished') +
    writes(measured, 'event', 'outbox/unpublished');
  const delivered = writes(measured, 'event', 'webhooks') * assumed.attemptsPerDelivery;
  const flood = environment.capacity.throttles?.routes.perSecond ?? 0;
  const written = (key: string, when: string, units: number, todo: string): HotKey => ({
    key,
    when,
    units,
    limit: partitionWriteUnits,
    todo,
  });
  return [
    written(
      'rate-counters `<class>#<credential>#<minute>`',
      `a credential sends what the stage admits to one route (${flood.toLocaleString('en-US')} a second), of which ${rateLimits.write.limit} a minute are served`,
      flood,
      'Lower `throttles` of the stage, or let an instance remember a full window.',
    ),
    written(
      'policies/by-number `<owner>`, and policies `<owner>#POLICY`',
      'one carrier imports policies',
      imported('policyTransactionImported', 'policies/by-number'),
      'Do not import files of one carrier side by side; then put a shard into both keys.',
    ),
    written(
      'agents/by-list `<owner>`, and agents `<owner>#AGENT`',
      'one carrier imports producers',
      imported('agentImportedWithEvent', 'agents/by-list'),
      'Do not import files of one carrier side by side; then put a shard into both keys.',
    ),
    written(
      'outbox/unpublished `UNPUBLISHED#<shard>`',
      'events are written and published',
      (unpublished * eventsPerSecond) / unpublishedShards,
      'Raise `unpublishedShards` in `shared/domain/events/stored.ts`; old shards have to drain first.',
    ),
    written(
      'outbox `<owner>#FEED`, and `<owner>#FEED#<position / 1,000>`',
      'one carrier imports with events, each published alone: a transaction writes the counter, and an entry',
      2 * environment.deferredEventsPerSecond,
      'Nothing: the counter is written once for all of the carrier’s events in a batch of the stream.',
    ),
    written(
      'webhooks `<owner>#DELIVERY#<webhookId>`',
      'one carrier imports with events, all for one webhook (at most: the webhook’s state is counted as well)',
      delivered * importsPerSecond,
      'Publish an import’s events more slowly; then put a shard into the deliveries’ key.',
    ),
    written(
      'registry-records `VISITS`',
      `workers reserve turns, a job of ${npnsOfJob} NPNs at a time`,
      visits / npnsOfJob,
      'Nothing: it grows with the registry’s visits a second alone.',
    ),
    written(
      'registry-records/by-visit `NPN#<shard>`',
      'NPNs are visited',
      (writes(measured, 'visit', 'registry-records/by-visit') * visits) / shards,
      'Nothing: it grows with the registry’s visits a second alone.',
    ),
    written(
      'registry-records/by-renewal `<date>#<shard>`',
      'one carrier imports licenses that all renew on one day',
      imported('licenseImported', 'registry-records/by-renewal') / shards,
      'Raise `shards` in `shared/domain/registry-records/stored.ts`.',
    ),
    {
      key: 'webhooks/by-webhook `<owner>#<webhookId>`',
      when: 'a page of a month’s deliveries of one webhook is read, whose total counts all keys',
      units: listing(measured, 'listWebhookDeliveries', 'webhooks/by-webhook'),
      limit: partitionReadUnits,
      todo: 'Remember the counts of hours that are over, for lists without a filter: such a page takes seconds, and throttles the next. A total kept with the writes would go on counting what expires.',
    },
    {
      key: 'organizations `ORGANIZATION#<largest carrier>`',
      when: 'every execution of the authorizer reads it once a minute',
      units: (environment.capacity.reserved['authorizer'] ?? 0) / 55,
      limit: partitionReadUnits,
      todo: 'Nothing.',
    },
  ].sort((one, other) => other.units / other.limit - one.units / one.limit);
}
