import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes } from '../alarms/alarm-set.ts';
import type { Watched } from '../alarms/alarms.ts';
import { heading, row } from './widgets.ts';

/** Every table. */
export const tableRows = ({ tables }: Watched): IWidget[][] => [
  heading(
    'Tables',
    'Throttles of one table while it consumes little are one hot key; of many tables at once, the account’s quota.',
  ),
  row(
    {
      title: 'Throttled requests',
      runbook: ['Table throttles'],
      metrics: tables.map((table) => table.throttledRequests(fiveMinutes)),
    },
    {
      title: 'Requests with a 5xx of DynamoDB',
      runbook: ['Table errors'],
      metrics: tables.map((table) => table.systemErrors(fiveMinutes)),
    },
  ),
];
