import type { FunctionUses } from '#domain/function-uses.ts';

const probed = { items: ['GetItem', 'UpdateItem'], query: ['by-change'] } as const;

/** Resources of the function, which writes items of its own into each table with an index of changes. */
export const uses = {
  timeoutSeconds: 30,
  schedules: { measure: { everyMinutes: 1 } },
  tables: {
    agents: probed,
    associations: probed,
    downstreamEntities: probed,
    filings: probed,
    policies: probed,
    registryRecords: probed,
  },
} as const satisfies FunctionUses;
