import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
import { DeadLetters } from './dead-letters.ts';
import type { ServiceFunction } from './service-function.ts';

/** A call that could not be made within this time is made no more. */
const triedFor = Duration.hours(1);

/** Calls of functions at set times. They are one group, whose failures are counted together. */
export class Schedules extends Construct {
  readonly deadLetters: DeadLetters;
  readonly #deployment: Environment;
  readonly #group: ScheduleGroup;

  constructor(scope: Construct, id: string, deployment: Environment) {
    super(scope, id);
    this.#deployment = deployment;
    this.deadLetters = new DeadLetters(scope, id, deployment);
    this.#group = new ScheduleGroup(this, 'Group', { scheduleGroupName: resourceName(deployment.name, id) });
    // It keeps nothing, and one that stayed would be in the way of the next deployment.
    this.#group.applyRemovalPolicy(RemovalPolicy.DESTROY);
  }

  /** Calls a function with a task, and with the time at which the call was due: it may come later. */
  calls(target: ServiceFunction, task: string, schedule: ScheduleExpression): void {
    const name = `${target.name}-${task}`;
    const { scheduleGroupArn } = this.#group;
    const { functionArn } = target.lambda;
    // https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
    const role = new Role(this, `${name}-role`, {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Stack.of(this).account, 'aws:SourceArn': scheduleGroupArn },
        },
      }),
    });
    role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
    this.deadLetters.grantSend(role);
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
          deadLetterConfig: { arn: this.deadLetters.queueArn },
          retryPolicy: { maximumEventAgeInSeconds: triedFor.toSeconds(), maximumRetryAttempts: 185 },
        }),
      },
    });
    // Its name alone does not tell CloudFormation of the group, nor its role of the role's policy.
    call.node.addDependency(this.#group, role);
  }

  /** Calls that were given up. */
  dropped(period: Duration): IMetric {
    return this.#group.metricDropped({ statistic: 'Sum', period });
  }

  /** Calls that Lambda refused, or answered with a fault; they are made again. */
  failed(period: Duration): IMetric {
    return this.#group.metricTargetErrors({ statistic: 'Sum', period });
  }
}
