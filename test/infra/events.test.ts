import * as z from 'zod/mini';
import { eventSource, webhookTypes } from '#domain/events/payloads.ts';
import { internalTypes, itemsOfEvent, outboxKeys } from '#domain/events/stored.ts';
import { streamReaders } from '#platform/aws/limits.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { environments } from '../../infra/environments.ts';
import { functionsOf } from '../../infra/function-uses.ts';
import { readEventPattern } from '../../infra/local/triggers/mapping.ts';
import { invoked } from './invoked.ts';
import { synthesized } from './synthesized.ts';

const { service } = synthesized('prod');

const getAtt = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const ref = z.object({ Ref: z.string() });
const oneOf = <Value>([value, ...others]: Value[]): Value => {
  if (value === undefined || others.length > 0)
    throw new Error(`One was expected, not ${others.length + 1}.`);
  return value;
};
const nameOf = (logicalId: string, property: string): string =>
  String(service.all[logicalId]?.Properties[property]).replace('insurance-compliance-prod-', '');

describe('The stream of the outbox', () => {
  const mappings = service
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(([, { Properties }]) => !getAtt.safeParse(Properties['EventSourceArn']).success)
    .map(([, { Properties }]) => Properties);
  const filtered = z.object({ Filters: z.array(z.object({ Pattern: z.string() })) });
  const readers = mappings.map((mapping) => ({
    called: invoked(service, mapping['FunctionName']).called,
    patterns: z
      .parse(filtered, mapping['FilterCriteria'])
      .Filters.map(({ Pattern }) => readEventPattern(JSON.parse(Pattern))),
  }));
  /** Whom a new item is passed to. */
  const readersOf = (item: { readonly pk: string; readonly sk: string }) => {
    const Keys = toItem({ pk: item.pk, sk: item.sk });
    const change = { eventName: 'INSERT', dynamodb: { Keys, NewImage: toItem(item) } };
    return readers
      .filter(({ patterns }) => patterns.some((matches) => matches(change)))
      .map(({ called }) => called);
  };
  const event = {
    ...outboxKeys.event('carrier', 'agent', 'id'),
    ...{ eventId: 'id', type: 'AGENT_CREATED', upstreamEntityId: 'carrier', entityId: 'agent' },
    ...{ occurredAt: '2026-03-01T00:00:00.000Z', payload: {} },
  };

  it('passes new events to the publisher, those of imports to one of their own, and no other item of the table', () => {
    expect(readersOf(event)).toEqual(['event-publisher:live']);
    expect(readersOf({ ...event, ...{ isImported: true } })).toEqual(['imported-event-publisher:live']);
    const others = [
      ...itemsOfEvent(event, 1).slice(1),
      outboxKeys.sequence('carrier', 'agent', 'AGENT_CREATED'),
    ];
    for (const item of others) expect(readersOf(item)).toEqual([]);
    expect(readers.length).toBeLessThanOrEqual(streamReaders);
  });

  it('loses no earlier event, waits out an outage of hours, and has a dead-letter queue for each reader', () => {
    const dead = mappings.map((mapping) => {
      expect(mapping).toMatchObject({
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 100,
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRecordAgeInSeconds: 12 * 3_600,
      });
      expect(mapping).not.toHaveProperty('MaximumRetryAttempts');
      const { OnFailure } = z.parse(
        z.object({ OnFailure: z.object({ Destination: getAtt }) }),
        mapping['DestinationConfig'],
      );
      return nameOf(OnFailure.Destination['Fn::GetAtt'][0], 'QueueName');
    });
    expect(dead.sort()).toEqual(['event-publisher-dead', 'imported-event-publisher-dead']);
  });
});

describe('The bus', () => {
  const [busId] = oneOf(service.ofType('AWS::Events::EventBus'));
  const ruleProperties = z.object({
    EventBusName: ref,
    EventPattern: z.strictObject({
      source: z.array(z.string()),
      'detail-type': z.array(z.string()),
      detail: z.strictObject({ isImported: z.tuple([z.strictObject({ exists: z.boolean() })]) }),
    }),
    State: z.literal('ENABLED'),
    Targets: z.tuple([
      z.strictObject({
        Id: z.string(),
        Arn: getAtt,
        DeadLetterConfig: z.object({ Arn: getAtt }),
      }),
    ]),
  });
  const rules = service
    .ofType('AWS::Events::Rule')
    .map(([, { Properties }]) => z.parse(ruleProperties, Properties));
  const carried = rules.map(({ EventPattern, Targets: [{ Arn, DeadLetterConfig }] }) => ({
    types: EventPattern['detail-type'],
    ofImports: EventPattern.detail.isImported[0].exists,
    queue: nameOf(Arn['Fn::GetAtt'][0], 'QueueName'),
    dead: nameOf(DeadLetterConfig.Arn['Fn::GetAtt'][0], 'QueueName'),
  }));

  const compliance = ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', ...internalTypes];

  it.each([
    ['every webhook type', 'webhook-fanout', webhookTypes],
    ['what compliance depends on', 'compliance-changes', compliance],
  ])('delivers %s unchanged to %s, and that of imports to a queue of its own', (_, queue, types) => {
    expect(carried).toContainEqual({ types, ofImports: false, queue, dead: `${queue}-dead` });
    const imports = `${queue}-imports`;
    expect(carried).toContainEqual({ types, ofImports: true, queue: imports, dead: `${imports}-dead` });
  });

  it('can be replayed for 30 days', () => {
    const [, archive] = oneOf(service.ofType('AWS::Events::Archive'));
    expect(archive.Properties).toMatchObject({
      SourceArn: { 'Fn::GetAtt': [busId, 'Arn'] },
      EventPattern: { source: [eventSource] },
      RetentionDays: 30,
    });
  });
});

