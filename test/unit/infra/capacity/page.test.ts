import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { activitiesOf } from '../../../../infra/capacity/activities.ts';
import { type MeasuredCosts, measuredCosts, workNames } from '../../../../infra/capacity/measured-costs.ts';
import { amount, capacityPage } from '../../../../infra/capacity/page.ts';
import { quotasOf } from '../../../../infra/capacity/quotas.ts';
import { agencyCalls, carrierCalls, workload } from '../../../../infra/capacity/workload.ts';
import { environments } from '../../../../infra/environments.ts';
import { routeGroups } from '../../../../infra/function-uses.ts';
import { isObject } from '../../../../infra/openapi/json.ts';
import type { Route } from '../../../../shared/platform/contract/route.ts';
import { steady } from '../../../capacity/steady.ts';

const file = 'infra/capacity/measured-costs.json';
const measured = z.parse(measuredCosts, JSON.parse(readFileSync(file, 'utf8')));
const page = readFileSync('infra/capacity.md', 'utf8');
const routes = routeGroups.flatMap(({ routes: table }) => Object.keys(table)).sort();

test('infra/capacity.md is what `npm run capacity` writes', () => {
  expect(page).toBe(capacityPage(measured));
});

test('a route that nobody is assumed to call yet changes nothing, and needs no measurement', () => {
  const table = routeGroups.find(({ name }) => name === 'auth')?.routes as Record<string, Route>;
  table['getNew'] = { ...(table['getHeartbeat'] as Route), path: '/v2/new' };
  expect(capacityPage(measured)).toBe(page);
  delete table['getNew'];
});

test('the page names the routes that are called, and not measured', () => {
  const { getAgent, listPolicies, updateAssociation, ...others } = measured.routes;
  const estimated = capacityPage({ ...measured, routes: others });
  for (const id of ['getAgent', 'listPolicies', 'updateAssociation']) {
    expect(estimated).toContain(`\n- \`${id}\` is not measured yet`);
  }
  expect(estimated).not.toMatch(/NaN|undefined|Infinity/);
  expect(page).not.toContain('not measured yet');
});

/** A measurement by another machine: every number is another. */
const elsewhere = (value: unknown, factor: number): unknown =>
  typeof value === 'number'
    ? value * factor
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, elsewhere(one, factor)]))
      : value;

test.each([0.9, 1.1])('measurements that differ by a factor of %d give the same advice', (factor) => {
  const other = z.parse(measuredCosts, elsewhere(measured, factor));
  const { prod: environment } = environments;
  const adviceOf = (costs: MeasuredCosts) =>
    quotasOf({ activities: activitiesOf(costs, workload), assumed: workload, environment })
      .map(({ todo }) => todo)
      .sort();
  expect(adviceOf(other)).toEqual(adviceOf(measured));
  // And once it is recorded, everything else is the same as well.
  expect(capacityPage(steady(measured, other))).toBe(page);
});

test('all work beside requests has one', () => {
  expect(Object.keys(measured.work).sort()).toEqual([...workNames].sort());
});

test('the assumed requests go to routes', () => {
  const called = Object.keys({ ...carrierCalls, ...agencyCalls });
  expect(called.filter((id) => !routes.includes(id))).toEqual([]);
});

test('a whole list is assumed to be answered whole, and a page not', () => {
  const all = routeGroups.flatMap(({ routes: table }) => Object.entries<Route>(table));
  for (const [id, { answer }] of all) {
    const { listed, answered } = carrierCalls[id] ?? agencyCalls[id] ?? {};
    if (listed === undefined) continue;
    expect([id, 'all' in answer]).toEqual([id, listed === answered]);
  }
});

test('the page has fewer than 210 lines', () => {
  expect(page.split('\n').length).toBeLessThan(210);
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
});

test.each([
  [0.001_234, '0.00123'],
  [9.876, '9.88'],
  [12_345.6, '12,346'],
])('%d is written %s', (value, text) => {
  expect(amount(value)).toBe(text);
});
