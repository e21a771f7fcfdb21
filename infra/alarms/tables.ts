import type { Table } from '../constructs/table.ts';
import { type AlarmSet, fiveMinutes } from './alarm-set.ts';

/** A table, with its indexes. */
export function watchTable(alarms: AlarmSet, table: Table): void {
  alarms.add(`${table.design.name}-table-throttles`, {
    runbook: 'Table throttles',
    metric: table.throttledRequests(fiveMinutes),
    above: 0,
    periods: 2,
    impact: `Requests that need the table "${table.design.name}" are slow, and some get a 5xx.`,
  });
  alarms.add(`${table.design.name}-table-errors`, {
    runbook: 'Table errors',
    metric: table.systemErrors(fiveMinutes),
    above: 0,
    periods: 2,
    impact: `DynamoDB itself fails on the table "${table.design.name}": requests are slow or get a 5xx.`,
  });
}
