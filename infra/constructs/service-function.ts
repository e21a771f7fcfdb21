import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionUses, StreamMapping } from '#function/uses.ts';
import type { RouteGroup } from '#platform/contract/route.ts';
import { type Environment, resourceName } from '../environments.ts';
import { authorizerName, functionLimit, logGroupName, memoryOf } from '../function-uses.ts';
import { auditRetention } from './audit-trail.ts';
import { deadLetters, type QueueWithDlq } from './queue-with-dlq.ts';
import { type Binding, removalOf } from './resource.ts';
import type { Table } from './table.ts';

interface ServiceFunctionProps {
  readonly deployment: Environment;
  readonly uses: FunctionUses;
  /** Variables of the function, with the permissions that go with their values. */
  readonly variables: Readonly<Record<string, Binding>>;
}

/** CDK context with the folder of the bundles, if it is not `dist/functions`. */
export const bundleFolderContext = 'insurance-compliance:bundle-folder';

/**
 * A Lambda function of `functions/`, named after its folder. Its variables determine its permissions too; otherwise its role
 * can only write its own log and traces.
 */
export class ServiceFunction extends Construct {
  readonly name: string;
  readonly lambda: lambda.IFunction;
  /**
   * Names the version that serves, in environments with gradual deployment: everything that invokes the function names it. Not
   * for functions that are invoked by name, by people or from other stacks.
   */
  readonly alias: lambda.Alias | undefined;
  readonly role: IRole;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, name: string, props: ServiceFunctionProps) {
    super(scope, name);
    const { deployment, uses, variables } = props;
    this.name = name;
    const { [name]: reserved }: Readonly<Record<string, number>> = deployment.capacity.reserved;

    this.logGroup = new LogGroup(this, 'Logs', {
      logGroupName: logGroupName.function(deployment.name, name),
      retention: uses.isAudited === true ? auditRetention : deployment.logRetention,
      removalPolicy: removalOf(deployment),
    });
    // An explicit role, because the one that the CDK creates can write to every log group of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
    for (const binding of Object.values(variables)) binding.grant(this.role);

    const lambdaFunction = new lambda.Function(this, 'Function', {
      functionName: resourceName(deployment.name, name),
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: memoryOf(uses),
      handler: 'index.handler',
      code: lambda.Code.fromAsset(this.#bundle()),
      environment: {
        // With the source maps in the bundle, stack traces in the log refer to lines of the source.
        NODE_OPTIONS: '--enable-source-maps',
        ...Object.fromEntries(
          Object.entries(variables).map(([variable, binding]) => [variable, binding.value]),
        ),
      },
      role: this.role,
      timeout: uses.routes === undefined ? Duration.seconds(uses.timeoutSeconds) : functionLimit(uses.routes),
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
      tracing: lambda.Tracing.ACTIVE,
      loggingFormat: lambda.LoggingFormat.JSON,
      logGroup: this.logGroup,
      ...(uses.recursion === undefined
        ? {}
        : { recursiveLoop: lambda.RecursiveLoop.ALLOW, description: uses.recursion }),
      // The version before is what a rollback by hand returns to. One takes less than a megabyte of the account's 75 GB.
      // A version whose deployment failed is deleted: Lambda publishes no second one of the same code.
      currentVersionOptions: { removalPolicy: removalOf(deployment) },
    });
    this.lambda = lambdaFunction;
    const isAliased =
      name === authorizerName ||
      uses.routes !== undefined ||
      uses.consumes !== undefined ||
      uses.stream !== undefined;
    this.alias = isAliased && deployment.gradualDeployment ? lambdaFunction.addAlias('live') : undefined;
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray: PutTraceSegments and PutTelemetryRecords do not support resources.',
    });
  }

  /** Target that callers, event sources, and permissions name: the alias if there is one, or else the function. */
  get invoked(): lambda.IFunction {
    // The CDK's declarations are not exact about optional properties.
    const alias = this.alias as lambda.IFunction | undefined;
    return alias ?? this.lambda;
  }

  /** Has it process a queue's messages, of which those that it reports as failed are delivered again. */
  receives(queue: QueueWithDlq, batchSize: number, deployment: Environment): void {
    queue.feeds(this.role);
    new EventSourceMapping(this, `${queue.name}-messages`, {
      target: this.invoked,
      eventSourceArn: queue.queueArn,
      batchSize,
      maxConcurrency: deployment.capacity.workers[queue.name],
      reportBatchItemFailures: true,
    });
  }

  /**
   * Has it process a table's changes in order. It reports where in a batch it failed, and the stream resumes there. What
   * still fails when it is too old is given up, and its position in the stream sent to a dead-letter queue.
   */
  follows(table: Pick<Table, 'streamArn' | 'feeds'>, mapping: StreamMapping, deployment: Environment): void {
    const { onFailure, sending } = deadLetters(Stack.of(this), this.name, deployment);
    table.feeds(this.role);
    this.role.addToPrincipalPolicy(sending());
    new EventSourceMapping(this, 'Changes', {
      target: this.invoked,
      eventSourceArn: table.streamArn,
      // Includes changes that were written before the mapping existed.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: mapping.filters.map((filter) => FilterCriteria.filter(filter)),
      batchSize: mapping.batchSize,
      // As often as it takes until a record is that old, which is what not to say a number means.
      maxRecordAge: Duration.hours(mapping.retryForHours),
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      onFailure,
    });
  }

  #bundle(): string {
    const root: unknown = this.node.tryGetContext(bundleFolderContext);
    const folder = join(
      typeof root === 'string' ? root : join(process.cwd(), 'dist', 'functions'),
      this.name,
    );
    if (!existsSync(folder)) {
      throw new Error(`No bundle of the function "${this.name}" at ${folder}: run "npm run build" first.`);
    }
    return folder;
  }
}

/** The function that serves the routes of one group. */
export class ApiFunction extends ServiceFunction {
  readonly group: RouteGroup;

  constructor(scope: Construct, group: RouteGroup, props: ServiceFunctionProps) {
    super(scope, group.name, props);
    this.group = group;
  }
}
