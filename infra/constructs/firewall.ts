import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/**
 * AWS WAF before the gateway, with Amazon's lists of hostile addresses and of inputs that are attacks wherever they
 * appear. Its common rule set is left out: it guards pages, and takes files, long bodies and webhook addresses for
 * attacks. There is no rate rule, since reads have no limit (OpenAPI, "Rate limits").
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const visible = (metricName: string) => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      // Samples hold whole headers, credentials included.
      sampledRequestsEnabled: false,
    });
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('all'),
      rules: ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet'].map(
        (name, priority) => ({
          name,
          priority,
          overrideAction: { none: {} },
          statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
          visibilityConfig: visible(name),
        }),
      ),
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
  }
}
