import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type * as z from 'zod/mini';
import { memoryOf } from '../capacity/division.ts';
import { type Environment, resourceName } from '../environments.ts';
import { auditedFunctions, auditRetention } from './audit-trail.ts';
import type { Binding } from './binding.ts';
import { removalOf } from './removal.ts';

/** Exactly one binding for each variable of a function's environment schema. */
export type Uses<Schema extends z.core.$ZodObject> = {
  readonly [Name in keyof z.input<Schema>]: Binding<Extract<z.input<Schema>[Name], string>>;
};

export interface ServiceFunctionProps<Schema extends z.core.$ZodObject> {
  readonly deployment: Environment;
  /** The schema with which the function reads its environment variables. */
  readonly environment: Schema;
  readonly uses: NoInfer<Uses<Schema>>;
  readonly timeout: Duration;
  /**
   * Whether everything that invokes the function names its alias `live`, in environments with gradual deployment. Not for
   * functions that are invoked by name, by people or from other stacks.
   */
  readonly aliased?: boolean;
  /**
   * Allows recursion, for a function that is invoked by messages that it sends, directly or indirectly. Without it Lambda
   * drops the 17th invocation of such a chain, and the message ends in the dead-letter queue
   * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html). Lambda detects chains through SQS, SNS, S3,
   * and Lambda, but not through DynamoDB or EventBridge.
   */
  readonly recursion?: {
    /** Why the function is recursive, and what ends the chain. Also the function's description in the console. */
    readonly reason: string;
  };
}

/** CDK context with the folder of the bundles, if it is not `dist/functions`. */
export const bundleFolderContext = 'insurance-compliance:bundle-folder';

/**
 * A Lambda function of `functions/`, named after its folder. `uses` determines both its environment variables and its
 * permissions; otherwise its role can only write its own log and traces.
 */
export class ServiceFunction<Schema extends z.core.$ZodObject = z.core.$ZodObject> extends Construct {
  readonly name: string;
  readonly lambda: lambda.IFunction;
  /** Names the version that serves, if the function is `aliased` and deployments are gradual. */
  readonly alias: lambda.Alias | undefined;
  readonly role: IRole;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, name: string, props: ServiceFunctionProps<Schema>) {
    super(scope, name);
    const { deployment } = props;
    const uses: Readonly<Record<string, Binding>> = props.uses;
    this.name = name;
    const { [name]: reserved }: Readonly<Record<string, number>> = deployment.capacity.reserved;

    this.logGroup = new LogGroup(this, 'Logs', {
      retention: auditedFunctions.includes(name) ? auditRetention : deployment.logRetention,
      removalPolicy: deployment.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // An explicit role, because the one that the CDK creates can write to every log group of the account.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
    for (const binding of Object.values(uses)) binding.grant(this.role);

    const deployed = new lambda.Function(this, 'Function', {
      functionName: resourceName(deployment.name, name),
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: memoryOf(name),
      handler: 'index.handler',
      code: lambda.Code.fromAsset(this.#bundle()),
      environment: {
        // With the source maps in the bundle, stack traces in the log refer to lines of the source.
        NODE_OPTIONS: '--enable-source-maps',
        ...Object.fromEntries(Object.entries(uses).map(([variable, binding]) => [variable, binding.value])),
      },
      role: this.role,
      timeout: props.timeout,
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
      tracing: lambda.Tracing.ACTIVE,
      loggingFormat: lambda.LoggingFormat.JSON,
      logGroup: this.logGroup,
      ...(props.recursion === undefined
        ? {}
        : { recursiveLoop: lambda.RecursiveLoop.ALLOW, description: props.recursion.reason }),
      // The version before is what a rollback by hand returns to. One takes less than a megabyte of the account's 75 GB.
      // A version whose deployment failed is deleted: Lambda publishes no second one of the same code.
      currentVersionOptions: { removalPolicy: removalOf(deployment) },
    });
    this.lambda = deployed;
    this.alias =
      props.aliased === true && deployment.gradualDeployment ? deployed.addAlias('live') : undefined;
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray: PutTraceSegments and PutTelemetryRecords do not support resources.',
    });
  }

  /** What callers, event sources, and permissions name: the alias if there is one, or else the function. */
  get invoked(): lambda.IFunction {
    // The CDK's declarations are not exact about optional properties.
    const alias = this.alias as lambda.IFunction | undefined;
    return alias ?? this.lambda;
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