describe('The schedules', () => {
  const scheduleProperties = z.object({
    GroupName: z.string(),
    ScheduleExpression: z.string(),
    ScheduleExpressionTimezone: z.string(),
    FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
    State: z.literal('ENABLED'),
    Target: z.object({
      Arn: z.unknown(),
      RoleArn: getAtt,
      Input: z.string(),
      DeadLetterConfig: z.object({ Arn: getAtt }),
      RetryPolicy: z.object({ MaximumEventAgeInSeconds: z.number(), MaximumRetryAttempts: z.number() }),
    }),
  });
  const [groupId, group] = oneOf(service.ofType('AWS::Scheduler::ScheduleGroup'));
  const schedules = service
    .ofType('AWS::Scheduler::Schedule')
    .map(([, { Properties }]) => z.parse(scheduleProperties, Properties));

  it('call the right function at the right time, with the scheduled time', () => {
    const calls = schedules.map(({ ScheduleExpression, ScheduleExpressionTimezone, Target }) => ({
      calls: invoked(service, Target.Arn).called,
      at: ScheduleExpression,
      zone: ScheduleExpressionTimezone,
      input: JSON.parse(Target.Input),
    }));
    const declared = [...functionsOf(environments.prod)].flatMap(
      ([name, { schedules: timetables = {}, consumes, stream }]) =>
        Object.entries(timetables).map(([task, timetable]) => ({
          calls: consumes === undefined && stream === undefined ? name : `${name}:live`,
          at:
            'everyMinutes' in timetable
              ? `rate(${timetable.everyMinutes} minute${timetable.everyMinutes === 1 ? '' : 's'})`
              : `cron(0 ${timetable.dailyAtHour} * * ? *)`,
          zone: 'everyMinutes' in timetable ? 'Etc/UTC' : 'America/New_York',
          input: { task, asOf: '<aws.scheduler.scheduled-time>' },
        })),
    );
    expect(calls).toHaveLength(declared.length);
    expect(calls).toEqual(expect.arrayContaining(declared));
    // Of the license sweep it is public when it begins.
    expect(calls).toContainEqual(
      expect.objectContaining({
        calls: 'license-sweep:live',
        at: 'cron(0 5 * * ? *)',
        zone: 'America/New_York',
      }),
    );
  });

  it('may each call their function and send failed calls to a queue, and nothing else', () => {
    for (const { GroupName, Target } of schedules) {
      expect(GroupName).toBe(group.Properties['Name']);
      expect(nameOf(Target.DeadLetterConfig.Arn['Fn::GetAtt'][0], 'QueueName')).toBe('schedules-dead');
      const roleId = Target.RoleArn['Fn::GetAtt'][0];
      expect(service.all[roleId]?.Properties['AssumeRolePolicyDocument']).toMatchObject({
        Statement: [
          {
            Principal: { Service: 'scheduler.amazonaws.com' },
            Condition: {
              StringEquals: {
                'aws:SourceAccount': { Ref: 'AWS::AccountId' },
                'aws:SourceArn': { 'Fn::GetAtt': [groupId, 'Arn'] },
              },
            },
          },
        ],
      });
      const Statement = [
        { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: Target.Arn },
        { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: Target.DeadLetterConfig.Arn },
      ];
      expect(service.all[roleId]?.Properties).toMatchObject({
        Policies: [{ PolicyDocument: { Statement } }],
      });
      const others = service
        .ofType('AWS::IAM::Policy')
        .filter(([, { Properties }]) => JSON.stringify(Properties['Roles']).includes(roleId));
      expect(others).toEqual([]);
    }
  });

  it('keep each call whose function fails at every attempt, in the same queue', () => {
    const kept = service.ofType('AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties);
    const called = new Set(schedules.map(({ Target }) => invoked(service, Target.Arn).called));
    // The settings of a function are not those of its aliases.
    const settled = kept.map(({ FunctionName, Qualifier }) =>
      [invoked(service, FunctionName).called, Qualifier].join(':').replace(':$LATEST', ''),
    );
    expect(new Set(settled)).toEqual(called);
    for (const properties of kept) {
      expect(properties).toMatchObject({
        MaximumRetryAttempts: 2,
        DestinationConfig: { OnFailure: { Destination: schedules[0]?.Target.DeadLetterConfig.Arn } },
      });
    }
  });
});
