import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { DataStack } from './data-stack.ts';
import type { Environment } from './environments.ts';
import { createFunctions } from './service/functions.ts';
import { createOperation } from './service/operation.ts';
import { createQueues } from './service/queues.ts';

interface ServiceStackProps extends StackProps {
  readonly environment: Environment;
  readonly data: DataStack;
}

/**
 * Everything that can be rebuilt: gateway > authorizer > one function per route group > data; outbox > publisher > bus >
 * queues > workers; schedules, operator functions, and secret rotation.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    const context = { scope: this, deployment: props.environment, data: props.data };
    const queues = createQueues(context);
    createOperation(context, queues, createFunctions(context, queues));
  }
}
