// The stack of what watches the service, of its own like the other two.
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { createAlarms } from './watch/alarms.ts';
import { createDashboard } from './watch/dashboard.ts';
import { LogMetrics, metricsOf, type WatchedResources } from './watch/metrics.ts';
import { saveQueries } from './watch/queries.ts';

interface WatchStackProps extends StackProps {
  readonly watchedResources: WatchedResources;
}

/**
 * Alarms but those that roll back a release, the dashboard, and the saved queries. It knows the service stack by names alone,
 * so that no release of the service stack waits for it or fails because of it; of the data stack it uses the exports, which are
 * always there.
 */
export class WatchStack extends Stack {
  constructor(scope: Construct, id: string, { watchedResources, ...props }: WatchStackProps) {
    super(scope, id, props);
    const logs = new LogMetrics(this, watchedResources);
    const sources = { watchedResources, aws: metricsOf(watchedResources.environment.name), logs };
    createDashboard(this, sources, createAlarms(this, sources));
    saveQueries(this, watchedResources);
    logs.addFilters();
  }
}
