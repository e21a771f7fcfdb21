import { attemptsAtOnce } from '../../functions/webhook-delivery/turn.ts';
import { type Route, takesIdempotencyKey } from '../../shared/contract/route.ts';
import { environments } from '../environments.ts';
import { routeGroups } from '../route-groups.ts';
import { type Activity, activitiesOf, peakPerSecond, requestOf, workOf } from './activities.ts';
import { hotKeysOf } from './hot-keys.ts';
import type { MeasuredCosts, WorkName } from './measured-costs.ts';
import { dollarsByPrice, dollarsOf, notedOn, type PriceName, prices } from './prices.ts';
import { executionsOf, type Quota, quotasOf } from './quotas.ts';
import { functionLoads, monthOf, tableLoads, usageOf } from './usage.ts';
import { assumptions, type Calls, workload } from './workload.ts';

const environment = environments.prod;

/** Whole numbers with thousands set apart; small ones with their first digits. */
export const amount = (value: number): string =>
  value.toLocaleString('en-US', value < 10 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });

const percent = (share: number): string => `${amount(share * 100)} %`;
const dollars = (value: number): string => `$${amount(value)}`;

/** A Markdown table. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const whose = { quota: 'AWS, can be raised', fixed: 'AWS', ours: 'ours' } as const;

function quotasSection(activities: readonly Activity[]): string {
  const quotas = quotasOf({ activities, assumed: workload, environment });
  // What is far from its limit is in the table of functions.
  const told = quotas.filter(({ name, use, limit }) => !name.startsWith('Executions') || use / limit > 0.1);
  const rows = told.map(({ name, use, limit, kind, todo }) => [
    name,
    amount(use),
    amount(limit),
    percent(use / limit),
    whose[kind],
    todo,
  ]);
  return table(['Limit', 'Expected', 'Limit is', 'Used', 'Whose', 'Before it is met'], rows);
}

function hotKeysSection(measured: MeasuredCosts): string {
  const rows = hotKeysOf({ measured, assumed: workload, environment }).map(
    ({ key, when, units, limit, todo }) => [
      key,
      when,
      amount(units),
      amount(limit),
      percent(units / limit),
      todo,
    ],
  );
  return table(['Partition', 'When', 'Units a second', 'Limit', 'Used', 'Before it is met'], rows);
}

const tablesSection = (activities: readonly Activity[]): string =>
  table(
    [
      'Table with its indexes',
      'Writes a second',
      'Reads a second',
      'Million writes a day',
      'Million reads a day',
    ],
    tableLoads(activities).map(({ name, peakWrites, peakReads, writesPerDay, readsPerDay }) => [
      name,
      amount(peakWrites),
      amount(peakReads),
      amount(writesPerDay / 1_000_000),
      amount(readsPerDay / 1_000_000),
    ]),
  );

const functionsSection = (activities: readonly Activity[]): string =>
  table(
    ['Function', 'Million invocations a day', 'Executions at once', 'At most'],
    functionLoads(activities).map(({ name, perDay, concurrency }) => [
      name,
      amount(perDay / 1_000_000),
      amount(concurrency),
      amount(executionsOf(name, environment.capacity) ?? Number.NaN).replace('NaN', 'not limited'),
    ]),
  );

function monthSection(activities: readonly Activity[], measured: MeasuredCosts): string {
  const month = monthOf(activities, measured, workload);
  const npns = workload.licenses / workload.licensesPerNpn;
  const visits = npns * environment.registryVisits.priceInUSD * 30;
  const rows = Object.entries(dollarsByPrice(month))
    .filter(([, usd = 0]) => usd >= 1)
    .sort(([, one = 0], [, other = 0]) => other - one)
    .map(([name, usd = 0]) => {
      const price = prices[name as PriceName];
      const used = (month[name as PriceName] ?? 0) / (price.per === 1_000_000 ? 1_000_000 : 1);
      const unit = price.per === 1_000_000 ? `million ${price.unit}` : price.unit;
      return [unit, amount(used), `[${price.usd}](${price.page})`, dollars(usd)];
    });
  const total = ['**All of it**', '', '', `**${dollars(dollarsOf(month))}**`];
  const registry = ['The registry’s visits, which are not AWS’s', amount(npns * 30), '', dollars(visits)];
  return table(['What', 'A month', 'Price', 'Dollars'], [...rows, total, registry]);
}

/** Kinds of requests, and how long their lists are taken to be. */
function kindOf(route: Route): readonly [kind: string, calls: Omit<Calls, 'perDay'>] {
  if (route.rate === 'token') return ['exchange of credentials for a token', {}];
  if ('all' in route.answer) return ['whole list of 100 records', { listed: 100, answered: 100 }];
  if ('page' in route.answer) return ['page of 25 from a list of 1,000', { listed: 1_000, answered: 25 }];
  if (route.form !== undefined) return ['upload of a file in a form', {}];
  if (takesIdempotencyKey(route)) return ['write with an idempotency key', {}];
  return ['read of one record, or of none', {}];
}

