import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
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
import { type Environment, resourceName } from '../environments.ts';
import { DeadLetters } from './queue-with-dlq.ts';
import type { ServiceFunction } from './service-function.ts';

/** How long a call that failed is retried, by Scheduler and by Lambda. */
const retriedFor = Duration.hours(1);

/** Scheduled calls of functions, in one group, whose failures are counted together. */
export class Schedules extends Construct {
  readonly #deadLetters: DeadLetters;
  readonly #deployment: Environment;
  readonly #group: ScheduleGroup;

  constructor(scope: Construct, id: string, deployment: Environment) {
    super(scope, id);
    this.#deployment = deployment;
    this.#deadLetters = new DeadLetters(scope, id, deployment);
    this.#group = new ScheduleGroup(this, 'Group', { scheduleGroupName: resourceName(deployment.name, id) });
    // It has no data, and a retained group would make the next deployment fail.
    this.#group.applyRemovalPolicy(RemovalPolicy.DESTROY);
  }

  /** Calls a function on schedule, with a task and the time at which the call was due (it may be made later). */
  calls(target: ServiceFunction, task: string, schedule: ScheduleExpression): void {
    const name = `${target.name}-${task}`;
    const { scheduleGroupArn } = this.#group;
    const { functionArn } = target.invoked;
    // https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
    const role = new Role(this, `${name}-role`, {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Stack.of(this).account, 'aws:SourceArn': scheduleGroupArn },
        },
      }),
      // Inline, since a policy of its own for each role counts towards the stack's 500 resources.
      inlinePolicies: {
        calls: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
            this.#deadLetters.sending(),
          ],
        }),
      },
    });
    const call = new Schedule(this, name, {
      scheduleName: resourceName(this.#deployment.name, name),
      scheduleGroup: this.#group,
      schedule,
      timeWindow: TimeWindow.off(),
      target: {
        bind: () => ({
          arn: functionArn,
          role,
          input: ScheduleTargetInput.fromObject({ task, asOf: ContextAttribute.scheduledTime }),
          deadLetterConfig: { arn: this.#deadLetters.queueArn },
          retryPolicy: { maximumEventAgeInSeconds: retriedFor.toSeconds(), maximumRetryAttempts: 185 },
        }),
      },
    });
    this.#keepsFailures(target);
    // CloudFormation does not infer this dependency: the group is referenced by name.
    call.node.addDependency(this.#group);
  }

  /**
   * Scheduler only hands a call to Lambda, which makes it asynchronously: one whose function fails at every attempt would
   * be forgotten. A function with several schedules needs this once.
   * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
   */
  #keepsFailures({ name, lambda, alias, role }: ServiceFunction): void {
    if (this.node.tryFindChild(`${name}-failures`) !== undefined) return;
    role.addToPrincipalPolicy(this.#deadLetters.sending());
    const config = new EventInvokeConfig(this, `${name}-failures`, {
      function: lambda,
      // The settings of a function are not those of its aliases.
      ...(alias === undefined ? {} : { qualifier: alias.aliasName }),
      maxEventAge: retriedFor,
      retryAttempts: 2,
      onFailure: { bind: () => ({ destination: this.#deadLetters.queueArn }) },
    });
    // The qualifier is a plain text, from which CloudFormation infers no dependency.
    if (alias !== undefined) config.node.addDependency(alias);
  }
}
