import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { errorRegistry } from '#platform/contract/errors.ts';
import { commonHeaders } from '#platform/contract/responses.ts';
import { type Environment, resourceName } from '../environments.ts';
import { logGroupName } from '../function-uses.ts';
import { removalOf } from './resource.ts';

/** Headers with credentials, which are redacted in samples, and in logs if they are enabled. */
const secretHeaders = ['authorization', 'x-restricted-access-token'];

/** The window of the rate-based rule, which WAF evaluates about every ten seconds. */
const countedSeconds = 300;
const retryAfterSeconds = 60;

const tooManyRequests = 'too-many-requests';

/**
 * AWS WAF in front of the gateway: Amazon's rule groups for hostile addresses and known bad inputs, and a limit per
 * address. The common rule set is not used: it protects web pages, and would block files, long bodies, and webhook URLs.
 * Reads are not rate limited (OpenAPI, "Rate limits"), so the limit per address is high enough to stop floods only.
 */
export function addFirewall(scope: Construct, stage: Stage, environment: Environment): void {
  const { requestsPerAddress } = environment.capacity;
  const visible = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    // Samples show requests that were blocked by mistake.
    sampledRequestsEnabled: true,
  });
  const managedRuleGroups = ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet'];
  const acl = new CfnWebACL(scope, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visible(resourceName(environment.name, 'firewall')),
    // https://docs.aws.amazon.com/waf/latest/APIReference/API_DataProtectionConfig.html: for samples as well.
    dataProtectionConfig: {
      dataProtections: [
        { action: 'SUBSTITUTION', field: { fieldType: 'SINGLE_HEADER', fieldKeys: secretHeaders } },
        { action: 'SUBSTITUTION', field: { fieldType: 'QUERY_STRING' } },
        { action: 'SUBSTITUTION', field: { fieldType: 'BODY' } },
      ],
    },
    customResponseBodies: {
      [tooManyRequests]: { contentType: 'APPLICATION_JSON', content: tooManyRequestsBody(environment) },
    },
    rules: [
      ...managedRuleGroups.map((name, priority) => ({
        name,
        priority,
        overrideAction: { none: {} },
        statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
        visibilityConfig: visible(name),
      })),
      {
        name: 'requests-per-address',
        priority: managedRuleGroups.length,
        // Without a custom response, the caller would get the gateway's 403 for WAF_FILTERED, as for the other rules
        // (https://docs.aws.amazon.com/waf/latest/developerguide/customizing-the-response-for-blocked-requests.html).
        action: {
          block: {
            customResponse: {
              responseCode: errorRegistry.rate_limit_exceeded.status,
              customResponseBodyKey: tooManyRequests,
              responseHeaders: [
                ...Object.entries(commonHeaders).map(([name, value]) => ({ name, value })),
                { name: 'retry-after', value: String(retryAfterSeconds) },
                { name: 'x-request-id', value: firewallRequestId(environment) },
              ],
            },
          },
        },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            limit: requestsPerAddress,
            evaluationWindowSec: countedSeconds,
          },
        },
        visibilityConfig: visible('requests-per-address'),
      },
    ],
  });
  new CfnWebACLAssociation(scope, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
  logBlocked(scope, acl, environment);
}

/**
 * Logs the requests that it blocks, without credentials and query strings, so that a caller who was blocked by mistake can learn why.
 * Samples are kept for three hours only. https://docs.aws.amazon.com/waf/latest/developerguide/logging-cw-logs.html
 */
function logBlocked(scope: Construct, acl: CfnWebACL, environment: Environment): void {
  const logs = new LogGroup(scope, 'Logs', {
    logGroupName: logGroupName.firewall(environment.name),
    retention: environment.logRetention,
    removalPolicy: removalOf(environment),
  });
  // WAF delivers through CloudWatch Logs' delivery service, which may not write to a log group by itself.
  logs.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logs.logGroupArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  const logging = new CfnLoggingConfiguration(scope, 'Logging', {
    resourceArn: acl.attrArn,
    logDestinationConfigs: [
      // WAF refuses the `:*` at the end of a log group's ARN.
      Stack.of(scope).formatArn({
        service: 'logs',
        resource: 'log-group',
        resourceName: logs.logGroupName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
    redactedFields: [...secretHeaders.map((Name) => ({ singleHeader: { Name } })), { queryString: {} }],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [
        {
          Behavior: 'KEEP',
          Requirement: 'MEETS_ANY',
          Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
        },
      ],
    },
  });
  logging.node.addDependency(logs);
}

/** The requestId of requests that the firewall rejects before they reach the gateway. */
const firewallRequestId = ({ name }: Environment): string => `${name}-firewall`;

/** The error shape, as far as a static body can have it. */
const tooManyRequestsBody = (environment: Environment): string => {
  const { status, sentence } = errorRegistry.rate_limit_exceeded;
  return JSON.stringify({
    statusCode: status,
    requestId: firewallRequestId(environment),
    errorType: 'rate_limit_exceeded',
    errorMessage: [sentence],
    timestamp: 'see the header date',
    details: {
      expected: `at most ${environment.capacity.requestsPerAddress} requests in ${countedSeconds} seconds from one address`,
      actual: 'more',
    },
  });
};