/** Dollars of a million requests of each kind, the routes of a kind from the cheapest to the dearest. */
function millionSection(measured: MeasuredCosts): string {
  const kinds = new Map<string, { readonly id: string; readonly usd: number }[]>();
  for (const { routes } of routeGroups) {
    for (const [id, route] of Object.entries<Route>(routes)) {
      const [kind, calls] = kindOf(route);
      const activity = requestOf(id, { ...calls, perDay: 1 }, measured, workload);
      const usd = dollarsOf(usageOf(activity, workload)) * 1_000_000;
      kinds.set(kind, [...(kinds.get(kind) ?? []), { id, usd }]);
    }
  }
  const ofRequests = Array.from(kinds, ([kind, routes]) => {
    const sorted = routes.toSorted((one, other) => one.usd - other.usd);
    const middle = sorted[Math.floor(sorted.length / 2)];
    const dearest = sorted.at(-1);
    const from = [sorted[0], middle, dearest].map((one) => dollars(one?.usd ?? 0));
    return [kind, ...from, dearest === undefined ? '' : `\`${dearest.id}\``];
  });
  const work: readonly (readonly [WorkName, string])[] = [
    ['agentImportedWithEvent', 'record imported with an event (of a producer)'],
    ['event', 'event published (if no import wrote it) and delivered'],
    ['eventReleased', 'event of an import released and published'],
    ['policyTransactionImported', 'policy transaction imported'],
    ['policyTransactionImportedUnchanged', 'policy transaction imported again, unchanged'],
    ['licenseImported', 'license imported'],
    ['complianceChange', 'compliance change reported'],
    ['synchronization', 'synchronization that a carrier asks for, without the registry’s price'],
    ['licenseSwept', 'license reported by the sweep'],
    ['visit', 'visit of the registry that finds nothing new, without the registry’s price'],
  ];
  const ofWork = work.map(([name, words]) => {
    const activity = workOf(name, { perDay: 1, busyHours: 1 }, measured, workload);
    const usd = dollars(dollarsOf(usageOf(activity, workload)) * 1_000_000);
    return [words, usd, usd, usd, ''];
  });
  return table(['A million', 'Cheapest', 'Median', 'Dearest', 'Dearest route'], [...ofRequests, ...ofWork]);
}

const assumptionsSection = (): string =>
  table(
    ['Name', 'Number', 'Meaning'],
    Object.entries(assumptions).map(([name, { value, means }]) => [`\`${name}\``, amount(value), means]),
  );

