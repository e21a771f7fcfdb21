import * as z from 'zod/mini';
import type { RouteCost } from '../../infra/capacity/measured-costs.ts';
import { requests } from '../../infra/capacity/workload.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import type { Demo } from '../../infra/local/demo/demo.ts';
import type { Method, Route } from '../../shared/platform/contract/route.ts';
import { type Called, call } from '../support/local-api.ts';
import type { Meter } from './meter.ts';
import { requestFor } from './route-requests.ts';

/** Reads first, while the demo is whole; deletions last. */
const order: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Reads are repeated, so that caches are warm. */
const repeats = 2;

const lists = ['items', 'transactions'] as const;
const sum = z.object({ policies: z.number() });

/** Records in the answer of a list, or that were added up for it. */
function recordsOf({ json }: Called): number {
  const { data } = json as { readonly data?: Readonly<Record<string, unknown>> | readonly unknown[] };
  if (Array.isArray(data)) return data.length;
  const added = z.safeParse(sum, data);
  if (added.success) return added.data.policies;
  const items = lists.map((name) => (data as Readonly<Record<string, unknown>> | undefined)?.[name]);
  return items.find(Array.isArray)?.length ?? 0;
}

/** Calls every route of the workload, and returns what each asked of AWS. */
export async function measureRoutes(demo: Demo, meter: Meter): Promise<Record<string, RouteCost>> {
  const costs: Record<string, RouteCost> = {};
  const failures: string[] = [];
  const rows = routeGroups
    .flatMap(({ name, routes }) =>
      Object.entries<Route>(routes).map(([id, route]) => ({ group: name, id, route })),
    )
    .filter(({ id }) => id in requests.carriers || id in requests.agencies)
    .sort((one, other) => order.indexOf(one.route.method) - order.indexOf(other.route.method));

  for (const { group, id, route } of rows) {
    for (let time = 0; time < (route.method === 'GET' ? repeats : 1); time += 1) {
      const { path, ...options } = await requestFor(id, route, demo);
      meter.reset();
      const answer = await call(route.method, path, options);
      if (answer.status >= 300) {
        failures.push(`${id} (${route.method} ${route.path}) answered ${answer.status}: ${answer.text}`);
        break;
      }
      costs[id] = {
        ...meter.costOf(group),
        answerBytes: Buffer.byteLength(answer.text),
        records: recordsOf(answer),
      };
    }
  }
  if (failures.length > 0) throw new Error(`Routes without a measured cost:\n${failures.join('\n')}`);
  return costs;
}
