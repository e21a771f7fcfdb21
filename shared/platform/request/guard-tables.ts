/** What a function with routes that write does with the tables of its guards: idempotency records and rate counters. */
export const guardTables = {
  idempotency: { items: ['UpdateItem', 'DeleteItem'] },
  rateCounters: { items: ['UpdateItem'] },
} as const;