/** The page `infra/capacity.md`. */
export function capacityPage(measured: MeasuredCosts): string {
  const activities = activitiesOf(measured, workload);
  const quotas = quotasOf({ activities, assumed: workload, environment });
  const met = (kinds: readonly Quota['kind'][]): string => {
    const first = quotas.find(({ kind }) => kinds.includes(kind));
    return first === undefined ? '' : `**${first.name}**, at ${percent(first.use / first.limit)}`;
  };
  const requests = activities.filter(({ request }) => request !== undefined);
  const perSecond = requests.reduce((sum, one) => sum + peakPerSecond(one), 0);
  const month = dollarsOf(monthOf(activities, measured, workload));
  const oneByOne = activitiesOf(measured, { ...workload, attemptsAtOnce: 1 });
  const deliveries =
    functionLoads(oneByOne).find(({ name }) => name === 'webhook-delivery')?.concurrency ?? 0;
  const moreDollars = dollarsOf(monthOf(oneByOne, measured, workload)) - month;
  return `# Capacity

What the service needs of AWS for ${amount(workload.carriers)} carriers, ${amount(workload.agencies)} agencies, ${amount(workload.policies)} policies, ${amount(workload.licenses)} licenses, and ${amount(workload.eventsPerDay)} events a day in us-east-1, with the capacity of \`prod\` in \`infra/environments.ts\`. \`npm run capacity\` writes this page from measured costs, public prices, and assumptions; a test fails when it is out of date.

- At the busiest time there are ${amount(perSecond)} requests and ${amount(workload.eventsPerDay / workload.requestHours / 3_600)} events a second.
- Of our own numbers, this one is exceeded first: ${met(['ours'])}. Of AWS’s: ${met(['quota', 'fixed'])}.
- A month costs about **${dollars(month)}** of AWS.

## Limits, the one that is met first at the top

Request what is above 50 % before the launch (Service Quotas, in the account and region of \`prod\`). Our own numbers are in \`infra/capacity/division.ts\` and \`infra/environments.ts\`; AWS’s, with their pages, in \`shared/aws/limits.ts\`.

${quotasSection(activities)}

The executions of webhook-delivery are those that keep up. While all of them are busy, what is due of a webhook accumulates, and its next turn makes up to ${attemptsAtOnce.healthy} attempts at once. With an execution for each attempt, so that no event waits for a worker at the busiest time, there would be ${amount(deliveries)}, for ${dollars(moreDollars)} a month more.

## Hot partitions

One partition of a table or an index serves 1,000 write and 3,000 read units a second, however much the table may.

${hotKeysSection(measured)}

## Units by table

At the busiest second, and in a day. AWS’s quota of a table is compared with the table and its indexes together. The peaks of requests, imports, and nightly work are added up, although they fall into different hours.

${tablesSection(activities)}

## Functions

${functionsSection(activities)}

## Dollars a month

Prices of us-east-1, noted ${notedOn}: the first tier, without free tiers, savings plans, or reserved capacity. Not included: alarms and metrics, file storage, secrets, data between availability zones, support.

${monthSection(activities, measured)}

## Dollars of a million

Everything that an operation causes until its answer, in all functions and services. What it leaves behind (its event, a synchronization) is a row of its own.

${millionSection(measured)}

## Measured

\`npm run capacity:measure\` calls every route and does every piece of work in the local run, and writes [\`capacity/measured-costs.json\`](capacity/measured-costs.json): units by table and index, calls, items with their bytes, and bytes of requests and answers. Last done on ${measured.measuredOn}, at commit ${measured.commit}. Measure again after a change to a route, to webhook deliveries, to imports, or to the keys of a table.

- Units are those that DynamoDB Local reports. It follows AWS’s formulas, with transactions at twice the units. It also counts an index that a transaction changes twice, where AWS’s documentation says only that the indexes follow after the transaction: real write units can be lower.
- Lists are measured with the demo’s few records, and scaled by the bytes of their items.
- Events are measured in bursts of five for each of four healthy webhooks. Nothing is measured of failing ones.
- A request’s own time outside AWS calls was ${measured.ownMilliseconds} ms, the local gateway’s included. Nothing of Lambda was measured.

## Assumed

In \`infra/capacity/workload.ts\`, beside how often each route is called.

${assumptionsSection()}
`;
}
