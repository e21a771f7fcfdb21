// Shared by the tests of carriers.

import * as z from 'zod/mini';
import { carrier as carrierSchema } from '#domain/carriers/catalog.ts';
import { carriersFunction } from '../../functions/carriers/function.ts';
import { carrierRoutes } from '../../functions/carriers/routes.ts';
import { carrier as caller, send } from './api-event.ts';
import { testContext } from './context.ts';
import { recordsInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { createTables, dynamo } from './tables.ts';

const pageSchema = z.object({
  data: z.object({
    items: z.array(carrierSchema),
    total: z.number(),
    page: z.number(),
    limit: z.number(),
    totalPages: z.number(),
  }),
});

/** A new carriers function on a new table. */
export async function newFunction() {
  const { carriers: table, organizations } = await createTables(['carriers', 'organizations']);
  let time = Date.UTC(2026, 5, 1);
  const answer = carriersFunction.compose({
    dynamo,
    tables: { carriers: table },
    context: testContext({ now: () => new Date(time) }),
  });
  const ask = (query: Record<string, string> = {}) =>
    send(answer, carrierRoutes.routes.listCarriers, { query, identity: caller });
  const importRecords = recordsInto({ carriers: table, organizations }, () => new Date(time));
  return {
    table,
    organization: await organizationsIn(organizations)(),
    ask,
    list: async (query: Record<string, string> = {}) => {
      const { status, json } = await ask(query);
      expect(status).toBe(200);
      return z.parse(pageSchema, json).data;
    },
    advanceClock: (milliseconds: number) => {
      time += milliseconds;
    },
    /** Imports as an operator does; with an organization, for it. */
    importLines: (records: readonly object[], organizationId?: string) =>
      importRecords(
        organizationId,
        records.map((record) => ({ type: 'carrier', ...record })),
      ),
  };
}
