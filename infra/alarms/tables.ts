import type { Table } from '../constructs/table.ts';
import { type AlarmSet, fiveMinutes } from './alarm-set.ts';

/** The tables, with their indexes. */
export function watchTables(alarms: AlarmSet, tables: readonly Table[]): void {
  const signals = tables.map((table) =>
    alarms.signal(`${table.design.name}-table-throttles`, {
      runbook: 'Table throttles',
      metric: table.throttledRequests(fiveMinutes),
      above: 0,
      periods: 2,
      impact: `Requests that need the table "${table.design.name}" are slow, and some get a 5xx.`,
    }),
  );
  alarms.any('table-throttles', signals, {
    severity: 'ticket',
    runbook: 'Table throttles',
    impact: 'DynamoDB throttles requests. If callers notice, "gateway-faults" or "latency" pages.',
  });
}
