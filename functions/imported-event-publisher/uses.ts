import { publisherStream, publisherTables } from '#function/publisher-uses.ts';
import type { FunctionUses } from '#function/uses.ts';

/** Resources of the publisher of imports’ events, beside `event-publisher`, so that no other event waits for them. */
export const uses = {
  timeoutSeconds: 300,
  tables: publisherTables,
  publishes: true,
  stream: publisherStream({ ofImports: true }),
} as const satisfies FunctionUses;
