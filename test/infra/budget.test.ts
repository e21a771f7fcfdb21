import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { blank } from './app.ts';
import { stacksOf } from './app-of.ts';
import { readStacks, synthesized } from './synthesized.ts';

const budgetOf = ({ service }: ReturnType<typeof readStacks>) => service.ofType('AWS::Budgets::Budget');

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
  const ticketAddress = 'tickets@carrier-compliance.com';
  const [budget] = budgetOf(readStacks(stacksOf({ ...blank('dev'), ticketAddress })));
  const Subscribers = [{ SubscriptionType: 'EMAIL', Address: ticketAddress }];
  expect(budget?.[1].Properties['NotificationsWithSubscribers']).toEqual([
    { Notification: expect.objectContaining({ NotificationType: 'ACTUAL', Threshold: 80 }), Subscribers },
    {
      Notification: expect.objectContaining({ NotificationType: 'FORECASTED', Threshold: 100 }),
      Subscribers,
    },
  ]);
});
