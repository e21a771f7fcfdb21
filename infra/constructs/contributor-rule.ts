import { CfnInsightRule } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { LogEvent } from '../../shared/platform/log/log.ts';

/** Whose values are counted: those of a member in a function's lines with an event. */
interface Contributors {
  readonly ruleName: string;
  readonly logGroupName: string;
  readonly event: LogEvent;
  readonly member: `$.${string}`;
}

/** How many values the member had in a period, as an expression of metric math. An alarm on it is created after the rule. */
export const countOf = ({ attrRuleName }: CfnInsightRule): string =>
  `INSIGHT_RULE_METRIC("${attrRuleName}", UniqueContributors)`;

/**
 * Has CloudWatch count the values of a member, which metric filters cannot. It costs half a dollar a month, and two cents for a
 * million lines that match.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/ContributorInsights-RuleSyntax.html
 */
export const addContributorRule = (
  scope: Construct,
  { ruleName, logGroupName, event, member }: Contributors,
): CfnInsightRule =>
  new CfnInsightRule(scope, `${event}-contributors`, {
    ruleName,
    ruleState: 'ENABLED',
    ruleBody: JSON.stringify({
      Schema: { Name: 'CloudWatchLogRule', Version: 1 },
      AggregateOn: 'Count',
      LogFormat: 'JSON',
      LogGroupNames: [logGroupName],
      Contribution: { Keys: [member], Filters: [{ Match: '$.event', In: [event] }] },
    }),
  });
