import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';

/**
 * Monthly budget of the environment's account. It has no filter: those by tag count nothing until somebody activates
 * the tag for billing, and would not count what has no tags, so an environment that shares its account sees the sum.
 */
export function createBudget(scope: Construct, environment: Environment): void {
  const { monthlyBudgetInUSD, ticketAddress } = environment;
  const notificationOf = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers: [{ subscriptionType: 'EMAIL', address: ticketAddress ?? '' }],
  });
  new CfnBudget(scope, 'Budget', {
    // Without a name, AWS generates one: another address replaces the budget, and two can't have one name.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-budgets-budget.html
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetInUSD, unit: 'USD' },
    },
    // A notification needs a subscriber.
    ...(ticketAddress === undefined
      ? {}
      : { notificationsWithSubscribers: [notificationOf('ACTUAL', 80), notificationOf('FORECASTED', 100)] }),
  });
}
