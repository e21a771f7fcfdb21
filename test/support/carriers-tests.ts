// Shared by the tests of carriers.

import * as z from 'zod/mini';
import { createCarriersFunction } from '../../functions/carriers/function.ts';
import { carrierRoutes } from '../../functions/carriers/routes.ts';
import { carrier as carrierSchema } from '../../shared/domain/carriers/resource.ts';
import { carriersTable } from '../../shared/domain/carriers/table.ts';
import { apiEvent, carrier as caller, lambdaContext } from './api-event.ts';
import { testContext } from './context.ts';
import { type ImportRecords, importInto } from './imports.ts';
import { createTable, dynamo } from './tables.ts';

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
  const table = await createTable(carriersTable);
  let time = Date.UTC(2026, 5, 1);
  const answer = createCarriersFunction({
    clients: { dynamo },
    tables: { carriers: table },
    context: testContext({ now: () => new Date(time) }),
  });
  const ask = async (query: Record<string, string> = {}) => {
    const event = apiEvent(carrierRoutes.routes.listCarriers, { query, identity: caller });
    const { status, body } = await answer(event, lambdaContext);
    return { status, text: typeof body === 'string' ? body : '' };
  };
  return {
    table,
    ask,
    list: async (query: Record<string, string> = {}) => {
      const { status, text } = await ask(query);
      expect(status).toBe(200);
      return z.parse(pageSchema, JSON.parse(text)).data;
    },
    advanceClock: (milliseconds: number) => {
      time += milliseconds;
    },
    importRecords: importInto({ carriers: table }, () => new Date(time)),
  };
}

/** Imports as an operator does; with an organization, for it. */
export const importLines = (
  importRecords: ImportRecords,
  records: readonly object[],
  organizationId?: string,
) =>
  importRecords({
    organizationId,
    firstLine: 1,
    lines: records.map((record) => JSON.stringify({ type: 'carrier', ...record })),
  });
