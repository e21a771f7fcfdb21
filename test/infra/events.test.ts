import * as z from 'zod/mini';
import { environments } from '../../infra/environments.ts';
import { functionsOf } from '../../infra/function-uses.ts';
import { readEventPattern } from '../../infra/local/triggers/event-bus.ts';
import { eventSource } from '../../shared/domain/events/event.ts';
import { webhookTypes } from '../../shared/domain/events/payloads.ts';
import { internalTypes, itemsOfEvent, outboxKeys } from '../../shared/domain/events/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
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
  const mapping = oneOf(
    service
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter(([, { Properties }]) => !getAtt.safeParse(Properties['EventSourceArn']).success)
      .map(([, { Properties }]) => Properties),
  );
  const { Filters } = z.parse(
    z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }),
    mapping['FilterCriteria'],
  );
  const patterns = Filters.map(({ Pattern }) => readEventPattern(JSON.parse(Pattern)));
  /** Whether a new item is passed to the publisher. */
  const passes = (item: { readonly pk: string; readonly sk: string }) => {
    const Keys = toItem({ pk: item.pk, sk: item.sk });
    const change = { eventName: 'INSERT', dynamodb: { Keys, NewImage: toItem(item) } };
    return patterns.some((matches) => matches(change));
  };
  const event = {
    ...outboxKeys.event('carrier', 'agent', 'id'),
    ...{ eventId: 'id', type: 'AGENT_CREATED', upstreamEntityId: 'carrier', entityId: 'agent' },
    ...{ occurredAt: '2026-03-01T00:00:00.000Z', payload: {} },
  };

  it('passes new events, but deferred ones, and no other item of the table', () => {
    expect(invoked(service, mapping['FunctionName']).called).toBe('event-publisher:live');
    expect(passes(event)).toBe(true);
    const others = [
      ...itemsOfEvent(event, 1).slice(1),
      ...itemsOfEvent({ ...event, deferred: true }, 1),
      outboxKeys.pace(),
      outboxKeys.sequence('carrier', 'agent', 'AGENT_CREATED'),
    ];
    for (const item of others) expect(passes(item)).toBe(false);
  });

  it('tells of a release that somebody asks for, unless one is under way', () => {
    const asked = { ...outboxKeys.release(), wantedAt: '2026-03-01T00:00:00.000Z' };
    expect(passes(asked)).toBe(true);
    expect(passes({ ...asked, ...{ runsUntil: '2026-03-01T00:00:55.000Z' } })).toBe(false);
    expect(passes(outboxKeys.release())).toBe(false);
  });

  it('loses no earlier event, continues past failures, and has a dead-letter queue', () => {
    expect(mapping).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 5,
    });
    const { OnFailure } = z.parse(
      z.object({ OnFailure: z.object({ Destination: getAtt }) }),
      mapping['DestinationConfig'],
    );
    expect(nameOf(OnFailure.Destination['Fn::GetAtt'][0], 'QueueName')).toBe('event-publisher-dead');
  });
});

describe('The bus', () => {
  const [busId] = oneOf(service.ofType('AWS::Events::EventBus'));
  const ruleProperties = z.object({
    EventBusName: ref,
    EventPattern: z.strictObject({ source: z.array(z.string()), 'detail-type': z.array(z.string()) }),
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
    queue: nameOf(Arn['Fn::GetAtt'][0], 'QueueName'),
    dead: nameOf(DeadLetterConfig.Arn['Fn::GetAtt'][0], 'QueueName'),
  }));

  it('delivers every webhook type unchanged to the fan-out', () => {
    expect(carried).toContainEqual({
      types: webhookTypes,
      queue: 'webhook-fanout',
      dead: 'webhook-fanout-dead',
    });
    expect(webhookTypes).toHaveLength(18);
  });

  it('delivers what compliance depends on to compliance-changes', () => {
    expect(carried).toContainEqual({
      types: ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', ...internalTypes],
      queue: 'compliance-changes',
      dead: 'compliance-changes-dead',
    });
  });

  it('accepts events of this service only', () => {
    expect(rules).toHaveLength(2);
    for (const { EventBusName, EventPattern } of rules) {
      expect(EventBusName).toEqual({ Ref: busId });
      expect(EventPattern.source).toEqual([eventSource]);
    }
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
