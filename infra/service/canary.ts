import { Duration } from 'aws-cdk-lib';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import { canaryEnvironment } from '../../functions/canary/environment.ts';
import { canaryReceiverEnvironment } from '../../functions/canary-receiver/environment.ts';
import { plain } from '../constructs/binding.ts';
import type { Gateway } from '../constructs/gateway.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { commonUses, type ServiceContext } from './context.ts';

/**
 * The canary does what callers do, through the public address, and waits for the event that its write causes. The event
 * arrives at a function of its own: its address is public, so it may do nothing and know nothing.
 */
export function createCanary(context: ServiceContext, gateway: Gateway) {
  const { scope, deployment, data } = context;
  const canary = new ServiceFunction(scope, 'canary', {
    deployment,
    // Six requests of up to ten seconds, and a minute for the event.
    timeout: Duration.minutes(2),
    environment: canaryEnvironment,
    uses: {
      ...commonUses(context),
      API_ADDRESS: plain(gateway.address),
      CANARY_SECRET_ARN: data.canarySecret,
    },
  });
  const receiver = new ServiceFunction(scope, 'canary-receiver', {
    deployment,
    timeout: Duration.seconds(5),
    environment: canaryReceiverEnvironment,
    uses: commonUses(context),
  });
  // Like the receivers of customers, it is called without AWS credentials. The signature is what counts.
  receiver.lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
  return { canary, receiver };
}
