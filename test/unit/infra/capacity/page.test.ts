import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { measuredCosts, workNames } from '../../../../infra/capacity/measured-costs.ts';
import { amount, capacityPage } from '../../../../infra/capacity/page.ts';
import { agencyCalls, carrierCalls } from '../../../../infra/capacity/workload.ts';
import { routeGroups } from '../../../../infra/function-uses.ts';
import type { Route } from '../../../../shared/platform/contract/route.ts';

const file = 'infra/capacity/measured-costs.json';
const measured = z.parse(measuredCosts, JSON.parse(readFileSync(file, 'utf8')));
const page = readFileSync('infra/capacity.md', 'utf8');
const routes = routeGroups.flatMap(({ routes: table }) => Object.keys(table)).sort();

test('infra/capacity.md is what `npm run capacity` writes', () => {
  expect(page).toBe(capacityPage(measured));
});

test('every route of the route tables has a measured cost: `npm run capacity:measure`', () => {
  expect(Object.keys(measured.routes).sort()).toEqual(routes);
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
