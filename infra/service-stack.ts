import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { createBudget } from './constructs/budget.ts';
import { addFirewall } from './constructs/firewall.ts';
import type { DataStack } from './data-stack.ts';
import type { Environment } from './environments.ts';
import type { Release } from './release/commit.ts';
import { createFunctions } from './service/functions.ts';
import { createQueues } from './service/queues.ts';
import { createRollback } from './service/rollback.ts';

interface ServiceStackProps extends StackProps {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly release: Release | undefined;
}

/**
 * Everything that can be rebuilt: gateway > authorizer > one function per route group > data; outbox > publisher > bus >
 * queues > workers; schedules, operator functions, secret rotation, and what rolls a release back.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    const { environment, data, release } = props;
    const queues = createQueues(this, environment);
    const { gateway, api, canary } = createFunctions({ scope: this, deployment: environment, data, queues });
    if (environment.firewall) {
      addFirewall(new Construct(this, 'Firewall'), gateway.api.deploymentStage, environment);
    }
    createRollback(this, environment, { functions: api, canary });
    createBudget(this, environment);
    if (release === undefined) return;
    new CfnOutput(this, 'Commit', { value: release.commit, description: 'The commit that is live.' });
    new CfnOutput(this, 'DeployedAt', { value: release.deployedAt, description: 'Since when it is.' });
  }
}
