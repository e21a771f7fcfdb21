import { Logger } from '@aws-lambda-powertools/logger';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import * as z from 'zod/mini';
import { RegistryUnavailable } from '#domain/registry/registry.ts';
import { tablesOf } from '#domain/tables.ts';
import { routeGroup } from '#platform/contract/route.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { queueConsumer } from '#platform/queue/consumer.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { complianceChangeMessage } from '../../functions/compliance-changes/function.ts';
import { registrySyncFunction } from '../../functions/registry-sync/function.ts';
import { savedQueries } from '../../infra/watch/queries.ts';
import { apiEvent, carrier, lambdaContext } from '../support/api-event.ts';
import { exception } from '../support/aws-errors.ts';
import { testContext } from '../support/context.ts';
import { queueRecord, testQueue } from '../support/queue-messages.ts';
import { isFound, memberOf, plainText } from './log-filters.ts';
import { synthesized } from './synthesized.ts';

// The six faults of the runbook's game day, as far as they can be seen without AWS: what the code does that the alarm's metric
// counts, and the line that it logs.

const { service, watch } = synthesized('prod');

const alarmOf = (name: string) =>
  watch
    .ofType('AWS::CloudWatch::Alarm')
    .map(([, { Properties }]) => Properties)
    .find(({ AlarmName }) => AlarmName === `insurance-compliance-prod-${name}`);

// Global `console` instead of the logger's own, so that a test sees its lines.
process.env['POWERTOOLS_DEV'] = 'true';
const lines: object[] = [];
const context = testContext({ logger: new Logger() });

beforeEach(() => {
  lines.length = 0;
  for (const level of ['info', 'warn', 'error'] as const) {
    jest.spyOn(console, level).mockImplementation((...[line]) => void lines.push(JSON.parse(line)));
  }
});

/** Requests a list whose table fails, and answers the status. */
async function request(error: Error): Promise<number> {
  const group = routeGroup('policies', {
    listPolicies: {
      method: 'GET',
      path: '/v2/upstream/policies',
      access: { kind: 'upstream', feature: null },
      answer: { status: 200, one: z.object({}) },
    },
  });
  const pipeline = createPipeline({
    ...context,
    group,
    operations: { listPolicies: () => Promise.reject(error) },
  });
  const { status } = await pipeline(
    apiEvent(group.routes.listPolicies, { identity: carrier }),
    lambdaContext,
  );
  return status;
}

/** Delivers a job to a worker whose registry does not answer. */
function synchronize() {
  const dynamo = new DynamoDBClient({});
  mockClient(dynamo)
    .on(UpdateItemCommand)
    .resolves({ Attributes: toItem({ dataOwnerModel: 'upstreamEntity' }) });
  const unanswered = () => Promise.reject(new RegistryUnavailable('The registry did not answer.'));
  const handle = registrySyncFunction.compose({
    registry: { fetch: unanswered },
    tables: tablesOf(dynamo, { registryRecords: 'registry-records', outbox: 'outbox' }),
    queue: testQueue,
    context,
  });
  const [organizationId, registryDataSubscriptionId] = [newObjectId(new Date()), newObjectId(new Date())];
  const job = { jobId: 'job', organizationId, registryDataSubscriptionId, npn: '17654321' };
  return handle({ Records: [queueRecord('job', JSON.stringify(job))] });
}

/** Delivers a message that nobody can read, and answers what is in the dead-letter queue. */
async function readUnreadable(): Promise<string[]> {
  const dead: string[] = [];
  const handle = queueConsumer({
    schema: complianceChangeMessage,
    work: () => Promise.resolve('done'),
    deadLetter: async (body) => void dead.push(body),
    maxReceiveCount: 5,
    log: context.logger,
  });
  await handle({ Records: [queueRecord('unreadable', '{"entity":"agency"}')] });
  return dead;
}

interface Fault {
  readonly fault: string;
  /** Makes the code fail, and answers what the metric counts. */
  readonly happen: () => unknown;
  readonly counted?: unknown;
  readonly alarm: string;
  /** What the alarm measures. */
  readonly metric: string;
  /** The saved query that says why, with a member of the line that it shows. */
  readonly query: string;
  readonly shows: readonly [member: string, text: string];
}

