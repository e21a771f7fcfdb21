import { publisherStream, publisherTables } from '#function/publisher-uses.ts';
import type { FunctionUses } from '#function/uses.ts';

/** Resources of the publisher, which puts events from the outbox on the bus: as they are written, and what the stream missed. */
export const uses = {
  timeoutSeconds: 300,
  tables: publisherTables,
  publishes: true,
  stream: publisherStream({ ofImports: false }),
  schedules: { republish: { everyMinutes: 5 } },
} as const satisfies FunctionUses;
