import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import {
  ContextAttribute,
  Schedule,
  type ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
  TimeWindow,
} from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { eventSource } from '#domain/events/payloads.ts';
import type { Consumption } from '#function/uses.ts';
import { type Environment, resourceName } from '../environments.ts';
import { deadLetters, type QueueWithDlq } from './queue-with-dlq.ts';
import { granting } from './resource.ts';
import type { ServiceFunction } from './service-function.ts';

/** Retention of events, as long as one can be delivered again (OpenAPI, "Webhooks"). */
const archiveRetention = Duration.days(30);

/** Routes events from the publisher to queues. On-call can replay the events of the last 30 days. */
export function eventBus(parent: Construct, id: string, deployment: Environment) {
  const scope = new Construct(parent, id);
  const bus = new events.EventBus(scope, 'Bus', { eventBusName: resourceName(deployment.name, id) });
  bus.archive('Archive', {
    archiveName: resourceName(deployment.name, id),
    description: 'All events of the bus. A replay goes to the rule that it names.',
    eventPattern: { source: [eventSource] },
    retention: archiveRetention,
  });
  return {
    /** The bus's name, with the permission to put events on it. */
    puts: granting(bus.eventBusName, { actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
    /** Sends events of these types, of imports or all others, to a queue, each as one message with the bus's envelope. */
    routes: ({ types, ofImports }: NonNullable<Consumption['events']>, queue: QueueWithDlq) =>
      new events.Rule(scope, queue.name, {
        ruleName: resourceName(deployment.name, queue.name),
        eventBus: bus,
        eventPattern: {
          source: [eventSource],
          detailType: [...types],
          detail: { isImported: [{ exists: ofImports }] },
        },
        targets: [queue.ruleTarget],
      }),
  };
}

/** Time for which Scheduler and Lambda retry a failed call. */
const retryDuration = Duration.hours(1);

/** Makes schedules that call functions, in one group, whose failures are counted together. */
export function schedules(parent: Construct, id: string, deployment: Environment) {
  const scope = new Construct(parent, id);
  const dead = deadLetters(parent, id, deployment);
  const group = new ScheduleGroup(scope, 'Group', { scheduleGroupName: resourceName(deployment.name, id) });
  // It has no data, and a retained group would make the next deployment fail.
  group.applyRemovalPolicy(RemovalPolicy.DESTROY);

  /**
   * Scheduler only hands a call to Lambda, which makes it asynchronously: one whose function fails at every attempt would
   * be forgotten. A function with several schedules needs this once.
   * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
   */
  const keepFailures = ({ name, lambda, alias, role }: ServiceFunction): void => {
    if (scope.node.tryFindChild(`${name}-failures`) !== undefined) return;
    role.addToPrincipalPolicy(dead.sending());
    const config = new EventInvokeConfig(scope, `${name}-failures`, {
      function: lambda,
      // The settings of a function are not those of its aliases.
      ...(alias === undefined ? {} : { qualifier: alias.aliasName }),
      maxEventAge: retryDuration,
      retryAttempts: 2,
      onFailure: dead.onFailure,
    });
    // The qualifier is a plain text, from which CloudFormation infers no dependency.
    if (alias !== undefined) config.node.addDependency(alias);
  };

  /** Calls a function on schedule, with a task and the time at which the call was due (it may be made later). */
  return (target: ServiceFunction, task: string, schedule: ScheduleExpression): void => {
    const name = `${target.name}-${task}`;
    const { scheduleGroupArn } = group;
    const { functionArn } = target.invoked;
    // https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
    const role = new Role(scope, `${name}-role`, {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Stack.of(scope).account, 'aws:SourceArn': scheduleGroupArn },
        },
      }),
      // Inline, since a policy of its own for each role counts towards the stack's 500 resources.
      inlinePolicies: {
        calls: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
            dead.sending(),
          ],
        }),
      },
    });
    const call = new Schedule(scope, name, {
      scheduleName: resourceName(deployment.name, name),
      scheduleGroup: group,
      schedule,
      timeWindow: TimeWindow.off(),
      target: {
        bind: () => ({
          arn: functionArn,
          role,
          input: ScheduleTargetInput.fromObject({ task, asOf: ContextAttribute.scheduledTime }),
          deadLetterConfig: { arn: dead.queueArn },
          retryPolicy: { maximumEventAgeInSeconds: retryDuration.toSeconds(), maximumRetryAttempts: 185 },
        }),
      },
    });
    keepFailures(target);
    // CloudFormation does not infer this dependency: the group is referenced by name.
    call.node.addDependency(group);
  };
}