const faults: readonly Fault[] = [
  {
    fault: 'a permission is missing',
    happen: () => request(exception('AccessDeniedException')),
    counted: 500,
    alarm: 'gateway-faults',
    metric: '5XXError',
    query: 'Gateway faults: why',
    shows: ['error.name', 'AccessDeniedException'],
  },
  {
    fault: 'a table is throttled',
    happen: () => request(exception('ThrottlingException')),
    counted: 503,
    alarm: 'policies-table-throttles',
    metric: 'ThrottledRequests',
    query: 'Gateway faults: why',
    shows: ['error.name', 'ThrottlingException'],
  },
  {
    fault: 'the registry does not answer',
    happen: synchronize,
    counted: { batchItemFailures: [{ itemIdentifier: 'job' }] },
    alarm: 'registry-sync-message-age',
    metric: 'ApproximateAgeOfOldestMessage',
    query: 'Old messages: whether the registry responds',
    shows: ['error.message', 'The registry did not answer.'],
  },
  {
    fault: 'receivers at one provider do not answer',
    // As `test/integration/webhook-concurrency.test.ts` sees it logged.
    happen: () =>
      context.logger.warn('webhook failing', {
        event: 'webhook_failing',
        host: 'one.invalid',
        fault: 'timeout',
      }),
    alarm: 'receivers-failing',
    metric: 'UniqueContributors',
    query: 'Failing receivers: since when, and why',
    shows: ['fault', 'timeout'],
  },
  {
    fault: 'a deployed function cannot be loaded',
    // As Lambda logs what a function does not catch: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
    happen: () =>
      void lines.push({
        level: 'ERROR',
        errorType: 'TypeError',
        errorMessage: 'Cannot read properties of undefined',
      }),
    alarm: 'webhook-fanout-message-age',
    metric: 'ApproximateAgeOfOldestMessage',
    query: 'Function errors: why',
    shows: ['errorMessage', 'Cannot read properties of undefined'],
  },
  {
    fault: 'a message cannot be read',
    happen: readUnreadable,
    counted: ['{"entity":"agency"}'],
    alarm: 'compliance-changes-dead-messages',
    metric: 'ApproximateNumberOfMessagesVisible',
    query: 'Dead messages: why',
    shows: ['faults.0', 'detail (invalid_type)'],
  },
];

test.each(faults)(
  'when $fault, "$alarm" counts it, and "$query" finds why',
  async ({ happen, counted, alarm, metric, query, shows: [member, text] }) => {
    expect(await happen()).toEqual(counted);

    expect(JSON.stringify(alarmOf(alarm))).toContain(metric);

    const { commands = [] } = savedQueries.find(({ name }) => name === query) ?? {};
    const filters = commands.filter((command) => command.startsWith('filter '));
    expect(filters).not.toEqual([]);
    const rows = lines.filter((line) => filters.every((filter) => isFound(filter, line)));
    expect(rows.map((line) => memberOf(line, member))).toEqual([text]);
    expect(commands.join(' ')).toContain(member);
  },
);

test('a request that failed is counted for the alarm on a new version', async () => {
  await request(exception('AccessDeniedException'));
  const filter = service
    .ofType('AWS::Logs::MetricFilter')
    .find(([, one]) => JSON.stringify(one.Properties).includes('"policies-new-version-faults"'));
  const pattern = plainText(filter?.[1].Properties['FilterPattern']);
  const [line] = lines;
  expect(isFound(pattern, { ...line, version: 'reference' })).toBe(true);
  expect(isFound(pattern, { ...line, version: 'another' })).toBe(false);
});

test('hosts at which receivers begin to fail are counted, each once, and one or two are their owners’ business', async () => {
  const { happen } = faults.find(({ alarm }) => alarm === 'receivers-failing') ?? {};
  await happen?.();
  const rule = z.object({
    AggregateOn: z.literal('Count'),
    Contribution: z.object({
      Keys: z.tuple([z.string()]),
      Filters: z.tuple([z.object({ Match: z.literal('$.event'), In: z.tuple([z.string()]) })]),
    }),
  });
  const [ruleOfHosts] = watch.ofType('AWS::CloudWatch::InsightRule');
  const {
    Keys: [host],
    Filters: [{ In }],
  } = z.parse(rule, JSON.parse(String(ruleOfHosts?.[1].Properties['RuleBody']))).Contribution;
  expect(lines.map((line) => [memberOf(line, 'event'), memberOf(line, host.replace('$.', ''))])).toEqual([
    [...In, 'one.invalid'],
  ]);
  expect(alarmOf('receivers-failing')?.['Threshold']).toBe(2);
});
