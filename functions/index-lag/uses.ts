import type { FunctionUses } from '#function/uses.ts';

const probeUse = { items: ['GetItem', 'UpdateItem'], query: ['by-change'] } as const;

/** Resources of the function, which writes items of its own into each table with an index of changes. */
export const uses = {
  timeoutSeconds: 30,
  schedules: { measure: { everyMinutes: 1 } },
  tables: {
    agents: probeUse,
    associations: probeUse,
    downstreamEntities: probeUse,
    filings: probeUse,
    policies: probeUse,
    registryRecords: probeUse,
  },
} as const satisfies FunctionUses;
