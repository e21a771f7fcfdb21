import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { errorRegistry } from '../../shared/contract/errors.ts';
import type { Environment } from '../environments.ts';

/** What holds credentials: it is left out of samples, and of logs if somebody turns them on. */
const secretHeaders = ['authorization', 'x-restricted-access-token'];

/** WAF looks back over so many seconds, every ten seconds or so. */
const countedSeconds = 300;
const retryAfterSeconds = 60;

const tooManyRequests = 'too-many-requests';

/**
 * AWS WAF before the gateway, with Amazon's lists of hostile addresses and of inputs that are attacks wherever they
 * appear, and a limit per address. Its common rule set is left out: it guards web pages, and takes files, long bodies, and
 * webhook URLs for attacks. Reads have no limit (OpenAPI, "Rate limits"): the limit per address is for floods alone.
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, stage: Stage, environment: Environment) {
    super(scope, id);
    const { requestsPerAddress } = environment.capacity;
    const visible = (metricName: string) => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      // Who was refused wrongly is found in the samples.
      sampledRequestsEnabled: true,
    });
    const managed = ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet'];
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('all'),
      // https://docs.aws.amazon.com/waf/latest/APIReference/API_DataProtectionConfig.html: for samples as well.
      dataProtectionConfig: {
        dataProtections: [
          { action: 'SUBSTITUTION', field: { fieldType: 'SINGLE_HEADER', fieldKeys: secretHeaders } },
          { action: 'SUBSTITUTION', field: { fieldType: 'BODY' } },
        ],
      },
      customResponseBodies: {
        [tooManyRequests]: { contentType: 'APPLICATION_JSON', content: tooManyRequestsBody(environment) },
      },
      rules: [
        ...managed.map((name, priority) => ({
          name,
          priority,
          overrideAction: { none: {} },
          statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
          visibilityConfig: visible(name),
        })),
        {
          name: 'requests-per-address',
          priority: managed.length,
          // Otherwise it would be answered like the others, with the gateway's 403 WAF_FILTERED; a custom response goes
          // before it (https://docs.aws.amazon.com/waf/latest/developerguide/customizing-the-response-for-blocked-requests.html).
          action: {
            block: {
              customResponse: {
                responseCode: errorRegistry.rate_limit_exceeded.status,
                customResponseBodyKey: tooManyRequests,
                responseHeaders: [
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
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
  }
}

/** What a request that never got to the gateway has for an id. */
const firewallRequestId = ({ name }: Environment): string => `${name}-firewall`;

/** The error shape, as far as a text that is the same for everybody can have it. */
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
