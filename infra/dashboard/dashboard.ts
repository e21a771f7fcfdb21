import { Duration } from 'aws-cdk-lib';
import { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Monitoring, Watched } from '../alarms/alarms.ts';
import { resourceName } from '../environments.ts';
import { costRows } from './cost.ts';
import { eventRows } from './events.ts';
import { faultRows } from './faults.ts';
import { functionRows } from './functions.ts';
import { queueRows } from './queues.ts';
import { saveQueries } from './saved-queries.ts';
import { tableRows } from './tables.ts';
import { trafficRows } from './traffic.ts';

/**
 * Creates the environment's dashboard: whose fault it is, then everything that can be the cause, then what it costs. What
 * only logs can say, saved queries ask.
 */
export function createDashboard(scope: Construct, watched: Watched, monitoring: Monitoring): void {
  new Dashboard(scope, 'Dashboard', {
    dashboardName: resourceName(watched.environment.name, 'overview'),
    defaultInterval: Duration.hours(3),
    widgets: [
      ...faultRows(watched, monitoring),
      ...trafficRows(watched, monitoring),
      ...functionRows(watched),
      ...queueRows(watched),
      ...eventRows(watched, monitoring),
      ...tableRows(watched),
      ...costRows(watched),
    ],
  });
  saveQueries(scope, watched);
}
