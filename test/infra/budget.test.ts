import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { synthesized } from './synthesized.ts';
import { filledIn } from './variants.ts';

const budgetOf = ({ service }: ReturnType<typeof synthesized>) => service.ofType('AWS::Budgets::Budget');

test.each(deployedEnvironments)('%s has a budget of a month, in dollars', (name) => {
  const { monthlyBudgetInUSD } = environments[name];
  expect(monthlyBudgetInUSD).toBeGreaterThan(0);
  expect(budgetOf(synthesized(name)).map(([, { Properties }]) => Properties['Budget'])).toEqual([
    {
      BudgetName: `insurance-compliance-${name}-monthly`,
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: monthlyBudgetInUSD, Unit: 'USD' },
    },
  ]);
});

test('its notifications go to the address of tickets, before the month is over', () => {
  const [budget] = budgetOf(synthesized('filledIn'));
  const Subscribers = [{ SubscriptionType: 'EMAIL', Address: filledIn.ticketAddress }];
  expect(budget?.[1].Properties['NotificationsWithSubscribers']).toEqual([
    { Notification: expect.objectContaining({ NotificationType: 'ACTUAL', Threshold: 80 }), Subscribers },
    {
      Notification: expect.objectContaining({ NotificationType: 'FORECASTED', Threshold: 100 }),
      Subscribers,
    },
  ]);
});
