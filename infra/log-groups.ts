import { firewallLogPrefix } from '../shared/platform/aws/limits.ts';
import { resourceName } from './environments.ts';

/**
 * Names of log groups of the service stack, by which the watch stack knows them. Where data is kept they stay when the
 * service stack is deleted, and are imported when it is created again (`infra/runbook.md`, "Creating a stack again").
 */
export const logGroupName = {
  function: (environment: string, name: string) => `/aws/lambda/${resourceName(environment, name)}`,
  accessLog: (environment: string) => `/aws/apigateway/${resourceName(environment, 'api')}`,
  // API Gateway requires the name, and would create the group itself, to be kept for ever.
  executionLog: (restApiId: string, stageName: string) =>
    `API-Gateway-Execution-Logs_${restApiId}/${stageName}`,
  // WAF requires the prefix.
  firewall: (environment: string) => `${firewallLogPrefix}${resourceName(environment, 'firewall')}`,
};
