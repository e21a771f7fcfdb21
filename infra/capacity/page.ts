import { newTableUnits } from '../../shared/platform/aws/limits.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import { environments } from '../environments.ts';
import { limitsOf, startRatesOf } from './limits.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { dollarsOf, notedOn, paid, prices } from './prices.ts';
import { type Activity, activitiesOf, monthOf, peakPerSecond, sum, unitsOf, usageOf } from './usage.ts';
import { assumptions, npns, workload } from './workload.ts';

/** Whole numbers with thousands set apart; small ones with their first digits. */
export const amount = (value: number): string =>
  value.toLocaleString('en-US', value < 10 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });

const percent = (share: number): string => `${amount(share * 100)} %`;
const dollars = (value: number): string => `$${amount(value)}`;
const million = 1_000_000;

/** A Markdown table. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function tablesSection(activities: readonly Activity[]): string {
  const perDay = ({ perDay: often }: Activity): number => often / million;
  const columns = [peakPerSecond, perDay].flatMap((often) =>
    (['write', 'read'] as const).map((kind) => unitsOf(activities, kind, often)),
  );
  const rows = [...(columns[0]?.keys() ?? [])].map((name) => [
    name,
    ...columns.map((units) => amount(units.get(name) ?? 0)),
  ]);
  const head = ['Writes a second', 'Reads a second', 'Million writes a day', 'Million reads a day'];
  return table(['Table with its indexes', ...head], rows);
}

/** The field `warmThroughput` for the busiest second, rounded up to thousands, and what it adds to what new tables serve. */
function startRatesSection(activities: readonly Activity[]): string {
  const rates = (['write', 'read'] as const).flatMap((kind) =>
    [...startRatesOf(activities, kind)].map(([name, use]) => {
      const units = Math.ceil(use / 1_000) * 1_000;
      return { kind, name, units, added: units - newTableUnits[kind] };
    }),
  );
  const fields = [...groupBy(rates, ({ name }) => name)].map(([name, of]) => {
    const values = of.map(({ kind, units }) => `${kind}: ${amount(units).replace(',', '_')}`);
    return `  '${name}': { ${values.join(', ')} },`;
  });
  const charged = [...groupBy(rates, ({ kind }) => kind)].map(
    ([kind, of]) => `${amount(sum(of.map(({ added }) => added)))} ${kind} units`,
  );
  return `A new table or index serves ${amount(newTableUnits.write)} write and ${amount(newTableUnits.read)} read units a second at once, and twice its peak of before within half an hour. For the busiest second of this month on the first day, the environment needs this field ("Start rates" in [the runbook](runbook.md)), for which AWS charges once, for ${charged.join(' and ')}:

\`\`\`ts
warmThroughput: {
${fields.join('\n')}
},
\`\`\``;
}

function monthSection(activities: readonly Activity[], measured: MeasuredCosts): string {
  const month = monthOf(activities, measured);
  const rows = paid(month)
    .filter((one) => one.dollars >= 1)
    .sort((one, other) => other.dollars - one.dollars)
    .map(({ unit, amount: used, per, usd, page, dollars: ofUnit }) =>
      per === million
        ? [`million ${unit}`, amount(used / million), `[${usd}](${page})`, dollars(ofUnit)]
        : [unit, amount(used), `[${usd}](${page})`, dollars(ofUnit)],
    );
  const polls = npns * 30;
  return table(
    ['What', 'A month', 'Price', 'Dollars'],
    [
      ...rows,
      ['**All of it**', '', '', `**${dollars(dollarsOf(month))}**`],
      [
        'The registry’s polls, which are not AWS’s',
        amount(polls),
        '',
        dollars(polls * environments.prod.registryPolls.priceInUSD),
      ],
    ],
  );
}

/** What a million of each activity is paid for, and what the planned ones cost in a month: the most expensive first. */
function activitiesSection(activities: readonly Activity[]): string {
  const stored = ['tableGigabytes', 'archiveGigabytes'];
  const columns = [
    ...new Set(
      Object.entries(prices).flatMap(([name, { service }]) => (stored.includes(name) ? [] : service)),
    ),
  ];
  const rows = activities
    .map((activity) => ({ activity, each: usageOf(activity) }))
    .sort(
      (one, other) =>
        dollarsOf(other.each) * other.activity.perDay - dollarsOf(one.each) * one.activity.perDay,
    )
    .map(({ activity: { name, perDay }, each }) => {
      const cells = columns.map((column) => {
        const spent = paid(each).map((one) => (one.service === column ? one.dollars * million : 0));
        return sum(spent) < 0.005 ? '' : dollars(sum(spent));
      });
      const ofMillion = dollarsOf(each) * million;
      return [name, ...cells, `**${dollars(ofMillion)}**`, dollars(dollarsOf(each) * perDay * 30)];
    });
  return table(['A million', ...columns, 'Together', 'A month of the planned ones'], rows);
}

