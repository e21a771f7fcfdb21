import { App, Stack } from 'aws-cdk-lib';
import { createBudget } from '../../infra/constructs/alarm.ts';
import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { synthesized } from './synthesized.ts';
import { filledIn } from './variants.ts';

const budgetOf = ({ service }: ReturnType<typeof synthesized>) => service.ofType('AWS::Budgets::Budget');

test.each(deployedEnvironments)('%s has a budget of a month, in dollars', (name) => {
  const { monthlyBudgetInUSD } = environments[name];
  expect(monthlyBudgetInUSD).toBeGreaterThan(0);
  expect(budgetOf(synthesized(name)).map(([, { Properties }]) => Properties['Budget'])).toEqual([
    {
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

// CloudFormation creates the new one before it deletes the other, and an account has one budget of a name.
test('another address, which replaces the budget, does not keep its name', () => {
  const app = new App();
  for (const id of ['before', 'after']) {
    createBudget(new Stack(app, id), { ...filledIn, ticketAddress: `${id}@carrier-compliance.com` });
  }
  const templates = app.synth().stacks.map(({ template }) => JSON.stringify(template));
  expect(templates.sort()).toEqual([expect.stringContaining('after@'), expect.stringContaining('before@')]);
  const names = templates.flatMap((template) => template.match(/"BudgetName":[^,}]+/) ?? []);
  expect(new Set(names).size).toBe(names.length);
});
