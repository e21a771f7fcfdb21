// Shared by the tests of the sandbox's clock. Each test gets new tables, and the registry its records.

import { sandboxFunction } from '../../functions/sandbox/function.ts';
import { sandboxRoutes } from '../../functions/sandbox/routes.ts';
import { sandboxNightsFunction } from '../../functions/sandbox-nights/function.ts';
import { createSimulator } from '../../shared/domain/registry/simulator.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { byClock } from '../../shared/platform/dates/dates.ts';
import { callerOf, type EventOptions, send } from './api-event.ts';
import { testContext } from './context.ts';
import { tables } from './registry-records-tests.ts';
import { createTables, dynamo } from './tables.ts';

export const routes = sandboxRoutes.routes;
/** The real time, and what happens once, after the registry has answered a poll. */
export const clock = { real: new Date(0), duringPoll: async (): Promise<unknown> => undefined };

export const npn = '17654321';

/** What an organization of the sandbox is answered. */
export let ask: (
  route: (typeof routes)[keyof typeof routes],
  owner: string,
  options?: EventOptions,
) => ReturnType<typeof send>;
/** Runs the nights of advances. */
export let nights: () => Promise<unknown>;

export const later = (days: number): string =>
  new Date(clock.real.getTime() + days * 86_400_000).toISOString();

beforeEach(async () => {
  clock.real = new Date('2026-06-01T12:00:00.000Z');
  const now = byClock(() => clock.real);
  const more = await createTables(['idempotency', 'rateCounters', 'downstreamEntities', 'organizations']);
  const names = { ...tables, ...more };
  const context = testContext({ now });
  const pipeline = sandboxFunction.compose({ dynamo, tables: names, context });
  ask = (route, owner, options = {}) =>
    send(pipeline, route, {
      identity: callerOf(owner),
      ...('params' in route ? { params: { npn } } : {}),
      ...options,
    });
  clock.duringPoll = async () => undefined;
  const registry = createSimulator(tableOf(registryRecordsTable, dynamo, tables.registryRecords), now);
  nights = sandboxNightsFunction.compose({
    registry: {
      ...registry,
      async visit(asked, subscriber) {
        const visited = await registry.visit?.(asked, subscriber);
        if (subscriber !== undefined) return visited;
        await clock.duringPoll();
        clock.duringPoll = async () => undefined;
        return visited;
      },
    },
    tables: tablesOf(dynamo, names),
    context,
  });
});

export const clockOf = async (owner: string) => (await ask(routes.getSandboxClock, owner)).data;
export const advance = (owner: string, to: string, options: EventOptions = {}) =>
  ask(routes.advanceSandboxClock, owner, { body: { to }, ...options });