/** The page `infra/capacity.md`. */
export function capacityPage(measured: MeasuredCosts): string {
  const activities = activitiesOf(measured);
  const limits = limitsOf(activities, measured);
  const first = (isOurs: boolean): string => {
    const met = limits.find(({ whose }) => (whose === 'ours') === isOurs);
    return met === undefined ? '' : `**${met.name}**, at ${percent(met.use / met.limit)}`;
  };
  const perSecond = sum(activities.map((one) => (one.isRequest ? peakPerSecond(one) : 0)));
  return `# Capacity

What the service needs of AWS for ${amount(workload.carriers)} carriers, ${amount(workload.agencies)} agencies, ${amount(workload.policies)} policies, ${amount(workload.licenses)} licenses, and ${amount(workload.eventsPerDay)} events a day in us-east-1, with the capacity of \`prod\` in \`infra/environments.ts\`. \`npm run capacity\` writes this page from measured costs, public prices, and assumptions; a test fails when it is out of date.

- At the busiest time there are ${amount(perSecond)} requests and ${amount(workload.eventsPerDay / workload.requestHours / 3_600)} events a second.
- Of our own numbers, this one is exceeded first: ${first(true)}. Of AWS’s: ${first(false)}.
- A month costs about **${dollars(dollarsOf(monthOf(activities, measured)))}** of AWS.

## Limits, the one that is met first at the top

Request what is above 50 % before the launch (Service Quotas, in the account and region of \`prod\`). Our own numbers are in \`infra/capacity/division.ts\` and \`infra/environments.ts\`; AWS’s, with their pages, in \`shared/platform/aws/limits.ts\`. One partition of a table or an index serves 1,000 write and 3,000 read units a second, however much the table may. Far from their limits, and left out: KMS’s data keys, Secrets Manager, messages of a queue in flight.

${table(
  ['Limit', 'Expected', 'Limit is', 'Used', 'Whose', 'Before it is met'],
  limits.map(({ name, use, limit, whose, todo }) => [
    name,
    amount(use),
    amount(limit),
    percent(use / limit),
    whose,
    todo,
  ]),
)}

The executions of webhook-delivery are those that keep up. While all of them are busy, what is due of a webhook accumulates, and more attempts are made at once under its next lease.

## Units by table

At the busiest second, and in a day. AWS’s quota of a table is compared with the table and its indexes together. The peaks of requests, imports, and nightly work are added up, although they fall into different hours.

${tablesSection(activities)}

## Start rates

${startRatesSection(activities)}

## Dollars a month

Prices of us-east-1, noted ${notedOn}: the first tier, without free tiers, savings plans, or reserved capacity. Not included: alarms and metrics, file storage, secrets, data between availability zones, the canary, support.

${monthSection(activities, measured)}

## Dollars of a million

Everything that one causes until its answer, in all functions and services, and what that is paid for. What it leaves behind (its event, a synchronization) is a row of its own. The registry’s price is not included. Of KMS only signatures count: an execution remembers the keys of webhooks’ secrets for an hour, and DynamoDB those of its tables for five minutes. API Gateway’s price is counted for refused requests too.

${activitiesSection(activities)}

## Measured

\`npm run capacity:measure\` calls every route of the workload and does every piece of work in the local run, and writes [\`capacity/measured-costs.json\`](capacity/measured-costs.json): units by table and index, calls, items with their bytes, and bytes of answers. Last done on ${measured.measuredOn}, at commit ${measured.commit}; it is done with each release. A number that moves by less than a quarter stays as it was.

- Units are those that DynamoDB Local reports. It follows AWS’s formulas, with transactions at twice the units. It also counts an index that a transaction changes twice, where AWS’s documentation says only that the indexes follow after the transaction: real write units can be lower.
- Lists are measured with the demo’s few records, and scaled by the bytes of their items.
- Events are measured in bursts of five for each of four healthy webhooks. Nothing is measured of failing ones.
- No time was measured, and nothing of Lambda.

## Assumed

In \`infra/capacity/workload.ts\`, beside how often each route is called.

${table(
  ['Name', 'Number', 'Meaning'],
  Object.entries(assumptions).map(([name, [value, means]]) => [`\`${name}\``, amount(value), means]),
)}
`;
}
