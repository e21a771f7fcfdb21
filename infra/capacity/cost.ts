import type { Route } from '../../shared/platform/contract/route.ts';
import { routeClass } from '../../shared/platform/contract/route-class.ts';
import { routeGroups } from '../function-uses.ts';
import type { Cost, MeasuredCosts, RouteCost, TableCost } from './measured-costs.ts';
import type { Calls } from './workload.ts';

/** Bytes of a read unit, and how many units an eventually consistent read of them takes. */
const readUnitBytes = 4_096;
const eventual = 0.5;

/**
 * What a table costs when its list is longer than the measured one, by DynamoDB's own formula: a query takes units for the
 * bytes that it reads, a read by key for each item.
 *
 * @param listed how many times longer the list is
 * @param answered how many times more of it the answer has
 */
function longer(cost: TableCost, listed: number, answered: number): TableCost {
  const more = Math.max(0, listed - 1) * cost.listedBytes * (eventual / readUnitBytes);
  const fetched = Math.max(0, answered - 1) * cost.fetched;
  const unitsEach = cost.fetched === 0 ? 0 : Math.ceil(cost.fetchedBytes / cost.fetched / readUnitBytes);
  return { ...cost, read: cost.read + more + fetched * unitsEach };
}

/** What a route costs: as measured, or until it is, what the median route of its class costs in units (`routeClass`). */
export function costOfRoute(id: string, route: Route, measured: Pick<MeasuredCosts, 'routes'>): RouteCost {
  if (measured.routes[id] !== undefined) return measured.routes[id];
  const units = (cost: RouteCost): number => unitsOf(cost).read + unitsOf(cost).write;
  const alike = routeGroups
    .flatMap(({ routes }) => Object.entries<Route>(routes))
    .filter(([, other]) => routeClass(other) === routeClass(route))
    .flatMap(([other]) => measured.routes[other] ?? [])
    .sort((one, other) => units(one) - units(other));
  const median = alike[Math.floor(alike.length / 2)];
  if (median === undefined) throw new Error(`No route of the class of ${id} is measured.`);
  return median;
}

/** What a route costs with a list and an answer of these lengths; as measured for a route that lists nothing. */
export function routeCostOf(measured: RouteCost, { listed, answered }: Omit<Calls, 'perDay'>): RouteCost {
  const { records } = measured;
  if (records === 0 || listed === undefined) return measured;
  const inAnswer = answered === undefined ? 1 : answered / records;
  const tables = Object.entries(measured.tables).map(([name, cost]) => [
    name,
    longer(cost, listed / records, inAnswer),
  ]);
  return {
    ...measured,
    tables: Object.fromEntries(tables),
    answerBytes: measured.answerBytes * inAnswer,
    records: records * inAnswer,
  };
}

/** Read and write units of all tables and indexes together. */
export function unitsOf({ tables }: Pick<Cost, 'tables'>): { readonly read: number; readonly write: number } {
  const costs = Object.values(tables);
  return {
    read: costs.reduce((sum, { read }) => sum + read, 0),
    write: costs.reduce((sum, { write }) => sum + write, 0),
  };
}

/** Calls of AWS whose action begins so. */
export const callsOf = ({ calls }: Pick<Cost, 'calls'>, service = ''): number =>
  Object.entries(calls).reduce((sum, [action, count]) => sum + (action.startsWith(service) ? count : 0), 0);
