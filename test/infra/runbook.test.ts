import * as z from 'zod/mini';
import { longestWaitMs } from '../../functions/canary/check.ts';
import { deferredLateAfterMs, missedAfterMs } from '../../functions/event-publisher/handler.ts';
import { unreadableSeconds } from '../../functions/webhook-delivery/check-due.ts';
import { attemptsAtOnce, lastSeconds, leaseSeconds } from '../../functions/webhook-delivery/lease-limits.ts';
import { environments } from '../../infra/environments.ts';
import { keptDays } from '../../shared/domain/events/stored.ts';
import { failingAfter } from '../../shared/domain/webhooks/health.ts';
import {
  cappedStreamBytesPerSecond,
  chainedInvocations,
  MB,
  partitionReadUnits,
  partitionWriteUnits,
  putEventsBytes,
  streamedAnswerBytes,
  uncappedGatewayStreamBytes,
} from '../../shared/platform/aws/limits.ts';
import { newClientSecret } from '../../shared/platform/identity/credentials.ts';
import { signsAfterMs } from '../../shared/platform/identity/signing-keys.ts';
import { tokenLifetimeMinutes } from '../../shared/platform/identity/token-lifetime.ts';
import { alarmSections, procedures } from './runbook-sections.ts';
import { synthesized } from './synthesized.ts';

// The numbers that the runbook states, each against the template or the code that decides it.

const { service, watch } = synthesized('prod');
const prefix = 'insurance-compliance-prod-';

test('the first deployment says which alarms are on from their creation, and so notify nobody until they were off once', () => {
  const fromBirth = [service, watch]
    .flatMap(({ ofType }) => ofType('AWS::CloudWatch::Alarm'))
    .filter(([, { Properties }]) => Properties['TreatMissingData'] === 'breaching')
    .map(
      ([, { Properties }]) =>
        `\`${String(Properties['AlarmName']).replace(prefix, '')}\` is on from its creation`,
    );
  const text = sections.get('First deployment') ?? '';
  expect(fromBirth).not.toEqual([]);
  expect(fromBirth.filter((said) => !text.includes(said))).toEqual([]);
});

const sections = new Map([...alarmSections, ...procedures].map(({ heading, text }) => [heading, text]));

