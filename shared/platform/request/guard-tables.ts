/**
 * What a function with routes that write does with the tables of its guards: idempotency records, with the pieces of a response
 * that does not fit one, and rate counters.
 */
export const guardTables = {
  idempotency: { items: ['BatchGetItem', 'BatchWriteItem', 'UpdateItem', 'DeleteItem'] },
  rateCounters: { items: ['UpdateItem'] },
} as const;
