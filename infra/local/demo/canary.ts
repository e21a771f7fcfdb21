import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { CanarySetup } from '../../canary/set-up.ts';
import { resourceName } from '../../environments.ts';
import { type Access, clientSettings } from '../aws/call.ts';
import type { Deployment } from '../template/template.ts';

/** What the set-up of the run's canary takes from its templates. @throws Error unless one function has an address. */
export function canaryOf(
  deployment: Deployment,
  operator: Access,
): Pick<CanarySetup, 'secrets' | 'secretId' | 'receiverAddress'> {
  const [url, ...others] = deployment.ofType('AWS::Lambda::Url');
  const receiverAddress = url?.attributes['FunctionUrl'];
  if (receiverAddress === undefined || others.length > 0) {
    throw new Error('The local run expects one function with an address: the receiver of the canary.');
  }
  return {
    secrets: new SecretsManagerClient(clientSettings(operator)),
    secretId: resourceName('local', 'canary'),
    receiverAddress,
  };
}