/** Properties of the resource of a type that has this name, by the property that holds names of its type. */
function propertiesOf<Schema extends z.core.$ZodType>(type: string, name: string, schema: Schema) {
  const nameProperty = {
    'AWS::CloudWatch::Alarm': 'AlarmName',
    'AWS::Lambda::Function': 'FunctionName',
    'AWS::Scheduler::Schedule': 'Name',
    'AWS::SQS::Queue': 'QueueName',
  }[type];
  const found = [service, watch]
    .flatMap(({ ofType }) => ofType(type))
    .find(([, { Properties }]) => Properties[String(nameProperty)] === `${prefix}${name}`);
  return z.parse(schema, found?.[1].Properties);
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const alarmSchema = z.object({
  EvaluationPeriods: z.number(),
  Threshold: z.number(),
  Period: z.optional(z.number()),
  ExtendedStatistic: z.optional(z.string()),
  Metrics: z._default(
    z.array(
      z.object({ MetricStat: z.optional(z.object({ Period: z.number() })), Period: z.optional(z.number()) }),
    ),
    [],
  ),
});

/** What an alarm waits for: its threshold, and the seconds for which the metric has to be above it. */
function alarm(name: string) {
  const properties = propertiesOf('AWS::CloudWatch::Alarm', name, alarmSchema);
  const { EvaluationPeriods, Threshold, ExtendedStatistic, Metrics, Period } = properties;
  const periods = Metrics.map((metric) => metric.MetricStat?.Period ?? metric.Period);
  const period = Period ?? periods.find((one) => one !== undefined) ?? Number.NaN;
  return { above: Threshold, seconds: period * EvaluationPeriods, statistic: ExtendedStatistic };
}

const queueSchema = z.object({
  MessageRetentionPeriod: z.number(),
  VisibilityTimeout: z.number(),
  RedrivePolicy: z.object({ maxReceiveCount: z.number() }),
});

function queue(name: string) {
  const properties = propertiesOf('AWS::SQS::Queue', name, queueSchema);
  return {
    keptSeconds: properties.MessageRetentionPeriod,
    hiddenSeconds: properties.VisibilityTimeout,
    deliveries: properties.RedrivePolicy.maxReceiveCount,
  };
}

const timeoutOf = (name: string) =>
  propertiesOf('AWS::Lambda::Function', name, z.object({ Timeout: z.number() })).Timeout;

function schedule(name: string) {
  const { ScheduleExpression: expression, Target } = propertiesOf(
    'AWS::Scheduler::Schedule',
    name,
    z.object({
      ScheduleExpression: z.string(),
      Target: z.object({ RetryPolicy: z.object({ MaximumEventAgeInSeconds: z.number() }) }),
    }),
  );
  const [, everyMinutes] = /^rate\((\d+) minutes?\)$/.exec(expression) ?? [];
  const [, atMinute = '', atHour = ''] = /^cron\((\d+) (\d+) /.exec(expression) ?? [];
  return {
    everySeconds: Number(everyMinutes) * minute,
    at: `${atHour.padStart(2, '0')}:${atMinute.padStart(2, '0')}`,
    retriedSeconds: Target.RetryPolicy.MaximumEventAgeInSeconds,
  };
}

const numerals = 'zero one two three four five six seven eight nine ten'.split(' ');

/** A number as the runbook writes it: in words up to ten. */
const inWords = (count: number): string => numerals[count] ?? count.toLocaleString('en-US');

/** A time as the runbook writes it, in its largest unit. */
function time(seconds: number): string {
  const [unit, name] = seconds % hour === 0 ? [hour, 'hour'] : [minute, 'minute'];
  return `${inWords(seconds / unit)} ${name}${seconds === unit ? '' : 's'}`;
}

const days = (seconds: number): string => `${seconds / day} days`;

const republish = schedule('event-publisher-republish');
const perSecond = environments.prod.deferredEventsPerSecond;
const synchronization = queue('registry-sync');
const publishedWithin = `published within ${time(republish.everySeconds)}`;
const publishedAgain = `${time(republish.everySeconds)} the schedule publishes what is older than ${inWords(missedAfterMs / 60_000)}`;
const outboxKeeps = `The outbox keeps an event for ${keptDays} days`;
const latency = alarm('authorizer-latency');
const faults = alarm('gateway-faults');

test.each([
  ['Gateway faults', `for ${time(faults.seconds)}, more than ${faults.above}% of all requests`],
  [
    'Canary',
    `every ${time(schedule('canary-check').everySeconds)} does what callers do`.replace(' one ', ' '),
  ],
  ['Canary', `no run of it passed for ${time(alarm('canary-failing').seconds)}`],
  ['Canary', `waits for up to ${longestWaitMs / 1_000} seconds`],
  ['Authorizer errors', `failed at least once in ${time(alarm('authorizer-errors').seconds)}`],
  [
    'Authorizer latency',
    `for ${time(latency.seconds)}, the slowest ${100 - Number(latency.statistic?.slice(1))} %`,
  ],
  ['Refused requests', `for ${time(alarm('gateway-refusals').seconds)}, more than half of all requests`],
  ['Slow requests', `for ${time(alarm('read-latency').seconds)}, one in a hundred requests`],
  ['Slow requests', `${inWords(alarm('token-latency').above / 1_000)} seconds for \`token\``],
  ['Slow requests', `${inWords(alarm('page-latency').above / 1_000)} for \`page\` and \`write\``],
  ['Failing receivers', `began to fail within ${time(alarm('receivers-failing').seconds)}`],
  ['Failing receivers', `${inWords(failingAfter)} attempts in a row failed`],
  ['Late deliveries', `for ${time(alarm('deliveries-late').seconds)}, half of the leases`],
  ['Late events', `for ${time(alarm('webhook-fanout-message-age').seconds)} a queue has been waiting`],
  ['Late deliveries', `due for more than ${time(alarm('deliveries-late').above)}`],
  ['Late events', `for ${time(alarm('event-publisher-lag').seconds)}, the stream`],
  ['Failed schedules', `pages after ${time(alarm('schedules-failed-calls').seconds)}`],
  [
    'Concurrency near its quota',
    `for ${time(alarm('shared-concurrency').seconds)}, functions without reserved concurrency used more than ${alarm('shared-concurrency').above}%`,
  ],
  ['Authorizer latency', `took more than ${inWords(latency.above / 1_000)} seconds`],
  ['Authorizer latency', `At ${inWords(timeoutOf('authorizer'))} seconds they fail`],
  ['Responses that are too large', `than Lambda streams (${streamedAnswerBytes / MB} MB)`],
  ['Responses that are too large', `${streamedAnswerBytes / MB} MB take more than a minute and a half`],
  ['Dropped invocations', `more than ${chainedInvocations} times in a row`],
  ['Old messages', `\`license-sweep\` (${time(alarm('license-sweep-message-age').above)})`],
  [
    'Old messages',
    `\`registry-reconciliation\` (${time(alarm('registry-reconciliation-message-age').above)})`,
  ],
  ['Old messages', `more than ${attemptsAtOnce.healthy} deliveries at once`],
  ['Old messages', `a drain of ${leaseSeconds - lastSeconds} seconds`],
  ['Unreadable deliveries', `every ${time(unreadableSeconds)}`.replace('one ', '')],
  [
    'Old messages',
    `retried every ${time(synchronization.hiddenSeconds)}, ${inWords(synchronization.deliveries)} attempts in all`,
  ],
  ['Dead messages', `Messages are kept for ${days(synchronization.keptSeconds)}`],
  ['Publisher errors', publishedAgain],
  ['Late events', `at least ${time(missedAfterMs / 1_000)} later`],
  ['Late deferred events', `for more than ${time(deferredLateAfterMs / 1_000)}`],
  [
    'Late deferred events',
    `at ${perSecond} a second, ${(perSecond * hour).toLocaleString('en-US')} events take an hour`,
  ],
  ['Unpublished events', `for more than ${time(missedAfterMs / 1_000 + republish.everySeconds)}`],
  ['Unpublished events', publishedWithin],
  ['Unpublished events', outboxKeeps],
  ['Refused events', `an event can have up to ${putEventsBytes / MB} MB on the bus`],
  ['Refused events', `retried every ${time(republish.everySeconds)}`],
  ['Refused events', publishedWithin],
  ['Refused events', outboxKeeps],
  ['Failed schedules', `\`event-publisher\` (every ${time(republish.everySeconds)})`],
  [
    'Failed schedules',
    `\`registry-reconciliation\` (${schedule('registry-reconciliation-dispatch').at} in New York)`,
  ],
  ['Failed schedules', `\`license-sweep\` (${schedule('license-sweep-dispatch').at})`],
  ['Failed schedules', `called again within ${time(republish.everySeconds)}`],
  ['Uncounted requests', `${secretBits()} random bits`],
  [
    'Signing secret rotation failed',
    `leave ${tokenLifetimeMinutes + signsAfterMs / 60_000} minutes between them`,
  ],
  ['Signing secret rotation failed', `signs ${time(signsAfterMs / 1_000)} after it was created`],
  ['Signing secret rotation failed', 'The second call is refused while the first is under way'],
  ['Signing secret rotation failed', `Wait ${time(signsAfterMs / 1_000)}, then tell callers`],
  ['Table throttles', `for ${time(alarm('outbox-table-throttles').seconds)}`],
  [
    'Table throttles',
    `more than ${inWords(partitionReadUnits)} reads or ${inWords(partitionWriteUnits)} writes per second`,
  ],
  [
    'Testing the alarms',
    `within ${time(alarm('authorizer-errors').seconds)}, with the metric's next evaluation`,
  ],
])('"%s" says: %s', (heading, statement) => {
  expect(sections.get(heading)).toContain(statement);
});

/** Random bits of a client secret, which holds them as base64url behind a prefix. */
function secretBits(): number {
  const random = newClientSecret().replace(/^secret_/, '');
  return 8 * Buffer.from(random, 'base64url').byteLength;
}

test('"Failed schedules" says for how long a call is retried', () => {
  const retried = ['event-publisher-republish', 'registry-reconciliation-dispatch', 'license-sweep-dispatch'];
  for (const name of retried) expect(schedule(name).retriedSeconds).toBe(hour);
  expect(sections.get('Failed schedules')).toContain('It retries for an hour');
});

test('"Late events" says above which lag the alarm fires', () => {
  expect(alarm('event-publisher-lag').above).toBe(minute * 1_000);
  expect(sections.get('Late events')).toContain('more than a minute behind');
});

test('"Responses that are too large" says how long the largest list takes', () => {
  const seconds = (streamedAnswerBytes - uncappedGatewayStreamBytes) / cappedStreamBytesPerSecond;
  expect(seconds).toBeGreaterThan(1.5 * minute);
  expect(seconds).toBeLessThan(2 * minute);
});

test('"Dropped invocations" says when a message that Lambda refuses becomes a dead letter', () => {
  const { hiddenSeconds, deliveries } = queue('webhook-fanout');
  expect(hiddenSeconds * deliveries).toBe(hour);
  expect(sections.get('Dropped invocations')).toContain('for most queues within an hour');
});

test('"Worker errors" says after how many attempts a message becomes a dead letter', () => {
  const stated =
    /\((\d+) deliveries for `([\w-]+)`, `([\w-]+)`, and `([\w-]+)`, (\d+) for the other queues\)/.exec(
      sections.get('Worker errors') ?? '',
    );
  const [, few, one = '', two = '', three = '', many] = stated ?? [];
  const names = service
    .ofType('AWS::SQS::Queue')
    .map(([, { Properties }]) => String(Properties['QueueName']).replace(prefix, ''))
    .filter((name) => !name.endsWith('-dead'));
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const expected = [one, two, three].includes(name) ? few : many;
    expect([name, queue(name).deliveries]).toEqual([name, Number(expected)]);
  }
});

test('"Worker errors" says how long a message stays invisible', () => {
  const workers = { 'registry-sync': 'registry-sync', 'webhook-delivery': 'deliveries-healthy' };
  for (const [worker, name] of Object.entries(workers)) {
    expect(queue(name).hiddenSeconds / timeoutOf(worker)).toBe(6);
  }
  expect(sections.get('Worker errors')).toContain("(six times the function's timeout)");
});
