import { attemptsAtOnce } from '../../functions/webhook-delivery/turn.ts';
import { environments } from '../environments.ts';
import { type Activity, activitiesOf, peakPerSecond } from './activities.ts';
import { canaryDollars, canaryRuns } from './canary.ts';
import { hotKeysOf } from './hot-keys.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { type Million, millionsOf, paidFor } from './millions.ts';
import { dollarsByPrice, dollarsOf, notedOn, type PriceName, prices } from './prices.ts';
import { executionsOf, type Quota, quotasOf } from './quotas.ts';
import { functionLoads, monthOf, tableLoads } from './usage.ts';
import { assumptions, workload } from './workload.ts';

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

/** What a million of each kind is paid for; of a kind of requests by its median route, and between which routes it lies. */
function millionsSection(measured: MeasuredCosts): string {
  const columns = [...new Set(Object.values(paidFor))].filter((column) => column !== 'Storage');
  const row = ({ name, usage, range }: Million): string[] => {
    const spent = Object.entries(dollarsByPrice(usage));
    const cells = columns.map((column) => {
      const usd = spent.filter(([price]) => paidFor[price as PriceName] === column);
      const sum = usd.reduce((total, [, one = 0]) => total + one, 0);
      return sum < 0.005 ? '' : dollars(sum);
    });
    const ends = range?.map(({ id, usage: end }) => `${dollars(dollarsOf(end))} \`${id}\``);
    return [name, ...cells, `**${dollars(dollarsOf(usage))}**`, ends?.join(' to ') ?? ''];
  };
  return table(['A million', ...columns, 'Together', 'Routes'], millionsOf(measured, workload).map(row));
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
  const unmeasured = requests.map(({ name }) => name).filter((name) => !(name in measured.routes));
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

Request what is above 50 % before the launch (Service Quotas, in the account and region of \`prod\`). Our own numbers are in \`infra/capacity/division.ts\` and \`infra/environments.ts\`; AWS’s, with their pages, in \`shared/platform/aws/limits.ts\`.

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

The ${amount(canaryRuns)} runs of the canary in a month are not included either: ${dollars(canaryDollars(measured, workload))}, with everything that they cause.

## Dollars of a million

Everything that one causes until its answer, in all functions and services, and what that is paid for; of a kind of requests for its median route. What it leaves behind (its event, a synchronization) is a row of its own. Nothing is paid for KMS: an execution remembers the keys of webhooks’ secrets for an hour, and DynamoDB those of its tables for five minutes. API Gateway’s price is counted for refused requests too. Lists of which the demo has no records are left out.

${millionsSection(measured)}

## Measured

\`npm run capacity:measure\` calls every route and does every piece of work in the local run, and writes [\`capacity/measured-costs.json\`](capacity/measured-costs.json): units by table and index, calls, items with their bytes, and bytes of requests and answers. Last done on ${measured.measuredOn}, at commit ${measured.commit}; it is done with each release. A number that moves by less than a quarter stays as it was.

- Units are those that DynamoDB Local reports. It follows AWS’s formulas, with transactions at twice the units. It also counts an index that a transaction changes twice, where AWS’s documentation says only that the indexes follow after the transaction: real write units can be lower.
- Lists are measured with the demo’s few records, and scaled by the bytes of their items.
- Events are measured in bursts of five for each of four healthy webhooks. Nothing is measured of failing ones.
- No time was measured, and nothing of Lambda.
${unmeasured.map((name) => `- \`${name}\` is not measured yet, and taken to cost what the median route of its class costs.\n`).join('')}
## Assumed

In \`infra/capacity/workload.ts\`, beside how often each route is called.

${assumptionsSection()}
`;
}
