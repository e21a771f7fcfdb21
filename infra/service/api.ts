import { Duration } from 'aws-cdk-lib';
import { authorizerEnvironment } from '../../functions/authorizer/environment.ts';
import { Firewall } from '../constructs/firewall.ts';
import { Gateway } from '../constructs/gateway.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { createApiFunctions } from './api-functions.ts';
import { commonUses, type ServiceContext } from './context.ts';
import type { Queues } from './queues.ts';

/** Everything that a request passes: firewall, gateway, authorizer, and one function for each route group. */
export function createApi(context: ServiceContext, queues: Queues) {
  const { scope, deployment } = context;
  const authorizer = createAuthorizer(context);
  const { functions, fallback } = createApiFunctions(context, queues);
  const gateway = new Gateway(scope, 'Gateway', { environment: deployment, authorizer, functions, fallback });
  const { deploymentStage } = gateway.api;
  const firewall = deployment.firewall
    ? new Firewall(scope, 'Firewall', deploymentStage, deployment)
    : undefined;
  return { gateway, firewall, authorizer, functions };
}

export type Api = ReturnType<typeof createApi>;

function createAuthorizer(context: ServiceContext) {
  const { scope, deployment, data } = context;
  return new ServiceFunction(scope, 'authorizer', {
    deployment,
    timeout: Duration.seconds(5),
    environment: authorizerEnvironment,
    uses: {
      ...commonUses(context),
      ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
      SIGNING_SECRET_ARN: data.signingSecret.reads(),
    },
  });
}
